/** The commands and their options: one table that the parser, the help and the suggestions are made from. */

export interface OptionSpec {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  readonly short?: string;
  /** What stands for the value in the help: `FILE`. */
  readonly value?: string;
  readonly help: string;
}

export interface CommandSpec {
  readonly summary: string;
  /** After `repair-bench <command>`. */
  readonly usage: readonly string[];
  readonly positionals: readonly [least: number, most: number];
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** Further lines of the help. */
  readonly notes: readonly string[];
}

const json: OptionSpec = { type: 'boolean', help: 'Print one JSON document on stdout, also for errors.' };
const help: OptionSpec = { type: 'boolean', short: 'h', help: 'Show this help.' };
const into: OptionSpec = {
  type: 'string',
  value: 'DIR',
  help: 'Where workspaces are made. Default: repair-bench-tasks in the current folder.',
};
const runtime: OptionSpec = {
  type: 'string',
  value: 'NAME',
  help: 'docker, sandbox or auto: Docker when an engine answers, else the sandbox. Default: auto.',
};
const imageMap: OptionSpec = {
  type: 'string',
  multiple: true,
  value: 'A=B',
  help: 'Use image B where a task asks for A. Can be given again.',
};
const timeout: OptionSpec = {
  type: 'string',
  value: 'SECONDS',
  help: "Time limit of the verifier, in place of the task's own.",
};
const network: OptionSpec = { type: 'boolean', help: 'Let the task use the network if it asks for it.' };
const hostVar: OptionSpec = {
  type: 'string',
  multiple: true,
  value: 'NAME',
  help: 'Let the task read this variable of your environment. Can be given again.',
};
/** Options of every command that runs a verifier. */
const runOptions = { runtime, 'image-map': imageMap, timeout, network, 'host-var': hostVar } as const;
const ROW_NOTE =
  'A row is named by its path, or by \'#INDEX\' as "list" shows it (in quotes: # starts a comment in most shells).';
const DATASET_NOTE =
  'A dataset is a .parquet, .arrow, .tar.gz or .tar file, a folder of tasks, or one task folder.';

export const COMMANDS = {
  list: {
    summary: 'List the rows of a dataset.',
    usage: ['<dataset> [options]'],
    positionals: [1, 1],
    options: {
      filter: { type: 'string', value: 'TEXT', help: 'Only rows whose path holds TEXT, in either case.' },
      limit: { type: 'string', value: 'N', help: 'Show at most N rows; 0 shows all. Default: 100.' },
      json,
      help,
    },
    notes: [DATASET_NOTE],
  },
  fetch: {
    summary: 'Download a dataset from the Hugging Face hub, and print where it is.',
    usage: ['<owner/name>[:<file>] [options]', '<address of its page> [options]'],
    positionals: [1, 1],
    options: {
      list: { type: 'boolean', help: 'Only list the task files of the repository.' },
      revision: { type: 'string', value: 'REV', help: 'A branch, a tag or a commit. Default: main.' },
      json,
      help,
    },
    notes: [
      'A file can be a path, a folder or a pattern with *; owner/name@REV:file names a revision too. Parts, as train-00000-of-00003.parquet, come together under the name of their set: train-*-of-00003.parquet.',
      'Files go to the cache that all clients of the hub share. A download that was cut short is continued, and every file is checked by its hash.',
      'HF_TOKEN is for private and gated datasets; HF_ENDPOINT, HF_HOME, HF_HUB_CACHE and HF_HUB_OFFLINE mean what they mean to the official clients.',
    ],
  },
  open: {
    summary: 'Open a task in a workspace, where its solution can be edited.',
    usage: ['<dataset> <row> [options]'],
    positionals: [1, 2],
    options: {
      into,
      json,
      help,
    },
    notes: [DATASET_NOTE, ROW_NOTE, 'The same row opens the same workspace again, with your edits.'],
  },
  verify: {
    summary: "Run a task's verifier and show each gate and the reward.",
    usage: ['<workspace> [options]', '<dataset> <row> [options]', '<task folder> [options]'],
    positionals: [1, 2],
    options: {
      solution: {
        type: 'string',
        value: 'PATH',
        help: "Verify this file in place of the task's, or a folder laid over the starter (app/solution.py is /app/solution.py).",
      },
      gold: {
        type: 'boolean',
        help: "Verify the gold: the workspace's own gold fix where it has one, else what the task ships.",
      },
      starter: {
        type: 'boolean',
        help: 'Verify the starter as shipped. The default, except for a workspace.',
      },
      ...runOptions,
      'no-trace': {
        type: 'boolean',
        help: 'Run the verifier without a trace: reward and cases, but no gates.',
      },
      json,
      help,
    },
    notes: [
      DATASET_NOTE,
      ROW_NOTE,
      'Exit status: 0 reward 1 or more, 1 scored lower, 2 bad input or usage, 3 no reward, 4 engine error, 130 cancelled.',
    ],
  },
  history: {
    summary: 'List the runs of a workspace, with what changed from one to the next.',
    usage: ['<workspace> [options]'],
    positionals: [1, 1],
    options: {
      limit: { type: 'string', value: 'N', help: 'Show at most N runs; 0 shows all. Default: 100.' },
      json,
      help,
    },
    notes: [
      'The newest 1000 runs are kept, and at most 512 MiB of runs and solutions together; the oldest go first.',
      'A run that was started for an agent says so.',
    ],
  },
  'gold save': {
    summary:
      'Save the solution of a workspace as a gold fix, if it gets reward 1 in a fresh container without a trace.',
    usage: ['<workspace> [options]', '<dataset> <row> [options]'],
    positionals: [1, 2],
    options: {
      ...runOptions,
      into: {
        ...into,
        help: 'Where the workspace of <row> is. Default: repair-bench-tasks in the current folder.',
      },
      force: { type: 'boolean', help: 'Replace the gold fix of another solution, or one that was edited.' },
      json,
      help,
    },
    notes: [
      'A gold fix is the folder "gold" of the workspace: solution/ with solve.sh, gold.patch and gold.json.',
      ROW_NOTE,
      'Exit status: 0 saved, 1 the reward is lower, 2 bad input or usage, 3 no reward, 4 engine error, 130 cancelled.',
    ],
  },
  'gold check': {
    summary: 'Check a gold fix from its files alone: nothing was edited, and the reward is 1 again.',
    usage: ['<folder> [options]', '<dataset> <row> [options]'],
    positionals: [1, 2],
    options: {
      task: {
        type: 'string',
        value: 'DATASET',
        help: 'Where its task is. Default: the task.tar.gz beside the folder of the gold fix.',
      },
      row: {
        type: 'string',
        value: 'ROW',
        help: 'The row of that dataset. Default: the one with the path that gold.json names.',
      },
      ...runOptions,
      json,
      help,
    },
    notes: [
      'The folder is that of a gold fix, a workspace that has one, or a task that was exported with one.',
      ROW_NOTE,
      'Exit status: 0 it holds, 1 it was edited, belongs to another task or scores lower, 2 bad input or usage, 3 no reward, 4 engine error, 130 cancelled.',
    ],
  },
  'gold export': {
    summary: 'Put gold fixes into a new dataset, or one of them into its task.',
    usage: ['<folder>... --dataset DATASET --to TARGET [options]', '<gold fix> --to TARGET [options]'],
    positionals: [1, Number.POSITIVE_INFINITY],
    options: {
      dataset: {
        type: 'string',
        value: 'DATASET',
        help: 'The dataset that they were saved for. It is read and never changed.',
      },
      to: {
        type: 'string',
        value: 'TARGET',
        help: 'The new file, .parquet, .arrow or .tar.gz, or the name of a new folder.',
      },
      'skip-unmatched': {
        type: 'boolean',
        help: 'Leave out gold fixes that belong to no row of the dataset.',
      },
      force: {
        type: 'boolean',
        help: 'Replace the file TARGET, or the solution/ of the task folder TARGET.',
      },
      json,
      help,
    },
    notes: [
      'A folder is a gold fix, a workspace that has one, or a folder of workspaces.',
      'Rows keep their order and columns; those without a gold fix stay as they are, byte for byte.',
      "Without --dataset, one gold fix goes with its own task into a .tar.gz, a new folder, or that task's folder.",
      'The export checks that a gold fix was not edited; "gold check" also runs it.',
      'Exit status: 0 written, 2 bad input or usage, 130 cancelled.',
    ],
  },
  doctor: {
    summary:
      'Check the set-up: engine, permissions, images, sandbox, Python, disk. Says how to mend what needs attention.',
    usage: ['[options]', '<dataset> [row] [options]'],
    positionals: [0, 2],
    options: {
      runtime,
      'image-map': imageMap,
      into,
      json,
      help,
    },
    notes: [
      'Checks the images that the tasks of the dataset ask for: of one row, or of 20 rows spread over it. Default: the sample tasks.',
      DATASET_NOTE,
      ROW_NOTE,
      'Exit status: 0 everything is in order, 1 something needs attention, 2 bad input or usage, 130 cancelled.',
    ],
  },
} as const satisfies Record<string, CommandSpec>;

export type CommandName = keyof typeof COMMANDS;

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

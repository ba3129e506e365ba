import assert from 'node:assert/strict';
import { commandOf, parseArguments, wantsJson } from '../../../../src/cli/input/arguments.ts';
import { CliError } from '../../../../src/cli/failures/cliError.ts';
import { remedyText } from '../../../host/remedyText.ts';

describe('arguments', () => {
  it('become a typed command', () => {
    assert.deepEqual(parseArguments(['list', 'a.parquet', '--filter=x', '--limit', '0']), {
      command: 'list',
      dataset: 'a.parquet',
      filter: 'x',
      limit: Number.MAX_SAFE_INTEGER,
    });
    assert.deepEqual(parseArguments(['fetch', 'lab/tasks:a', '--list', '--revision=v1']), {
      command: 'fetch',
      address: 'lab/tasks:a',
      revision: 'v1',
      listOnly: true,
    });
    assert.deepEqual(parseArguments(['open', 'a', '#3']), {
      command: 'open',
      dataset: 'a',
      row: '#3',
      into: 'repair-bench-tasks',
    });
    assert.deepEqual(
      parseArguments(
        'verify a b --gold --no-trace --runtime docker --image-map A=B --image-map C=D=E --timeout 1.5 --network --host-var KEY'.split(
          ' ',
        ),
      ),
      {
        command: 'verify',
        target: 'a',
        row: 'b',
        subject: { kind: 'gold' },
        runtime: 'docker',
        imageMap: { A: 'B', C: 'D=E' },
        timeoutMs: 1500,
        trace: false,
        network: true,
        hostVariables: ['KEY'],
      },
    );
    assert.deepEqual(parseArguments(['history', 'w', '--limit', '5']), {
      command: 'history',
      workspace: 'w',
      limit: 5,
    });
    assert.deepEqual(parseArguments(['doctor', '--image-map=A=B', '--into', 'w']), {
      command: 'doctor',
      dataset: undefined,
      row: undefined,
      runtime: 'auto',
      imageMap: { A: 'B' },
      into: 'w',
    });
    const running = {
      runtime: 'auto',
      imageMap: {},
      timeoutMs: undefined,
      network: false,
      hostVariables: [],
    } as const;
    assert.deepEqual(parseArguments(['gold', 'save', 'w', '--force']), {
      command: 'gold save',
      target: 'w',
      row: undefined,
      into: 'repair-bench-tasks',
      force: true,
      ...running,
    });
    assert.deepEqual(parseArguments(['gold', 'check', 'g', '--task', 'd', '--row=r']), {
      command: 'gold check',
      target: 'g',
      row: undefined,
      task: { dataset: 'd', row: 'r' },
      ...running,
    });
    assert.deepEqual(
      parseArguments(['gold', 'export', 'a', 'b', '--dataset', 'd', '--to=t.parquet', '--skip-unmatched']),
      {
        command: 'gold export',
        folders: ['a', 'b'],
        dataset: 'd',
        to: 't.parquet',
        skipUnmatched: true,
        force: false,
      },
    );
    assert.deepEqual(parseArguments(['help', 'gold', 'check']), { command: 'help', about: 'gold check' });
    assert.deepEqual(parseArguments(['verify', '-h']), { command: 'help', about: 'verify' });
    assert.deepEqual(parseArguments([]), { command: 'help', about: undefined });
    assert.deepEqual(parseArguments(['--version']), { command: 'version' });
  });

  for (const [line, says] of [
    ['lst x', 'There is no command "lst". Did you mean "repair-bench list"?'],
    [
      'frobnicate',
      'There is no command "frobnicate". The commands are list, fetch, open, verify, history, gold save, gold check, gold export and doctor; see "repair-bench --help".',
    ],
    [
      '--json list',
      'Unknown option --json. The commands are list, fetch, open, verify, history, gold save, gold check, gold export and doctor; see "repair-bench --help".',
    ],
    [
      'gold',
      '"gold" needs to know what to do. The commands are gold save, gold check and gold export; see "repair-bench gold save --help".',
    ],
    [
      'gold chek x',
      'There is no command "gold chek". The commands are gold save, gold check and gold export; see "repair-bench gold save --help".',
    ],
    [
      'gold save',
      '"gold save" needs to know what to save. Use: repair-bench gold save <workspace> [options]  or  repair-bench gold save <dataset> <row> [options]',
    ],
    [
      'gold check a --row b',
      '--row says which row, but not of which dataset. Name the dataset with --task DATASET.',
    ],
    [
      'gold export a --dataset d',
      '"gold export" needs to know where to write. Name the new file or folder with --to TARGET.',
    ],
    [
      'gold export a b --to c',
      'Several gold fixes are exported into the dataset that they were saved for. Name it with --dataset DATASET, or name one gold fix.',
    ],
    ['list', '"list" needs to know what to list. Use: repair-bench list <dataset> [options]'],
    ['list a b', '"list" was given one argument too many: b. Use: repair-bench list <dataset> [options]'],
    ['list a --limit x', '--limit x is not a number of rows. Give a whole number; 0 shows all rows.'],
    ['history w --limit x', '--limit x is not a number of runs. Give a whole number; 0 shows all runs.'],
    ['list a --fliter x', '"list" has no option --fliter. Did you mean --filter?'],
    ['list a --filter', '--filter needs a value. Write it as --filter=TEXT.'],
    ['list a --json=1', '--json takes no value. Write it as --json.'],
    ['verify a --runtime podman', '--runtime podman is not known. Choose docker, sandbox or auto.'],
    [
      'verify a --gold --starter',
      '--gold and --starter cannot be given together. Choose what to verify: one of --solution PATH, --gold and --starter.',
    ],
    [
      'verify a --image-map A',
      '--image-map A is not of the form A=B. Write it as --image-map python:3.10-slim=mirror/python:3.10-slim.',
    ],
    ['verify a --timeout 0', '--timeout 0 is not a time limit. Give seconds, above 0 and up to 604800.'],
    [
      'verify a --host-var A=1',
      '--host-var A=1 is not the name of a variable. Give the name alone, without a value.',
    ],
  ] as const)
    it(`"${line}" is answered with what would be right`, () => {
      assert.throws(
        () => parseArguments(line.split(' ')),
        (error) =>
          error instanceof CliError &&
          error.exitCode === 2 &&
          `${error.message} ${remedyText(error.remedies)}` === says,
      );
    });

  it('ask for JSON also when the rest is wrong', () => {
    assert.ok(wantsJson(['lst', '--json']));
    assert.ok(!wantsJson(['verify', '--', '--json']));
  });
});

describe('a mistyped word', () => {
  it('in the options still leaves the command known', () => {
    assert.equal(commandOf(['verify', '--nope']), 'verify');
    for (const name of ['save', 'check', 'export'])
      assert.equal(commandOf(['gold', name, '--nope']), `gold ${name}`);
    assert.equal(commandOf(['gold', '--json']), null);
    assert.equal(commandOf(['gold']), null);
    assert.equal(commandOf(['nope']), null);
    assert.equal(commandOf([]), null);
  });
});

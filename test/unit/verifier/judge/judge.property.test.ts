// Whatever a script and a solution leave behind, judging ends soon and gives a verdict.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { verdictSchema } from '../../../../src/verifier/verdict/verdict.ts';
import { judgeScripted } from '../helpers/scriptedEvidence.ts';

const MIB = 1024 * 1024;
const R = '/logs/verifier/reward.txt';
const SCRIPT = `f() { [ -f /app/solution.py ]; }\nf\nwhile true; do a | b | c; done\nif python3 -m pytest /tests/t.py; then\n  echo 1 > ${R}\nelse echo 0 > ${R}; fi\n`;
/** Generous, since other work may share the processor; a square of the input's length takes minutes. */
const MOST_CPU_MS = 15_000;

function filled(text: string, size = 16 * MIB): string {
  return text.repeat(Math.ceil(size / text.length));
}

async function judgedInTime(scripted: Parameters<typeof judgeScripted>[0]): Promise<void> {
  const before = process.cpuUsage();
  const verdict = await judgeScripted(scripted);
  const { user } = process.cpuUsage(before);
  assert.ok(verdict.outcome === 'scored' || verdict.outcome === 'unscored');
  assert.ok(user / 1000 < MOST_CPU_MS, `took ${Math.round(user / 1000)} ms of processor time`);
}

describe('hostile evidence', function () {
  this.timeout(120_000);

  const traces: Readonly<Record<string, string>> = {
    'one gate over and over': filled('+5:0: python3 -m pytest /tests/t.py\n'),
    'a function that calls itself': filled('+3:0: f\n+2:0: f\n'),
    'a pipeline in an endless loop': filled('+4:0: a\n+4:0: b\n+4:0: c\n'),
    'stairs of substitutions': Array.from(
      { length: 4000 },
      (_, at) => `${'+'.repeat(4000 - at)}5:0: f\n`,
    ).join(''),
    'one line of pluses': '+'.repeat(16 * MIB),
    'one command without end': `+5:0: python3 ${'a'.repeat(16 * MIB)}`,
    'quotes that never close': `+5:0: python3 ${"$'\\".repeat(5 * MIB)}`,
    'nothing but newlines': '\n'.repeat(16 * MIB),
  };
  for (const [name, trace] of Object.entries(traces))
    it(`a trace of ${name}`, () => judgedInTime({ script: SCRIPT, trace, reward: '0' }));

  const scripts: Readonly<Record<string, string>> = {
    '50,000 subshells in each other': `${'('.repeat(50_000)}a${')'.repeat(50_000)}\n`,
    '200,000 commands joined by &&': `${'a && '.repeat(200_000)}b\n`,
    '20,000 commands on one line': `${'echo a; '.repeat(20_000)}\n`,
    '13,000 guards': `if [ -f /app/solution.py ]; then echo 1 > ${R}; else echo 0 > ${R}; fi\n`.repeat(
      13_000,
    ),
    'functions that call each other tenfold': `${Array.from({ length: 30 }, (_, at) => `f${at}() { ${`f${at + 1}; `.repeat(10)}}\n`).join('')}a || f0\n`,
    'open quotes': filled('"$(`{<<E', MIB / 4),
  };
  for (const [name, script] of Object.entries(scripts))
    it(`a script of ${name}`, () => judgedInTime({ script, trace: '+2:0: a\n', reward: '0' }));

  const compiles = `if python3 -m py_compile /app/solution.py; then echo 1 > ${R}\nelse\necho 0 > ${R}\nfi\n`;
  for (const [name, output] of Object.entries({
    letters: 'a'.repeat(4 * MIB),
    colons: filled('a:1:1', 4 * MIB),
    'unclosed file names': filled('File "', 4 * MIB),
    blanks: ' '.repeat(4 * MIB),
    tracebacks: filled('  File "/app/solution.py", line 1\n', 4 * MIB),
  }))
    it(`an output of ${name}`, () =>
      judgedInTime({
        script: compiles,
        trace: '+2:0: python3 -m py_compile /app/solution.py\n+4:0: echo 0\n',
        reward: '0',
        output,
      }));

  for (const [name, report] of Object.entries({
    'elements in each other': filled('<a>'),
    'one attribute': `<testcase name="${'x'.repeat(16 * MIB)}"/>`,
    'one failure': `<testcase name="a"><failure>${'a:'.repeat(8 * MIB)}</failure></testcase>`,
    cases: filled('<testcase name="a"><failure>/tests/t.py:3: in x</failure></testcase>'),
  }))
    it(`a report of ${name}`, () =>
      judgedInTime({
        script: SCRIPT,
        trace: '+5:0: python3 -m pytest /tests/t.py\n',
        reward: '0',
        files: { '/run/repair-bench/out/junit-5.xml': report },
      }));

  it('any script, trace, report and reward', async () => {
    const word = fc.constantFrom(
      ...['if', 'then', 'else', 'fi', 'pytest', '[', ']', '$?', '$(', ')', '|', '&&', '||', '&', ';', '\n'],
      ...[
        'trap',
        "'",
        '"',
        'EXIT',
        'ERR',
        '<<E',
        'E',
        '> ',
        R,
        'f()',
        '{',
        '}',
        '((',
        '))',
        'x=',
        '${x:-',
        '#',
      ],
      ...['/app/solution.py', 'while', 'do', 'done', 'case', 'in', 'esac', '!', 'return', 'exit', 'set -e'],
    );
    const script = fc.array(word, { maxLength: 40 }).map((words) => words.join(' '));
    const entry = fc
      .tuple(fc.nat(4), fc.nat(9), fc.nat(300), script)
      .map(([depth, line, status, command]) => `${'+'.repeat(depth + 1)}${line}:${status}: ${command}\n`);
    const trace = fc.oneof(
      fc.array(entry, { maxLength: 20 }).map((all) => all.join('')),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(
        script,
        trace,
        fc.string(),
        fc.string(),
        fc.integer({ min: 0, max: 255 }),
        async (text, traced, report, reward, exitCode) => {
          const verdict = await judgeScripted({
            script: text,
            trace: traced,
            reward,
            exitCode,
            output: report,
            files: { '/run/repair-bench/out/junit-2.xml': `<testcase name="a"><failure>${report}` },
          });
          assert.ok(verdictSchema.safeParse(verdict).success);
        },
      ),
      { numRuns: 300 },
    );
  });
});

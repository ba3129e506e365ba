import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseTrace, traceWords } from '../../../../src/verifier/trace/trace.ts';

describe('the trace', () => {
  it('says depth, line, status of the command before, and the command', () => {
    const { entries } = parseTrace("+3:0: SOL=/app/solution.py\n++4:1: sha256sum '/app/a b'\n");
    assert.deepEqual(entries, [
      { depth: 1, line: 3, previousStatus: 0, command: 'SOL=/app/solution.py' },
      { depth: 2, line: 4, previousStatus: 1, command: "sha256sum '/app/a b'" },
    ]);
  });

  it('joins a command that spreads over several lines', () => {
    const { entries } = parseTrace("+3:0: echo 'a\nb\n\nc'\n+7:0: exit 0\n");
    assert.deepEqual(
      entries.map(({ line, command }) => [line, command]),
      [
        [3, "echo 'a\nb\n\nc'"],
        [7, 'exit 0'],
      ],
    );
  });

  it('drops the line that a cut went through', () => {
    const { entries, cutBefore } = parseTrace('+1:0: true\n+2:0: fal', ':0: half\n+9:1: exit 1\n');
    assert.equal(cutBefore, 2);
    assert.deepEqual(
      entries.map(({ line }) => line),
      [1, 2, 9],
    );
  });

  it('loses no entry, whatever the commands hold', () => {
    const command = fc.string({ unit: fc.constantFrom('a', ' ', '+', ':', '1', "'", '\n', 'é') });
    fc.assert(
      fc.property(
        fc.array(
          fc.record(
            { depth: fc.integer({ min: 1, max: 4 }), line: fc.nat(), status: fc.nat(255), command },
            { noNullPrototype: true },
          ),
        ),
        (wanted) => {
          const plain = wanted.filter(
            (entry) => !/\n\++\d+:\d+:/.test(`\n${entry.command.split('\n').slice(1).join('\n')}`),
          );
          const text = plain
            .map((entry) => `${'+'.repeat(entry.depth)}${entry.line}:${entry.status}: ${entry.command}\n`)
            .join('');
          const { entries } = parseTrace(text);
          assert.deepEqual(
            entries.map(({ depth, line, previousStatus, command: read }) => ({
              depth,
              line,
              status: previousStatus,
              command: read,
            })),
            plain,
          );
        },
      ),
    );
  });

  it('never fails on garbage, wherever it is cut', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (head, tail) => {
        parseTrace(head, tail);
        traceWords(head);
      }),
    );
  });
});

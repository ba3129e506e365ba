/** Decimals of a Parquet file keep all of their digits in Arrow. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { datasetError } from '../../helpers/fixtureRows.ts';
import { writeAnew } from '../../helpers/writeAnew.ts';

const LARGEST = 10n ** 40n - 1n;

describe('decimals', () => {
  const folder = mkdtempSync(join(tmpdir(), 'repair-bench-decimals-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const [source, target] = [join(folder, 'source.parquet'), join(folder, 'target.arrow')];

  it('of any length take as many bits as their precision needs', async () => {
    for (const [precision, values] of [
      [38, [1n, -1n, 10n ** 38n - 1n, 1n - 10n ** 38n, 0n]],
      [40, [1n, -1n, LARGEST, -LARGEST, 2n ** 127n, -(2n ** 127n)]],
      [76, [10n ** 76n - 1n, 1n - 10n ** 76n]],
    ] as const) {
      save(precision, values);
      await writeAnew(source, target, new Map(), { force: true });
      const amounts = tableFromIPC(readFileSync(target)).getChild('amount');
      assert.equal(String(amounts?.type), `Decimal[${precision}e+2]`);
      assert.deepEqual([...(amounts ?? [])].map(signed), values);
    }
  });

  it('that no type of Arrow holds are refused', async () => {
    save(77, [1n]);
    const error = await datasetError(writeAnew(source, target, new Map(), { force: true }));
    assert.equal(
      error.message,
      `${source}: its column amount holds BYTE_ARRAY values, which cannot be written to Arrow as they are.`,
    );
  });

  it('with more digits than their column claims are never cut', async () => {
    for (const value of [LARGEST, -LARGEST, 2n ** 127n, -(2n ** 127n) - 1n]) {
      save(20, [value]);
      const error = await datasetError(writeAnew(source, target, new Map(), { force: true }));
      assert.equal(error.code, 'corrupt');
      assert.equal(
        error.message,
        `${source}, column amount is damaged: a decimal of 17 bytes has more digits than its type holds.`,
      );
    }
  });

  /** A file of tasks with a column `amount` of decimals, each in as few bytes as it needs. */
  function save(precision: number, amounts: readonly bigint[]): void {
    const bytes = parquetWriteBuffer({
      columnData: [
        { name: 'path', data: amounts.map((_, row) => `task-${row}`) },
        { name: 'task_binary', data: amounts.map(() => Buffer.from('task')) },
        { name: 'amount', data: [...amounts] },
      ],
      schema: [
        { name: 'schema', num_children: 3 },
        { name: 'path', type: 'BYTE_ARRAY', repetition_type: 'REQUIRED', converted_type: 'UTF8' },
        { name: 'task_binary', type: 'BYTE_ARRAY', repetition_type: 'REQUIRED' },
        {
          name: 'amount',
          type: 'BYTE_ARRAY',
          repetition_type: 'REQUIRED',
          converted_type: 'DECIMAL',
          precision,
          scale: 2,
        },
      ],
    });
    writeFileSync(source, new Uint8Array(bytes));
  }
});

/** The number in words of 32 bits, the lowest first. */
function signed(words: Uint32Array): bigint {
  const whole = [...words].reduceRight((higher, word) => (higher << 32n) | BigInt(word), 0n);
  return BigInt.asIntN(32 * words.length, whole);
}

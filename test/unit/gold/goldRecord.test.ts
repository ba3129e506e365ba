import assert from 'node:assert/strict';
import { brokenSeals, goldRecordText, parseGoldRecord } from '../../../src/gold/goldRecord.ts';
import { goldRecord } from './helpers/goldRecords.ts';

describe('gold.json', () => {
  it('is read as it was written, with fields of a newer tool kept', () => {
    const record = { ...goldRecord({ author: { name: 'A. Person' } }), reviewedBy: 'somebody' };
    const read = parseGoldRecord(goldRecordText(record));
    assert.ok(read.ok);
    const { seals: _seals, ...rest } = read.record;
    assert.deepEqual(rest, record);
    assert.deepEqual(brokenSeals(goldRecordText(record)), []);
  });

  it('tells which fields were changed, added or taken out by hand', () => {
    const text = goldRecordText(goldRecord());
    assert.deepEqual(brokenSeals(text.replace('"reward": 1,', '"reward": 2,')), ['reward']);
    assert.deepEqual(brokenSeals(text.replace('"verify": 1200', '"verify": 1')), ['clocks']);
    assert.deepEqual(brokenSeals(text.replace('"notInPatch": [],', '"extra": [],')), ['extra', 'notInPatch']);
    assert.deepEqual(brokenSeals(text.replace(/"seals": \{[^}]*\}/, '"seals": {}')).length, 18);
  });

  it('is the same when only its blanks are others, as a formatter leaves it', () => {
    assert.deepEqual(brokenSeals(JSON.stringify(JSON.parse(goldRecordText(goldRecord())))), []);
  });

  it('does not seal what JSON leaves out', () => {
    const text = goldRecordText({ ...goldRecord(), author: { name: undefined }, note: undefined });
    assert.deepEqual(brokenSeals(text), []);
  });

  for (const [text, because] of [
    ['{', /^it is not JSON \(/],
    ['[]', /^it is wrong \(/],
    ['{"version": 2}', /^it was made by a newer Repair Bench \(its version is 2\)$/],
    [goldRecordText(goldRecord()).replace('"reward": 1,', '"reward": "1",'), /^its "reward" is wrong \(/],
    [
      goldRecordText(goldRecord()).replace('"path": "/app', '"path": "app'),
      /^its "solution.files.0.path" is wrong \(/,
    ],
    [
      goldRecordText(goldRecord({ verifier: { hash: 'abc' } })),
      /^its "verifier.hash" is wrong \(expected 64 hex digits\)$/,
    ],
  ] as const)
    it(`says that ${because.source}`, () => {
      const read = parseGoldRecord(text);
      assert.ok(!read.ok);
      assert.match(read.because, because);
    });
});

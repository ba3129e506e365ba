import assert from 'node:assert/strict';
import { checkGetTask, checkRunVerifier } from '../../../../src/editor/agents/agentInput.ts';

describe('the input of a tool', () => {
  for (const [given, says] of [
    [{ workspace: 3 }, /"workspace": .*string.* Pass \{\} or \{"workspace": "\/abs\/path"\}/],
    [{ task: 'x' }, /The input of repair_bench_get_task is wrong\. .*"task"/],
    [{ dataset: '/d' }, /"dataset" and "row" belong together/],
    [{ workspace: '/w', dataset: '/d', row: '#1' }, /Pass either "workspace", or "dataset" and "row"/],
    [{ workspace: '' }, /"workspace"/],
    [{ row: 'x'.repeat(5000), dataset: '/d' }, /"row": .*4096/],
    [[], /The input of repair_bench_get_task is wrong/],
  ] as const)
    it(`${JSON.stringify(given).slice(0, 60)} is answered with what would be right`, () => {
      const checked = checkGetTask(given);
      assert.ok(!checked.ok);
      assert.match(checked.error, says);
    });

  it('may be left out', () => {
    assert.deepEqual(checkGetTask(undefined), {
      ok: true,
      input: { kind: 'workspace', workspace: undefined },
    });
    assert.deepEqual(checkRunVerifier({}), { ok: true, input: { workspace: undefined } });
    assert.deepEqual(checkGetTask({ dataset: '/d', row: '#1' }), {
      ok: true,
      input: { kind: 'row', dataset: '/d', row: '#1' },
    });
  });
});

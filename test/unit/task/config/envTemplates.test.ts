import assert from 'node:assert/strict';
import { resolveEnvTemplates } from '../../../../src/task/config/envTemplates.ts';

const HOST = { TOKEN: 'secret', EMPTY: '' };

describe('a template in an env table', () => {
  it('gets the host value when the user allows its name, also an empty one', () => {
    const resolved = resolveEnvTemplates(
      { A: '${TOKEN}', B: '${EMPTY:-x}' },
      new Set(['TOKEN', 'EMPTY']),
      HOST,
    );
    assert.deepEqual(resolved, { env: { A: 'secret', B: '' }, missing: [], refused: [] });
  });

  it('never gets a host value that the user did not allow', () => {
    assert.deepEqual(resolveEnvTemplates({ A: '${TOKEN}', B: '${TOKEN:-fallback}' }, new Set(), HOST), {
      env: { B: 'fallback' },
      missing: [],
      refused: [
        { key: 'A', hostName: 'TOKEN' },
        { key: 'B', hostName: 'TOKEN' },
      ],
    });
  });

  it('that the host does not set takes its default, or is named as missing', () => {
    assert.deepEqual(
      resolveEnvTemplates(
        { A: '${NO}', B: '${NO:-}', C: '${constructor}' },
        new Set(['NO', 'constructor']),
        HOST,
      ),
      {
        env: { B: '' },
        missing: [
          { key: 'A', hostName: 'NO' },
          { key: 'C', hostName: 'constructor' },
        ],
        refused: [],
      },
    );
  });

  it('must be the whole value', () => {
    const env = { A: 'x${TOKEN}', B: '$TOKEN', C: '${TOKEN} ', D: '${}', E: 'plain' };
    assert.deepEqual(resolveEnvTemplates(env, new Set(['TOKEN']), HOST).env, env);
  });
});

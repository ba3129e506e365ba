// What each refusal says, and what to do next: against a hub over real sockets.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listTaskFiles } from '../../../../src/dataset/hub/hubDatasets.ts';
import { parseHubAddress } from '../../../../src/dataset/hub/hubAddress.ts';
import type { HubServer } from '../../../host/hubServer.ts';
import { fetchOne, hubErrorOf, type HubUnderTest, hubUnderTest } from '../helpers/hubUnderTest.ts';

describe('the hub refuses', () => {
  let test: HubUnderTest;
  let hub: HubServer;
  let host: string;
  before(async () => {
    test = await hubUnderTest({
      'lab/tasks': { revisions: { main: { 'a.parquet': 'a' } } },
      'lab/private': { revisions: { main: { 'a.parquet': 'a' } }, private: true, readers: ['hf_reader'] },
      'lab/gated': { revisions: { main: { 'a.parquet': 'a' } }, gated: true, readers: ['hf_reader'] },
    });
    hub = test.hub;
    host = new URL(hub.endpoint).host;
  });
  afterEach(() => {
    hub.faults.answer = undefined;
  });
  after(() => test.stop());

  const says = async (address: string, token?: string): Promise<string> =>
    (await hubErrorOf(fetchOne(await test.settings(token === undefined ? {} : { HF_TOKEN: token }), address)))
      .replaceAll(hub.endpoint, 'HUB')
      .replaceAll(host, 'HOST');

  for (const [what, address, token, message] of [
    [
      'a dataset that does not exist',
      'lab/nothing',
      undefined,
      'repo-not-found: There is no dataset lab/nothing at HOST, or it is private. Check the name. If it is private, set HF_TOKEN to a token that may read it.',
    ],
    [
      'a private one without a token',
      'lab/private',
      undefined,
      'repo-not-found: There is no dataset lab/private at HOST, or it is private. Check the name. If it is private, set HF_TOKEN to a token that may read it.',
    ],
    [
      "a private one to another's token",
      'lab/private',
      'hf_stranger',
      'repo-not-found: There is no dataset lab/private at HOST, or the token of HF_TOKEN may not read it. Check the name, and that the token has read access to this dataset.',
    ],
    [
      'a gated one without a token',
      'lab/gated',
      undefined,
      'gated: lab/gated is gated: only people who have accepted its terms may download it. Accept them at HUB/datasets/lab/gated, and set HF_TOKEN to a token of your account.',
    ],
    [
      'a gated one to an account without access',
      'lab/gated',
      'hf_stranger',
      'gated: lab/gated is gated, and the account of the token of HF_TOKEN has no access to it. Ask for access or accept its terms at HUB/datasets/lab/gated, then try again.',
    ],
    [
      'a token that it does not know',
      'lab/tasks',
      'hf_revoked',
      'token-refused: HOST does not accept the token of HF_TOKEN (it says: Invalid credentials in Authorization header). It is mistyped, expired or revoked: make a new one with read access at HUB/settings/tokens.',
    ],
    [
      'a revision that does not exist',
      'lab/tasks@v9',
      undefined,
      'revision-not-found: lab/tasks has no revision v9. Give a branch, a tag or a commit; HUB/datasets/lab/tasks lists them.',
    ],
    [
      'a file that does not exist',
      'lab/tasks:b.parquet',
      undefined,
      'file-not-found: lab/tasks has no b.parquet at revision main. Check the name, or give "lab/tasks" alone to see what it has.',
    ],
    [
      'a folder that does not exist',
      'lab/tasks:data/*.parquet',
      undefined,
      'file-not-found: lab/tasks has no data/*.parquet at revision main. Check the name, or give "lab/tasks" alone to see what it has.',
    ],
  ] as const)
    it(what, async () => {
      assert.equal(await says(address, token), message);
    });

  for (const [what, status, headers, message] of [
    [
      'too many requests, and says for how long',
      429,
      { RateLimit: '"api";r=0;t=55', 'RateLimit-Policy': '"fixed window";"api";q=500;w=300' },
      'rate-limited: HOST has had too many requests from this address. Try again in 55 seconds; what has arrived is kept. With a token in HF_TOKEN the limit is higher.',
    ],
    [
      'too many requests in the older way',
      429,
      { 'Retry-After': '7' },
      'rate-limited: HOST has had too many requests from this address. Try again in 7 seconds; what has arrived is kept. With a token in HF_TOKEN the limit is higher.',
    ],
    ['what a token is not allowed to do', 403, { 'X-Error-Message': 'Your token lacks a scope.' }, undefined],
    [
      'when it is broken',
      503,
      {},
      'server-error: HOST failed with status 503. Try again in a few minutes; what has arrived is kept.',
    ],
    [
      'a request that it does not understand',
      400,
      { 'X-Error-Message': 'Bad.' },
      'bad-answer: HOST answered with status 400 (it says: Bad). Check HF_ENDPOINT, and whether a proxy answers in place of the hub.',
    ],
  ] as const)
    it(what, async () => {
      hub.faults.answer = { at: '/api/', status, headers };
      assert.equal(
        await says('lab/tasks'),
        message ??
          'forbidden: HOST refuses access to lab/tasks (it says: Your token lacks a scope). Set HF_TOKEN to a token that may read it.',
      );
    });

  for (const [what, body, because] of [
    ['a page of HTML', '<html>Please log in</html>', 'it is not what was asked for'],
    ['JSON of another kind', '{"hello": 1}', 'it names no commit'],
    ['an answer without an end', 'x'.repeat(33 * 1024 * 1024), 'its answer has no end'],
  ] as const)
    it(`to be one, with ${what}`, async () => {
      hub.faults.answer = { at: '/revision/', status: 200, headers: { 'Content-Type': 'text/html' }, body };
      assert.equal(
        await says('lab/tasks'),
        `bad-answer: HOST does not answer as a hub does: ${because}. Check HF_ENDPOINT, and whether a proxy or a log-in page answers in place of the hub.`,
      );
    });

  it('to be one, with a list of another form or without hashes', async () => {
    for (const [body, because] of [
      ['[{"type":"file","path":"a.parquet","size":-1}]', 'its list of files has another form'],
      [
        '[{"type":"file","path":"a.parquet","size":1,"lfs":{"oid":"../../x","size":1}}]',
        'its list of files has another form',
      ],
      ['[{"type":"file","path":"a.parquet","size":1}]', 'it gives no hash for a.parquet'],
    ] as const) {
      hub.faults.answer = {
        at: '/tree/',
        status: 200,
        headers: { 'Content-Type': 'application/json' },
        body,
      };
      assert.match(await says('lab/tasks'), new RegExp(`^bad-answer: .*: ${because}\\.`));
    }
  });

  it('to lead anywhere', async () => {
    for (const [location, message] of [
      [
        `${hub.endpoint}/api/datasets/lab/tasks/revision/main`,
        /sent us from one address to the next, 10 times/,
      ],
      ['file:///etc/passwd', /sent us to an address that is not safe to follow/],
    ] as const) {
      hub.faults.answer = { at: '/revision/', status: 302, headers: { location } };
      assert.match(await says('lab/tasks'), message);
    }
  });

  it('to be there', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const settings = await test.settings({ HF_ENDPOINT: `http://127.0.0.1:${port}` });
    const asked = listTaskFiles(
      settings,
      parseHubAddress('lab/tasks', settings.endpoint),
      new AbortController().signal,
    );
    assert.equal(
      await hubErrorOf(asked),
      `unreachable: Nothing answers at 127.0.0.1:${port}. Check the network, or set HF_ENDPOINT to a mirror. ` +
        'What is in the cache already opens with HF_HUB_OFFLINE=1.',
    );
  });

  it('an answer to whoever has cancelled', async () => {
    const reason = new Error('cancelled by the test');
    const asked = listTaskFiles(
      await test.settings(),
      parseHubAddress('lab/tasks', hub.endpoint),
      AbortSignal.abort(reason),
    );
    await assert.rejects(asked, (error) => error === reason);
  });
});

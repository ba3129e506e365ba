import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Socket } from 'node:net';
import { unlessAborted } from '../../../../../src/runtime/docker/engine/abort.ts';
import { connect } from '../../../../../src/runtime/docker/engine/connection.ts';
import { Cancelled } from '../../../../../src/runtime/docker/engine/failures.ts';
import { attach } from '../../../../../src/runtime/docker/run/runContext.ts';
import { StartReader } from '../../../../../src/runtime/docker/container/warmStart.ts';

describe('attaching to a container', () => {
  // An error of a stream that nobody listens to ends the process, and with it the window.
  for (const start of [undefined, new StartReader('mark')])
    it(`survives a connection that breaks when nobody waits for it any more${start ? ', with an input' : ''}`, async () => {
      const engine = createServer((_request, response) => {
        response.end(JSON.stringify({ Version: '1', Os: 'linux', Arch: 'amd64' }));
      });
      engine.on('upgrade', (_request, socket) => {
        socket.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n');
        if (socket instanceof Socket) setTimeout(() => socket.resetAndDestroy());
      });
      engine.listen(0, '127.0.0.1');
      await once(engine, 'listening');
      const address = engine.address();
      assert.ok(typeof address === 'object' && address);
      const place = { env: {}, home: '/', platform: 'linux', readFile: () => undefined } as const;
      const { docker } = await connect({ ...place, setting: `tcp://127.0.0.1:${address.port}` }, undefined);
      const attached = attach(docker.getContainer('one'), start ? { start } : {});
      await assert.rejects(unlessAborted(attached, AbortSignal.abort()), Cancelled);
      const output = await attached;
      await output.ended;
      output.write(Buffer.from('nobody reads this'));
      assert.equal(await output.finish(), '');
      engine.close();
    });
});

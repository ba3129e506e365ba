import assert from 'node:assert/strict';
import { launchOfTests } from '../helpers/launchOfTests.ts';
import { judgeScripted } from '../helpers/scriptedEvidence.ts';

describe('the folder of a runner', () => {
  const folderIn = async (script: readonly string[], trace: readonly string[]): Promise<unknown> => {
    const verdict = await judgeScripted({
      script: [...script, 'echo 1 > /logs/verifier/reward.txt'].join('\n'),
      trace: [...trace, ''].join('\n'),
      reward: '1',
    });
    const launch = launchOfTests(verdict);
    assert.ok(launch);
    return launch.folder;
  };

  it('is not that of a subshell, a pipeline or a background job before it', async () => {
    const script = [
      'cd /app',
      '( cd /elsewhere; ls )',
      '{ cd build; make; } | tee log',
      'cd /tmp &',
      'pytest a.py || exit 1',
    ];
    const ran = ['cd /elsewhere', 'ls', 'cd build', 'tee log', 'make', 'cd /tmp', 'pytest a.py', 'echo 1'];
    const lines = [3, 3, 4, 4, 4, 5, 6, 7];
    const trace = ['+2:0: cd /app', ...ran.map((command, at) => `+${lines[at]}:0: ${command}`)];
    assert.equal(await folderIn(script, trace), '/app');
  });

  it('is that of its own subshell, entered anew each time', async () => {
    const script = ['cd /app', 'for d in a b; do ( cd $d; pytest -q || exit 1 ); done'];
    const trace = [
      ...['+2:0: cd /app', '+3:0: for d in a b', '+3:0: cd a', '+3:0: pytest -q'],
      ...['+3:0: for d in a b', '+3:0: cd b', '+3:0: pytest -q', '+4:0: echo 1'],
    ];
    assert.equal(await folderIn(script, trace), '/app/b');
  });

  it('is that of the shell that called its function', async () => {
    const script = ['go() {', '  pytest -q || exit 1', '}', '( cd /inner; go )'];
    const trace = ['+5:0: cd /inner', '+5:0: go', '+3:0: pytest -q', '+6:0: echo 1'];
    assert.equal(await folderIn(script, trace), '/inner');
  });

  it('is the home folder after a bare cd', async () => {
    const trace = ['+2:0: cd', '+3:0: cd ../work', '+4:0: pytest -q', '+5:0: echo 1'];
    const script = ['cd', 'cd ../work', 'pytest -q || exit 1'];
    assert.equal(await folderIn(script, trace), '~/../work');
    const told = ['HOME=/home/me', ...script];
    const traceTold = ['+2:0: HOME=/home/me', ...trace.map((line, at) => line.replace(/^.\d/, `+${at + 3}`))];
    assert.equal(await folderIn(told, traceTold), '/home/work');
  });
});

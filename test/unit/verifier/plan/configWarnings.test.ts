import assert from 'node:assert/strict';
import { unsupportedParts } from '../../../../src/verifier/plan/configWarnings.ts';
import { tinyTask } from '../../../host/tinyTask.ts';

const SCRIPT = '#!/bin/bash\npip install pytest\n';

describe('notes on a run', () => {
  it('say which steps of a task are not run', () => {
    const task = tinyTask({
      testScript: SCRIPT,
      toml: 'version = "1.1"\n[[steps]]\nname = "first"\n[[steps]]\nname = "second"\n',
    });
    assert.deepEqual(unsupportedParts(task), [
      {
        code: 'not-run-here',
        message:
          "task.toml asks for its 2 steps (first and second), each with tests of its own; Repair Bench does not run this. The verdict is about tests/test.sh in the task's own image, and Harbor may score differently.",
      },
    ]);
  });

  it('say that a verifier has no environment of its own here', () => {
    const task = tinyTask({ testScript: SCRIPT, toml: '[verifier]\nenvironment_mode = "separate"\n' });
    assert.match(
      unsupportedParts(task)[0]?.message ?? '',
      /^task\.toml asks for the separate environment for its verifier; /,
    );
    assert.deepEqual(unsupportedParts(tinyTask({ testScript: SCRIPT })), []);
  });
});

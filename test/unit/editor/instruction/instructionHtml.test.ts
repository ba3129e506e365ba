import assert from 'node:assert/strict';
import { instructionHtml } from '../../../../src/editor/instruction/instructionHtml.ts';
import { inEnglish } from '../../../../src/wording/translate.ts';
import { parseTask } from '../../../../src/task/parseTask.ts';
import type { TaskFile } from '../../../../src/task/task.ts';
import { PANEL_ACTIONS } from '../../../../src/webview/messages.ts';

function page(files: Readonly<Record<string, string>>, id = 'task-1', remoteImages = false): string {
  const all = Object.entries(files).map(([path, text]): [string, TaskFile] => [
    path,
    { path, bytes: Buffer.from(text), mode: 0o644 },
  ]);
  return instructionHtml({
    task: parseTask(id, new Map(all)),
    folder: '/w/"quoted"',
    markdown: '<p>text</p>',
    cspSource: 'https://csp.example',
    nonce: 'abc',
    scriptUri: 'https://csp.example/x.js',
    styleUri: 'https://csp.example/x.css',
    remoteImages,
    language: 'en',
    t: inEnglish,
  });
}

const TASK = {
  'instruction.md': 'Repair it.',
  'environment/Dockerfile': 'FROM python:3.10-slim\nWORKDIR /app\nCOPY solution.py /app/solution.py\n',
  'environment/solution.py': 'x = 1\n',
  'tests/test.sh': '#!/bin/bash\necho 1 > /logs/verifier/reward.txt\n',
  'task.toml': '[verifier]\ntimeout_sec = 720.0\n',
};

describe('the page of the instruction panel', () => {
  it('allows its own script and style and nothing else', () => {
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page(TASK))?.[1];
    assert.equal(
      policy,
      'default-src &#39;none&#39;; img-src data:; style-src https://csp.example; script-src &#39;nonce-abc&#39;;',
    );
    assert.match(page(TASK, 'x', true), /img-src data: https:;/);
    assert.doesNotMatch(page(TASK), / style=| on[a-z]+="/);
  });

  it('has a button for every action, and names files, image and time limit', () => {
    const html = page(TASK);
    for (const action of PANEL_ACTIONS) assert.ok(html.includes(`data-action="${action}"`), action);
    assert.ok(html.includes('data-path="/app/solution.py"'), html);
    assert.ok(html.includes('built from python:3.10-slim'));
    assert.ok(html.includes('verifier 720 s'));
  });

  it('shows what is wrong with a task, located and in words', () => {
    const { 'tests/test.sh': _script, ...rest } = TASK;
    assert.match(page(rest), /<strong>Cannot be verified<\/strong> <code>tests\/test.sh/);
  });

  it('escapes what a task names', () => {
    const html = page(
      { ...TASK, 'task.toml': '[environment]\ndocker_image = "<script>x</script>\\" onclick=1"\n' },
      '<b>"id"',
    );
    assert.doesNotMatch(html, /<script>x|<b>|" onclick/);
    assert.ok(html.includes('data-folder="/w/&quot;quoted&quot;"'));
  });
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import { ChangeEvent } from '../../../src/editor/changeEvent.ts';
import { DisposableStore } from '../../../src/editor/disposableStore.ts';
import { engineNextStep } from '../../../src/editor/engineNextStep.ts';
import { outputText } from '../../../src/editor/outputDocuments.ts';
import { plainLabel } from '../../../src/editor/plainText.ts';
import { hiddenText, spoilerOf } from '../../../src/editor/spoilers.ts';
import { statusText } from '../../../src/editor/statusText.ts';
import { taskAddress, taskUriParts } from '../../../src/editor/taskUri.ts';
import { textChange } from '../../../src/editor/textChange.ts';
import { encodingToOpen, linesOf, readableText } from '../../../src/editor/textEncoding.ts';
import { inEnglish } from '../../../src/wording/translate.ts';
import { workspaceRoot } from '../../../src/editor/workspaceRoot.ts';
import { parseFromPanel, parseToPanel } from '../../../src/webview/messages.ts';
import { ENGINE_ERROR, scored, shown, state } from '../verifier/helpers/smallVerdicts.ts';

describe('a disposable store', () => {
  it('disposes the latest first, and at once what comes too late', () => {
    const log: string[] = [];
    const ending = (name: string) => ({ dispose: () => log.push(name) });
    const store = new DisposableStore();
    store.add(ending('first'));
    const second = store.add(ending('second'));
    store.end(second);
    store.add(ending('third'));
    store.dispose();
    store.add(ending('late'));
    store.dispose();
    assert.deepEqual(log, ['second', 'third', 'first', 'late']);
  });
});

describe('an event', () => {
  it('tells who listens, and nobody who has stopped', () => {
    const heard: number[] = [];
    const event = new ChangeEvent<number>();
    const first = event.on((value) => heard.push(value));
    event.fire(1);
    first.dispose();
    event.fire(2);
    assert.deepEqual(heard, [1]);
  });
});

describe('the smallest change between two texts', () => {
  it('turns one into the other, whatever they are', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n', 'é', '😀', '😁'), maxLength: 12 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const change = textChange(before, after);
        if (!change) return before === after;
        const { start, end, text: inserted } = change;
        assert.ok(start <= end);
        for (const offset of [start, end])
          assert.doesNotMatch(before.slice(offset - 1, offset + 1), /^\r\n$/);
        return before.slice(0, start) + inserted + before.slice(end) === after;
      }),
    );
  });

  it('leaves alone what is the same', () => {
    assert.deepEqual(textChange('one two three', 'one 2 three'), { start: 4, end: 7, text: '2' });
    assert.equal(textChange('same', 'same'), undefined);
  });
});

describe('encodings', () => {
  it('are left to the editor for UTF-8 and for files with a mark', () => {
    for (const bytes of [Buffer.from('é'), Buffer.from([]), Buffer.from([0xff, 0xfe, 0x41, 0])])
      assert.equal(encodingToOpen(bytes), undefined);
  });

  it('map every byte of anything else to a character and back', () => {
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    assert.equal(encodingToOpen(all), 'iso88591');
    assert.deepEqual(Buffer.from(readableText(all), 'latin1'), Buffer.from(all));
    assert.deepEqual(linesOf(Buffer.from('a\r\nb\xe9\rc\n', 'latin1')), ['a', 'bé', 'c', '']);
  });
});

describe('addresses of task files', () => {
  it('lead back to the workspace, whatever its path', () => {
    for (const folder of ['/home/me/.repair-bench/task-1', 'C:\\Users\\Ünä\\x', '/a b/ç#?'])
      assert.deepEqual(taskAddress(taskUriParts(folder, 'set/task.tar.gz', 'tests/test.sh')), {
        folder,
        path: 'tests/test.sh',
      });
    assert.equal(taskAddress(taskUriParts('/f', 'task', ''))?.path, '');
    assert.equal(taskAddress({ scheme: 'repair-bench', authority: 'xyz', path: '/a' }), undefined);
    assert.equal(taskAddress({ scheme: 'file', authority: '', path: '/a' }), undefined);
  });
});

describe('spoilers', () => {
  const kinds: readonly (readonly [string, ReturnType<typeof spoilerOf>])[] = [
    ['instruction.md', undefined],
    ['environment/solution.py', undefined],
    ['task.toml', undefined],
    ['tests/test.sh', 'tests'],
    ['tests/initial/x.c', 'tests'],
    ['tests/fixed/x.c', 'gold'],
    ['solution/solve.sh', 'gold'],
    ['tests/expected.diff', 'expected-diff'],
    ['gold.patch', 'expected-diff'],
  ];
  for (const [path, kind] of kinds)
    it(`${path} is ${kind ?? 'none'}`, () => {
      assert.equal(spoilerOf(path), kind);
    });

  it('are replaced by a note that says how to see them', () => {
    assert.match(hiddenText('tests/test.sh', 'tests'), /^# tests\/test.sh is hidden[^]*Browse Task Files/);
  });
});

describe('the folder of workspaces', () => {
  const home = '/home/me';
  const root = (setting: string, openFolder?: string) => workspaceRoot({ setting, openFolder, home });
  it('is where a person sees it', () => {
    assert.equal(root('', '/project'), join('/project', '.repair-bench'));
    assert.equal(root(''), join(home, 'repair-bench'));
    assert.equal(root('~/tasks'), '/home/me/tasks');
    assert.equal(root('${workspaceFolder}/x', '/project'), '/project/x');
    assert.equal(root('rel', '/project'), join('/project', 'rel'));
    assert.equal(root('/abs', '/project'), '/abs');
  });
});

describe('text of a task', () => {
  it('is no icon where VS Code draws icons', () => {
    for (const text of ['$(alert) x', '$$(sync~spin)', 'a\u202eb$(x)'])
      assert.doesNotMatch(plainLabel(text), /\$\([a-z~-]+\)|\p{Bidi_Control}/u);
    assert.equal(plainLabel('plain (text) $HOME'), 'plain (text) $HOME');
    const hostile = statusText({ ...shown(scored({})), taskId: '$(error) evil' }, inEnglish);
    assert.doesNotMatch(hostile.text.slice(1), /\$\(error\)/);
    assert.match(hostile.spoken, /evil/);
  });
});

describe('the one button of a run that could not take place', () => {
  it('does what helps', () => {
    const step = (reason: string) => {
      const { at: _at, ...rest } = ENGINE_ERROR;
      return engineNextStep({ ...rest, reason }).kind;
    };
    assert.deepEqual(engineNextStep(ENGINE_ERROR), {
      kind: 'open-file',
      file: 'environment/Dockerfile',
      line: 5,
    });
    assert.equal(step('no-engine'), 'use-sandbox');
    assert.equal(step('no-sandbox'), 'open-setting');
    assert.equal(step('disk-full'), 'show-log');
    // An engine without the image is of no use; the sandbox needs none.
    assert.equal(engineNextStep({ ...ENGINE_ERROR, reason: 'image-missing' }, true).kind, 'use-sandbox');
  });
});

describe('the output of a run', () => {
  it('is text without colours, and says what was left out', () => {
    const output = { text: '\u001b[31mFAIL\u001b[0m done', omitted: 12 };
    assert.equal(
      outputText(shown(scored({ output })), inEnglish),
      'Left out of the middle: 12 bytes.\n\nFAIL done',
    );
    assert.match(outputText(shown(ENGINE_ERROR), inEnglish), /could not be built[^]*pip: not found/);
    assert.equal(outputText(state(), inEnglish), 'Nothing has run yet.');
  });

  it('is read once, whatever escape sequences are left open in it', () => {
    // Looking from each of these to the end would take minutes.
    const text = '\u001b]0;'.repeat(300_000) + 'end \u001b]0;title\u0007shown';
    const plain = outputText(shown(scored({ output: { text, omitted: 0 } })), inEnglish);
    assert.ok(plain.endsWith('end shown'));
  });
});

describe('messages of the panel', () => {
  it('are refused unless they are exactly what is known', () => {
    assert.deepEqual(parseFromPanel({ type: 'action', action: 'verify', more: 1 }), {
      type: 'action',
      action: 'verify',
    });
    assert.deepEqual(parseFromPanel({ type: 'ready' }), { type: 'ready' });
    for (const odd of [
      null,
      1,
      'ready',
      {},
      { type: 'action' },
      { type: 'action', action: 'rm' },
      { type: 'openFile' },
    ])
      assert.equal(parseFromPanel(odd), undefined);
    const good = { type: 'state', state: { tone: 'passed', words: 'x', busy: false } };
    assert.deepEqual(parseToPanel(good), good);
    for (const odd of [
      null,
      {},
      { type: 'state' },
      { type: 'state', state: { tone: 'odd', words: 'x', busy: true } },
    ])
      assert.equal(parseToPanel(odd), undefined);
  });
});

// What may be set and chosen is named by values below the front ends, and by a real name in each of them.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { COMMANDS, isCommand } from '../../src/cli/commands.ts';
import { remedyWords as cliWords } from '../../src/cli/failures/remedyWords.ts';
import { remedyWords as editorWords } from '../../src/editor/platform/remedyWords.ts';
import { inEnglish } from '../../src/wording/translate.ts';
import { byChoice, bySetting } from '../../src/fault/remedy.ts';
import { choiceNameSchema, settingNameSchema } from '../../src/fault/remedySchema.ts';
import { ROOT } from '../host/root.ts';

const SOURCES = join(ROOT, 'src');
const FRONT_ENDS = /^(editor|cli)[\\/]|^extension\.ts$/;
const OPTIONS = new Set(Object.values(COMMANDS).flatMap(({ options }) => Object.keys(options)));
/** Options of ours that programs of others have as well, in modules that start those. */
const OF_OTHERS = new Set(['help', 'timeout']);

/** Every text in the source: string literals and the fixed parts of templates. */
function textsIn(source: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      texts.push(node.text);
    node.forEachChild(visit);
  };
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest));
  return texts;
}

function namesSetting(text: string): boolean {
  return /\brepairBench\./.test(text);
}

function namesOption(text: string): boolean {
  return [...text.matchAll(/(?<![\w-])--([a-z][a-z-]*)/g)].some(
    ([, name = '']) => OPTIONS.has(name) && !OF_OTHERS.has(name),
  );
}

describe('what may be set', () => {
  const manifest = readFileSync(join(ROOT, 'package.json'), 'utf8');

  for (const name of settingNameSchema.options)
    it(`${name} is a setting of the extension, and an option or a variable of the command line`, () => {
      assert.ok(manifest.includes(`"repairBench.${name}": {`));
      assert.ok(editorWords([bySetting(name, 'do it')], inEnglish).includes(`repairBench.${name}`));
      const words = Object.keys(COMMANDS)
        .filter(isCommand)
        .map((command) => cliWords([bySetting(name, 'do it')], command));
      assert.ok(words.some((text) => /--[a-z]|DOCKER_HOST/.test(text)));
    });

  for (const name of choiceNameSchema.options)
    it(`${name} is worded by both front ends`, () => {
      assert.notEqual(editorWords([byChoice(name, 'do it')], inEnglish), 'Do it.');
      const words = Object.keys(COMMANDS)
        .filter(isCommand)
        .map((command) => cliWords([byChoice(name, 'do it')], command));
      assert.ok(words.some((text) => /--[a-z]/.test(text)));
    });
});

describe('below the front ends', () => {
  const modules = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !FRONT_ENDS.test(path),
  );
  const sources = modules.map((path) => [path, readFileSync(join(SOURCES, path), 'utf8')] as const);
  // Only a source that has such a name anywhere is worth being parsed.
  const offenders = (isOne: (text: string) => boolean): string[] =>
    sources.flatMap(([path, source]) =>
      isOne(source) ? textsIn(source).flatMap((text) => (isOne(text) ? [`${path}: ${text}`] : [])) : [],
    );

  it('no text names a setting of VS Code', () => {
    assert.deepEqual(offenders(namesSetting), []);
  });

  it('no text names an option of the command line', () => {
    assert.deepEqual(offenders(namesOption), []);
  });

  it('such names would be found', () => {
    assert.ok(modules.length > 200);
    assert.ok(textsIn('throw f(`a ${x} b`, "c");').every((text) => ['a ', ' b', 'c'].includes(text)));
    assert.ok(namesSetting('in the setting repairBench.images'));
    assert.ok(!namesSetting('RepairBenchError'));
    assert.ok(namesOption('replace it with --force.') && namesOption('--image-map A=B'));
    assert.ok(!namesOption('--forceful') && !namesOption('x--force') && !namesOption('bwrap --unshare-all'));
  });
});

import assert from 'node:assert/strict';
import {
  byChoice,
  byCommand,
  bySetting,
  inWords,
  joinRemedies,
  type Remedy,
} from '../../../src/fault/remedy.ts';
import { remediesSchema } from '../../../src/fault/remedySchema.ts';
import { faultOf, RepairBenchError } from '../../../src/fault/repairBenchError.ts';

class Trouble extends RepairBenchError<'broken'> {
  override readonly name = 'Trouble';
}

const EVERY_KIND: readonly Remedy[] = [
  inWords('Check the name.'),
  bySetting('images', 'map the image to a mirror'),
  bySetting('runtime', 'use the sandbox', { value: 'sandbox', note: 'It needs no image.' }),
  byCommand('docker system prune', 'remove what nothing uses', 'It asks first.'),
  byChoice('replace', 'replace it'),
];

describe('remedies', () => {
  it('are joined as ways out: the first as a sentence, the others as what else there is', () => {
    const text = (remedies: readonly Remedy[]) =>
      joinRemedies(remedies, ({ kind, to }) => `${to} (${kind}).`);
    assert.equal(
      text(EVERY_KIND),
      'Check the name. Or map the image to a mirror (setting). Or use the sandbox (setting). It needs no image. ' +
        'Or remove what nothing uses (command). It asks first. Or replace it (choice).',
    );
    assert.equal(text([byChoice('replace', 'replace it')]), 'Replace it (choice).');
    assert.equal(text([]), '');
  });

  it('leave words as they are', () => {
    const text = joinRemedies([inWords('task.toml forbids it.'), inWords('Or HF_TOKEN helps.')], () => '?');
    assert.equal(text, 'task.toml forbids it. Or HF_TOKEN helps.');
  });

  it('of every kind can be stored and read again', () => {
    assert.deepEqual(remediesSchema.parse(JSON.parse(JSON.stringify(EVERY_KIND))), EVERY_KIND);
    assert.ok(!remediesSchema.safeParse([{ kind: 'setting', name: 'colour', to: 'paint it' }]).success);
  });
});

describe('an error', () => {
  it('says what happened and what helps, in whatever form that was given', () => {
    const because = new Error('inner');
    const error = new Trouble('broken', 'It broke.', 'Mend it.', { cause: because });
    assert.deepEqual(
      [error.code, error.name, error.message, error.remedies, error.cause],
      ['broken', 'Trouble', 'It broke.', [inWords('Mend it.')], because],
    );
    const remedy = byChoice('replace', 'replace it');
    assert.deepEqual(new Trouble('broken', 'It broke.', remedy).remedies, [remedy]);
    assert.deepEqual(new Trouble('broken', 'It broke.', EVERY_KIND).remedies, EVERY_KIND);
  });

  it('is a fault, also when its class is that of another bundle', () => {
    const remedies = [inWords('Mend it.')];
    const fault = { message: 'It broke.', remedies };
    assert.deepEqual(faultOf(new Trouble('broken', 'It broke.', remedies)), fault);
    assert.deepEqual(faultOf(Object.assign(new Error('It broke.'), { code: 'broken', remedies })), fault);
  });

  it('of any other kind has no remedies', () => {
    assert.deepEqual(faultOf(new Error('It broke.')), { message: 'It broke.', remedies: [] });
    assert.deepEqual(faultOf('text'), { message: 'text', remedies: [] });
  });
});

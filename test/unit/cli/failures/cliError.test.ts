import assert from 'node:assert/strict';
import { CliError, reportOf } from '../../../../src/cli/failures/cliError.ts';
import { DatasetError } from '../../../../src/dataset/datasetError.ts';
import { HubError } from '../../../../src/dataset/hub/hubError.ts';
import { byChoice, bySetting, inWords } from '../../../../src/fault/remedy.ts';
import { GoldError } from '../../../../src/gold/goldError.ts';
import { TaskArchiveError } from '../../../../src/task/archive/archiveError.ts';
import { WorkspaceError } from '../../../../src/workspace/workspaceError.ts';

describe('an error on the command line', () => {
  const cases: readonly (readonly [Error, string])[] = [
    [new DatasetError('no-such-row', 'No row.', 'Choose one.'), '2 no-such-row: No row. Choose one.'],
    [new DatasetError('disk-full', 'Full.', 'Make room.'), '2 disk-full: Full. Make room.'],
    [new WorkspaceError('damaged', '/w', 'Damaged.', 'Open it.'), '2 damaged: Damaged. Open it.'],
    // The message of an archive is not cut up, however many sentences it has.
    [new TaskArchiveError('empty', 'One. Two.', 'Three. Four.'), '2 empty: One. Two. Three. Four.'],
    [new HubError('gated', 'Gated.', 'Ask for it.'), '2 gated: Gated. Ask for it.'],
    [new HubError('disk-full', 'Full.', 'Make room.'), '4 disk-full: Full. Make room.'],
    [new GoldError('edited', 'Edited.', 'Save it.'), '2 edited: Edited. Save it.'],
    [new GoldError('not-solved', 'No.', 'Solve it.'), '1 not-solved: No. Solve it.'],
    [new GoldError('unscored', 'None.', 'Mend it.'), '3 unscored: None. Mend it.'],
    [
      new GoldError('engine-error', 'No image.', [inWords('Check it.'), bySetting('images', 'map it')]),
      '4 engine-error: No image. Check it. Or map it with --image-map A=B.',
    ],
    [
      new GoldError('occupied', 'There.', [inWords('Move it away.'), byChoice('replace', 'replace it')]),
      '2 occupied: There. Move it away. Or replace it with --force.',
    ],
    [new CliError('no-engine', 'None.', 'Start one.', 4), '4 no-engine: None. Start one.'],
    [
      new Error('Odd.'),
      '4 unexpected: Something unexpected went wrong: Odd. Run it again with REPAIR_BENCH_DEBUG=1 and report what it prints.',
    ],
  ];
  for (const [error, says] of cases)
    it(says, () => {
      const { code, message, nextStep, exitCode } = reportOf(error, 'gold save');
      assert.equal(`${exitCode} ${code}: ${message} ${nextStep}`, says);
    });
});

/** What a hover on a failing line of the solution shows: the gate's evidence as plain text in a code block. */
import type * as vscode from 'vscode';
import type { FailingPlace } from './failingPlaces.ts';
import { failuresNow } from './goToFailure.ts';
import type { OpenTasks } from '../task/openTasks.ts';
import { plainOutput } from '../platform/text/plainText.ts';
import { joined } from '../../wording/joinWords.ts';
import { shortened } from '../../wording/shortened.ts';
import type { Translate } from '../../wording/translate.ts';

const MOST_LINES = 20;
const MOST_CHARACTERS = 2000;

/** Registers the hovers of all files of solutions. */
export function registerFailureHovers(api: typeof vscode, tasks: OpenTasks): vscode.Disposable {
  return api.languages.registerHoverProvider(
    { scheme: 'file' },
    {
      async provideHover(document, position) {
        const file = await tasks.solutionFileAt(document.uri);
        if (!file) return undefined;
        const here = failuresNow(file.task).filter(
          ({ place }) =>
            place.in === 'solution' && place.path === file.path && place.line === position.line + 1,
        );
        if (here.length === 0) return undefined;
        const contents = here.map((failure) => {
          // Neither trusted nor HTML; text of the task stands in code blocks only, where nothing becomes a link.
          const markdown = new api.MarkdownString();
          markdown.appendText(hoverHeading(failure, api.l10n.t));
          markdown.appendCodeblock(hoverText(failure, api.l10n.t), 'text');
          return markdown;
        });
        return new api.Hover(contents, document.lineAt(position.line).range);
      },
    },
  );
}

/** The first line; it quotes nothing of the task. */
export function hoverHeading({ gateLine, testCase }: FailingPlace, t: Translate): string {
  const what = testCase === undefined ? t('A gate failed here') : t('A test failed here');
  return gateLine === undefined ? what : t('{0} (line {1} of test.sh)', what, gateLine);
}

/** Title, message, compared values and the runner's output, bounded. */
export function hoverText({ gate, testCase, message, compared, detail }: FailingPlace, t: Translate): string {
  const lines = detail === '' ? [] : detail.split('\n');
  const parts = [
    joined([gate, testCase]),
    message,
    ...(compared ? [t('expected: {0}', compared.expected), t('actual: {0}', compared.actual)] : []),
    ...(lines.length > 0 ? [''] : []),
    ...lines.slice(0, MOST_LINES),
    ...(lines.length > MOST_LINES ? ['…'] : []),
  ];
  return shortened(plainOutput(parts.join('\n')), MOST_CHARACTERS);
}

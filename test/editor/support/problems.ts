// The problems of a file, as text that a test can hold against another.
import * as vscode from 'vscode';
import { until } from './until.ts';

/** One line each with its related places, in order. */
export function problemsText(uri: vscode.Uri): string {
  return vscode.languages
    .getDiagnostics(uri)
    .map(({ severity, range, message, source, code, relatedInformation }) => {
      const at = `${range.start.line + 1}:${range.start.character + 1}`;
      const kind = vscode.DiagnosticSeverity[severity];
      const related = (relatedInformation ?? []).map(
        ({ location, message: said }) =>
          `\n  ${location.uri.scheme}:${location.uri.path.replace(/^.*?\/(work|tests|environment)\//, '$1/')}:${location.range.start.line + 1} ${said}`,
      );
      return `${kind} ${at} [${source} ${String(code)}] ${message}${related.join('')}`;
    })
    .join('\n');
}

/** Waits until the problems of a file, as {@link problemsText} gives them, are as wanted. */
export async function untilProblems(
  what: string,
  uri: vscode.Uri,
  areWanted: (text: string) => boolean,
): Promise<void> {
  await until(what, () => areWanted(problemsText(uri))).catch((error: unknown) => {
    throw new Error(`Not so: ${what}. The problems are:\n${problemsText(uri)}`, { cause: error });
  });
}

/** The output of a command: lines for a person, one JSON document, and progress. */
import type { AnyDocument } from '../documents/jsonDocuments.ts';
import type { TerminalStyle } from './terminalStyle.ts';
import type { Progress } from './progress.ts';

export interface Console {
  /** Whether one JSON document is wanted in place of lines. */
  readonly json: boolean;
  readonly style: TerminalStyle;
  readonly progress: Progress;
  /** Lines on stdout; nothing once its reader has gone. */
  print(lines: readonly string[]): void;
  /** The document on stdout. */
  printJson(document: AnyDocument): void;
  /** Lines on stderr, for what is not the answer. */
  note(lines: readonly string[]): void;
}

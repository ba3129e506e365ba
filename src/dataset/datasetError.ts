/** The one error that opening, reading and writing datasets throws, apart from an aborted signal. */

export type DatasetErrorCode =
  | 'not-found'
  | 'permission-denied'
  | 'empty-file'
  | 'lfs-pointer'
  | 'not-a-dataset'
  | 'no-tasks'
  | 'truncated'
  | 'corrupt'
  | 'encrypted'
  | 'missing-column'
  | 'wrong-column-type'
  | 'null-cell'
  | 'too-large'
  | 'unsupported'
  | 'no-such-row'
  | 'closed'
  | 'read-failed'
  | 'target-exists'
  | 'target-is-source'
  | 'unsupported-target'
  | 'disk-full'
  | 'read-only'
  | 'write-failed';

/** What went wrong, with which file, row or column (`message`), and what to do about it (`nextStep`). */
export class DatasetError extends Error {
  readonly code: DatasetErrorCode;
  /** One sentence that a person can act on, such as "Run git lfs pull in this folder." */
  readonly nextStep: string;

  constructor(code: DatasetErrorCode, message: string, nextStep: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatasetError';
    this.code = code;
    this.nextStep = nextStep;
  }
}

/** The one error that opening, reading and writing datasets throws, apart from an aborted signal. */
import { RepairBenchError } from '../fault/repairBenchError.ts';

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

/** What went wrong, with which file, row or column. */
export class DatasetError extends RepairBenchError<DatasetErrorCode> {
  override readonly name = 'DatasetError';
}

/** Problems of a task that parsing finds, in words for a person. */

/** Something wrong with a task, where, and what to do about it. `blocking` means that it cannot be verified. */
export interface TaskProblem {
  readonly code:
    | 'no-instruction'
    | 'no-test-script'
    | 'no-dockerfile'
    | 'bad-toml'
    | 'bad-config'
    | 'bad-dockerfile'
    | 'copy-missing'
    | 'crlf-test-script'
    | 'no-shebang'
    | 'no-solution-file'
    | 'bad-metadata';
  readonly severity: 'blocking' | 'warning';
  /** The task file concerned, such as `environment/Dockerfile`. */
  readonly file: string;
  /** 1-based, when known. */
  readonly line?: number;
  readonly column?: number;
  /** What happened, why it matters and what to do next, in one or two sentences. */
  readonly message: string;
}

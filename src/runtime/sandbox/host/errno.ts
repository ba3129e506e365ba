/** Errors of the host's file system, told apart by their codes. */

/** Whether an error of the file system has one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/** What a task is called where there is little room. */

/** A row's path without the ending that tells nothing. */
export function shortId(taskId: string): string {
  return taskId.replace(/\.(tar\.gz|tgz|tar)$/i, '');
}

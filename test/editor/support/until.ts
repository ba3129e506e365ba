// Waiting inside VS Code, for less long than a test may take.
import * as host from '../../host/until.ts';

const PATIENCE_MS = 40_000;

/** Waits until `condition` gives something true, and gives that. @throws Error that says what was waited for. */
export function until<T>(what: string, condition: () => T | Promise<T>): Promise<NonNullable<T>> {
  return host.until(what, condition, PATIENCE_MS);
}

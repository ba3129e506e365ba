/** How long ago something was, as people say it. Pure. */
import type { Translate } from '../../../wording/translate.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Another machine's clock may be this many milliseconds ahead. */
const SLACK = MINUTE;

/** `at` is ISO 8601. A time in the future, as after a clock was set back, and one long ago become a date. */
export function relativeTime(at: string, now: Date, t: Translate): string {
  const ago = now.getTime() - Date.parse(at);
  if (Number.isNaN(ago)) return at;
  if (ago < -SLACK || ago >= 7 * DAY)
    return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  if (ago < MINUTE) return t('just now');
  if (ago < HOUR) return t('{0} min ago', Math.floor(ago / MINUTE));
  if (ago < DAY) return t('{0} h ago', Math.floor(ago / HOUR));
  return ago < 2 * DAY ? t('1 day ago') : t('{0} days ago', Math.floor(ago / DAY));
}

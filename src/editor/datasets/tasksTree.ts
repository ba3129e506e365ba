/** The rows of one dataset that the Tasks view shows: a page at a time, filtered when asked. Pure. */
import { markAppearance, type RowMark } from './taskMark.ts';
import { joined } from '../../wording/joinWords.ts';
import type { Translate } from '../../wording/translate.ts';

export const PAGE_ROWS = 200;

/** The part of `PathList` that is used here. */
export interface Paths {
  readonly length: number;
  pathAt(row: number): string;
  /** The first `limit` rows whose path holds `text`. */
  find(text: string, limit: number): readonly number[];
}

export interface RowPage {
  readonly rows: readonly { readonly row: number; readonly path: string }[];
  /** How many more there are; `undefined`: more, but not counted. */
  readonly more: { readonly count: number | undefined } | undefined;
}

/** The first `shown` rows that match `filter`. It reads no more of a large dataset than it must. */
export function rowPage(paths: Paths, filter: string, shown: number): RowPage {
  if (filter === '') {
    const end = Math.min(shown, paths.length);
    const rows = Array.from({ length: end }, (_, row) => ({ row, path: paths.pathAt(row) }));
    const left = paths.length - end;
    return { rows, more: left > 0 ? { count: left } : undefined };
  }
  const found = paths.find(filter, shown + 1);
  return {
    rows: found.slice(0, shown).map((row) => ({ row, path: paths.pathAt(row) })),
    more: found.length > shown ? { count: undefined } : undefined,
  };
}

export interface RowAppearance {
  readonly label: string;
  readonly description: string;
  readonly spoken: string;
  readonly icon: string;
  readonly color: string | undefined;
}

/** How a row is drawn. Paths repeat in real datasets, so the row's number is always shown. */
export function rowAppearance(row: number, path: string, mark: RowMark, t: Translate): RowAppearance {
  const { icon, color, words, spoken } = markAppearance(mark, t);
  const label = path === '' ? t('(no path)') : path;
  const gold = mark.goldFix === true;
  return {
    label,
    description: joined([words, gold ? t('gold fix') : '', `#${row}`]),
    spoken: t('{0}, {1}, row {2}', label, gold ? t('{0}, has a gold fix', spoken) : spoken, row),
    icon,
    color,
  };
}

/** The label of the node that shows the next page. */
export function moreLabel(more: NonNullable<RowPage['more']>, t: Translate): string {
  if (more.count === undefined) return t('Show next {0} matches…', PAGE_ROWS);
  const next = Math.min(PAGE_ROWS, more.count);
  return more.count > next ? t('Show next {0} of {1}…', next, more.count) : t('Show last {0}…', next);
}

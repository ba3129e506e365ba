import { inEnglish, type Translate } from './translate.ts';

/** Bytes as a person reads them, in decimal units as the hub's pages have them: `812 bytes`, `12.3 MB`. */
export function bytesText(bytes: number, t: Translate = inEnglish): string {
  if (bytes < 1000) return bytes === 1 ? t('1 byte') : t('{0} bytes', bytes);
  let value = bytes;
  let unit = '';
  for (const next of ['kB', 'MB', 'GB', 'TB', 'PB']) {
    // 999.95 would be written as 1000.0.
    if (unit !== '' && value < 999.95) break;
    value /= 1000;
    unit = next;
  }
  return `${value.toFixed(1)} ${unit}`;
}

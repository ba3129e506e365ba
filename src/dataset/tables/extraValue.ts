/** Makes the values of extra columns plain and short enough to show. */
import { bytesText } from '../../wording/bytesText.ts';
import { shortened } from '../../wording/shortened.ts';
import type { ExtraValue } from '../dataset.ts';

const MAX_TEXT = 2000;
const MAX_ITEMS = 100;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Any decoded value as one that can be shown. Text is cut, bytes that are not text are only counted. */
export function extraValue(value: unknown): ExtraValue {
  switch (typeof value) {
    case 'boolean':
    case 'number':
      return value;
    case 'string':
      return cut(value);
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
    case 'object':
      return extraObject(value);
    case 'undefined':
    case 'function':
    case 'symbol':
      return null;
  }
}

/** What stands in the place of a value that cannot be shown. */
export function notShown(because: string): string {
  return `(not shown: ${because})`;
}

function extraObject(value: object | null): ExtraValue {
  if (value === null) return null;
  if (value instanceof Uint8Array) return extraBytes(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid date' : value.toISOString();
  if (Array.isArray(value)) {
    const shown = value.slice(0, MAX_ITEMS).map(extraValue);
    return value.length > MAX_ITEMS ? [...shown, `… (${value.length} values)`] : shown;
  }
  if (Symbol.iterator in value && !('toJSON' in value)) return notShown('unknown kind of value');
  const json = JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'bigint' || inner instanceof Uint8Array ? extraValue(inner) : inner,
  );
  return cut(json);
}

function extraBytes(bytes: Uint8Array): string {
  if (bytes.length <= 4 * MAX_TEXT) {
    try {
      const text = strictUtf8.decode(bytes);
      if (!/[\u0000-\u0008\u000e-\u001f]/.test(text)) return cut(text);
    } catch {
      // Not text: counted below.
    }
  }
  return `(${bytesText(bytes.length)})`;
}

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${shortened(text, MAX_TEXT)} (${text.length} characters)`;
}

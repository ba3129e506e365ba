import fc from 'fast-check';

/** Any text, and what has made trouble before. Lone surrogates stand for bytes that are not UTF-8. */
export const segment = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 12, unit: 'binary' }),
    fc.constantFrom(
      'aux.c',
      'NUL',
      'con',
      'com1.txt',
      'a:b',
      'a.',
      'a ',
      '%41',
      '100%',
      'a\\b',
      '*',
      'caf\udce9.c',
      '..a',
      '…',
    ),
    fc.constantFrom('.', '..', '...', 'CON .txt', 'COM¹', '%2F', '%2f', '\u0001', '~', 'C:', ' '),
  )
  .filter((text) => !text.includes('/'));

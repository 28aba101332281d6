import fc, { type Arbitrary, type StringConstraints } from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 };

/**
 * Any character of Unicode, printable ones of ASCII more often than others. The unit `binary` of fast-check has the same
 * ones, and makes a table of all of them (over a second) for each property that draws from it.
 */
const anyCharacter: Arbitrary<string> = fc
  .oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0, max: 0x10ffff - SURROGATES.count }))
  .map(
    (it) => String.fromCodePoint(it < SURROGATES.from ? it : it + SURROGATES.count),
    (text) => {
      const code = typeof text === 'string' ? text.codePointAt(0) : undefined;
      if (code === undefined || text !== String.fromCodePoint(code)) throw new Error('not one character');
      return code < SURROGATES.from ? code : code - SURROGATES.count;
    },
  );

/** Any text without halves of a character. */
export const anyText = (constraints: Omit<StringConstraints, 'unit'> = {}): Arbitrary<string> =>
  fc.string({ ...constraints, unit: anyCharacter });

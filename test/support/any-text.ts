import fc, { type Arbitrary, type StringConstraints } from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 };
const LATIN_1 = 0xff;
const BASIC_PLANE = 0xffff - SURROGATES.count;
const UNICODE = 0x10ffff - SURROGATES.count;

/**
 * Any character of Unicode, a third each from Latin-1, the basic plane and all of them. The unit `binary` of fast-check has
 * the same ones, nine of ten beyond the basic plane, and makes a table of all of them (over a second) for each property that
 * draws from it.
 */
const anyCharacter: Arbitrary<string> = fc
  .oneof(...[LATIN_1, BASIC_PLANE, UNICODE].map((max) => fc.integer({ min: 0, max })))
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

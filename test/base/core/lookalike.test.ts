import { expect, it } from 'vitest';
import { lookalikeIn } from '../../../src/base/core/visible-text.ts';

it.each([
  ['10.0.0.0/16\u00a0', 'a no-break space (U+00A0)', '10.0.0.0/16 '],
  ['51840–51850', 'an en dash (U+2013)', '51840-51850'],
  ['ro\u200bme', 'a zero-width space (U+200B)', 'rome'],
  ['“1.2”', 'a typographic quotation mark (U+201C)', '"1.2"'],
  ['１０.2.0.0/16', 'a full-width character (U+FF11)', '10.2.0.0/16'],
  ['podCIDR：10.2.0.0/16', 'a full-width colon (U+FF1A)', 'podCIDR: 10.2.0.0/16'],
])('names what is in %j, and what was meant', (text, name, meant) => {
  expect(lookalikeIn(text)).toEqual({ name, meant });
});

it('finds none in ASCII, nor in the letters of other languages', () => {
  expect(['rome-1: "a"', 'Zürich', 'ローマ', 'Рим'].map(lookalikeIn)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

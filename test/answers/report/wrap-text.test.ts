import { expect, it } from 'vitest';
import { wrapText } from '../../../src/answers/report/layout.ts';

it.each([
  ['', 10, ['']],
  ['one two', 10, ['one two']],
  ['one two three four', 10, ['one two', '  three', '  four']],
  ['one two-that-is-long three', 10, ['one', '  two-that-is-long', '  three']],
  ['two-that-is-long', 10, ['two-that-is-long']],
])('wraps %j at %i', (text, cells, lines) => {
  expect(wrapText(text, cells)).toEqual(lines);
});

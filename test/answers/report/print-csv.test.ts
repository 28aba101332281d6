import { expect, it } from 'vitest';
import { printCsv } from '../../../src/answers/report/layout.ts';

it.each([
  ['plain', 'plain'],
  ['', ''],
  ['a, b', '"a, b"'],
  ['a "b"', '"a ""b"""'],
  ['=HYPERLINK("http://x")', '"\'=HYPERLINK(""http://x"")"'],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＝1', "'＝1"],
  ['\t=1', '␉=1'],
  ['two\r\nlines', 'two␍␊lines'],
])('prints the cell %j', (text, cell) => {
  expect(printCsv([[text, 'x']])).toBe(`${cell},x\r\n`);
});

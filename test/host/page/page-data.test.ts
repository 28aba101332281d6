import { expect, it } from 'vitest';
import { type PageData, pageWith } from '../../../src/host/page/page-data.ts';
import { HOSTILE } from '../../support/hostile-text.ts';

const TEMPLATE = '<p>before</p><script type="application/json" id="fleet"></script><p>$& $1 after</p>';

const dataWith = (text: string): PageData => ({
  weft: '9.9.9',
  sources: { topology: { path: text, text }, keys: undefined, lock: undefined },
  out: text,
  base: { name: text, sources: { topology: { path: 'a.yaml', text }, keys: undefined, lock: undefined } },
  drift: null,
});

const TEXTS = [
  ...Object.values(HOSTILE),
  '</script><script>alert(1)</script>',
  '</SCRIPT >',
  '<!--<script>',
  ']]>',
  '$& $` $1',
  '\\u003c',
];

it.each(TEXTS)('holds %j as data', (text) => {
  const page = pageWith(TEMPLATE, dataWith(text));
  const [, inside = ''] = /^<p>before<\/p><script [^>]*>(.*)<\/script><p>\$& \$1 after<\/p>$/s.exec(page) ?? [];
  expect(inside).not.toMatch(/[<>&\u2028\u2029]/);
  expect(JSON.parse(inside)).toEqual(JSON.parse(JSON.stringify(dataWith(text))));
});

it('is not made from another file', () => {
  expect(() => pageWith('<p></p>', dataWith('x'))).toThrow('the page has no place for a fleet');
});

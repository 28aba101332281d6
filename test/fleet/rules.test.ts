import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const SRC = new URL('../../src/fleet/', import.meta.url);
const TEST = new URL('./', import.meta.url);

/** Files of rules, `topology/rules/networks`, with the rules that each exports. */
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((it) => /^\w+\/rules\/.*\.ts$/.test(it))
  .map((it) => ({ file: it.slice(0, -'.ts'.length), text: readFileSync(new URL(it, SRC), 'utf8') }))
  .map(({ file, text }) => ({ file, rules: [...text.matchAll(/^export const (\w+): \w+Rule\b/gm)].map((it) => it[1]) }))
  .filter(({ rules }) => rules.length > 0);

it('are all found', () => {
  expect(new Set(files.map(({ file }) => file.split('/')[0]))).toEqual(
    new Set(['boundaries', 'ipam', 'model', 'sharing', 'topology']),
  );
  expect(files.flatMap(({ rules }) => rules).length).toBeGreaterThan(60);
});

it.each(files)('every rule of $file has a table of examples in the test of its name', ({ file, rules }) => {
  const test = new URL(`${file}.test.ts`, TEST);
  const text = existsSync(test) ? readFileSync(test, 'utf8') : '';
  expect(rules.filter((it) => !new RegExp(`^  ${it}: \\[$|^  ${it}: \\[\\{`, 'm').test(text))).toEqual([]);
});

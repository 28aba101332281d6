import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { RELEASE_LINES } from '../../src/base/releases/release.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const read = (path: string): string => readFileSync(`${ROOT}/${path}`, 'utf8');

/** Pages whose promises each name their tests. */
const PAGES = ['docs/stability.md', '.github/SECURITY.md'];

const page = read('docs/stability.md');

it.each(PAGES)('each promise of %s names tests, which exist', (path) => {
  const rows = [...read(path).matchAll(/^\| (?!promise|---).* \|$/gm)].map(([row]) => row);
  const testsOf = (row: string): readonly string[] => [...row.matchAll(/`(test\/[\w./-]+)`/g)].map(([, it = '']) => it);
  expect(rows.length).toBeGreaterThan(8);
  expect(rows.filter((row) => testsOf(row).length === 0 && !/^\| (\||weft )/.test(row))).toEqual([]);
  expect(rows.flatMap(testsOf).filter((it) => !existsSync(`${ROOT}/${it}`))).toEqual([]);
});

it('Node is tested in the releases that the page names, from the oldest that the package accepts', () => {
  const tested: readonly string[] = parse(read('.github/workflows/ci.yml')).jobs.test.strategy.matrix.node;
  const [, oldest, list = ''] =
    /^\| Node \| ([\d.]+) and newer; every push is tested with ([^.]+\.[^.]+)\. /m.exec(page) ?? [];
  expect(JSON.parse(read('package.json')).engines.node).toBe(`>=${oldest}`);
  expect(list.split(/, | and /)).toEqual(tested);
  expect(tested[0]).toBe(oldest);
});

it('Liqo is supported in the releases that the page names', () => {
  const [, list = ''] = /^\| Liqo \| ([^,]+(?:, [\d.]+)* and [\d.]+), /m.exec(page) ?? [];
  expect(list.split(/, | and /)).toEqual(RELEASE_LINES);
});

it('a bug is reported with the version, the topology, the commands and what was expected', () => {
  const { body } = parse(read('.github/ISSUE_TEMPLATE/bug.yml'));
  const fields = body.filter((it: { readonly type: string }) => it.type !== 'markdown');
  const ids = (of: readonly { readonly id: string }[]): readonly string[] => of.map((it) => it.id);
  expect(new Set(ids(fields)).size).toBe(fields.length);
  expect(
    ids(fields.filter((it: { readonly validations?: { readonly required: boolean } }) => it.validations?.required)),
  ).toEqual([...['version', 'topology', 'commands', 'expected']]);
});

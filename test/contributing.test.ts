import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const ROOT = new URL('../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

const guide = read('CONTRIBUTING.md');

it('the guide names only files and folders that exist', () => {
  const paths = [...guide.matchAll(/(?<![./\w])(?:src|test|schemas|\.ci)\/[\w./-]*\w\/?/g)].map(([path]) => path);
  const meant = paths.filter((it) => !/[A-Z]{4}/.test(it));
  expect(meant.length).toBeGreaterThan(20);
  expect(meant.filter((it) => !existsSync(new URL(it, ROOT)))).toEqual([]);
});

it('the guide names only files that exist by their names, too', () => {
  const folders = ['src/', 'test/'].flatMap((it) =>
    readdirSync(new URL(it, ROOT), { recursive: true, encoding: 'utf8' }),
  );
  const names = new Set(folders.map((it) => it.replace(/^.*\//, '')));
  const named = [...guide.matchAll(/`([\w.-]+\.ts)`/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((it) => !names.has(it))).toEqual([]);
});

it('the guide has a row for every folder of tests that is no room', () => {
  const folders = readdirSync(new URL('test/', ROOT), { withFileTypes: true }).filter((it) => it.isDirectory());
  const others = folders.map((it) => it.name).filter((it) => !existsSync(new URL(`src/${it}/`, ROOT)));
  expect(others.filter((it) => !guide.includes(`| \`test/${it}/`))).toEqual([]);
});

it('the guide names only commands that exist', () => {
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
  const named = [...guide.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((it) => scripts[it] === undefined)).toEqual([]);
});

it('the guide names every variable that tests read', () => {
  for (const it of ['UPDATE_GOLDEN', 'LAW_SEED', 'LAW_RUNS']) expect(guide).toContain(it);
});

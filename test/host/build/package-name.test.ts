import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../../..', import.meta.url).pathname;
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { name, version } = JSON.parse(read('package.json'));

/** Everything that a user reads, and everything that weft prints or writes. */
const texts = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'action.yml'],
  ...readdirSync(join(ROOT, 'docs')).map((it) => `docs/${it}`),
  ...readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((it) => /\.(ts|hbs|md)$/.test(it))
    .map((it) => `src/${it}`),
];

describe('the package name', () => {
  it('is liqo-weft, also in the lock file of npm', () => {
    const lock = JSON.parse(read('package-lock.json'));
    expect([name, lock.name, lock.packages[''].name]).toEqual(['liqo-weft', 'liqo-weft', 'liqo-weft']);
  });

  it('is the one that texts tell users to run or install: the package "weft" is of somebody else', () => {
    const others = /\bnpx\s+(-\S+\s+)*weft\b|\bnpm\s+(exec|i|install|add)\s+(-\S+\s+)*weft\b/;
    expect('npx --yes weft view, npm install -g weft').toMatch(others);
    expect(texts.length).toBeGreaterThan(500);
    expect(texts.filter((it) => others.test(read(it)))).toEqual([]);
  });

  it('and the version are those of the tarball in the README', () => {
    const tarballs = [...read('README.md').matchAll(/[\w.-]+\.tgz/g)].map(([it]) => it);
    expect(new Set(tarballs)).toEqual(new Set([`${name}-${version}.tgz`]));
  });
});

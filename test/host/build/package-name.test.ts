import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
// @ts-expect-error The build is plain JavaScript.
import { repositoryOf } from '../../../src/host/build/version.mjs';

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

/** Everything of the repository but tests, what is built, and what quotes them. */
const published = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter(
    (it) =>
      it !== '' &&
      !/^(test|out|topologies|\.github\/action)\/|^(CHANGELOG\.md|package(-lock)?\.json)$|\.(png|svg)$/.test(it),
  );

/** Pages about releases of Liqo. */
const isOfLiqo = (path: string): boolean => path.startsWith('src/base/diagnostics/explain/');

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

  it('has one owner at most, in package.json: nothing else names the repository, and nothing is a placeholder for it', () => {
    const { repository, homepage, bugs } = JSON.parse(read('package.json'));
    // Without a repository there is no release: CONTRIBUTING.md, "a release of weft".
    if (repository !== undefined) expect(repositoryOf({ repository })).toBeDefined();
    expect([homepage, bugs]).toEqual([undefined, undefined]);
    const named = /your-org|(?<!\w)[\w.-]+\/weft@|(github|gitlab)\.com[/:][\w.-]+\/weft\b|ghcr\.io\/[\w.-]+\/weft/;
    expect('uses: acme/weft@0123').toMatch(named);
    expect('git+https://github.com/acme/weft.git').toMatch(named);
    expect(published.length).toBeGreaterThan(500);
    expect(published.filter((it) => named.test(read(it)))).toEqual([]);
  });

  it('has one version, in package.json: pages name it only in the package, as npm version replaces it there', () => {
    const pages = published.filter((it) => /\.(md|ya?ml|hbs)$/.test(it) && !isOfLiqo(it));
    const escaped = version.replaceAll('.', '\\.');
    const others = new RegExp(
      `\\bweft(@| )v?${escaped}|\\bv${escaped}\\b|liqo-weft-(?!${escaped}\\.tgz)\\d[\\w.-]*tgz`,
    );
    expect(`liqo-weft-${version}0.tgz`).toMatch(others);
    expect(pages.length).toBeGreaterThan(50);
    expect(pages.filter((it) => others.test(read(it)))).toEqual([]);
  });

  it('and the version are those of the tarball in the README', () => {
    const tarballs = [...read('README.md').matchAll(/[\w.-]+\.tgz/g)].map(([it]) => it);
    expect(new Set(tarballs)).toEqual(new Set([`${name}-${version}.tgz`]));
  });
});

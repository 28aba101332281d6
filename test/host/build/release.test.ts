import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
// @ts-expect-error The build is plain JavaScript.
import { cutChangelog, releaseNotes, withPackageOf } from '../../../src/host/build/release.mjs';

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

const HEAD = '# Changelog\n\nWhat is new.\n\n';
const RELEASED = `${HEAD}## Unreleased\n\n## 0.2.0 (2026-12-01)\n\n- two\n\n## 0.1.0 (2026-11-01)\n\n- one\n`;
const manifest = { version: '0.2.0', repository: { url: 'git+https://github.com/acme/weft.git' } };
const release = { tag: 'v0.2.0', manifest, changelog: RELEASED, repository: 'acme/weft' };

describe('the notes of a release', () => {
  it('are its section of the changelog', () => {
    expect(releaseNotes(release)).toEqual({ notes: '- two\n' });
  });

  it.each([
    ['another tag', { tag: 'v0.2.1' }, 'the tag is v0.2.1, and package.json has the version 0.2.0'],
    ['no repository', { manifest: { version: '0.2.0' } }, 'package.json has no repository on GitHub'],
    ['a fork', { repository: 'fork/weft' }, 'package.json names acme/weft, and this is fork/weft'],
    ['no section', { changelog: HEAD }, 'CHANGELOG.md has no section "0.2.0 (DATE)"'],
    [
      'a section without a date',
      { changelog: `${HEAD}## 0.2.0\n\n- two\n` },
      'CHANGELOG.md has no section "0.2.0 (DATE)"',
    ],
    ['an empty section', { changelog: `${HEAD}## 0.2.0 (2026-12-01)\n` }, 'the section 0.2.0 of CHANGELOG.md is empty'],
    [
      'unreleased lines',
      { changelog: RELEASED.replace('ased\n', 'ased\n\n- three\n') },
      'CHANGELOG.md has lines that are unreleased',
    ],
    [
      'too much text',
      { changelog: RELEASED.replace('two', 'x'.repeat(125_000)) },
      'the notes are longer than 125000 characters',
    ],
  ])('are refused with %s', (_, changed, fault) => {
    expect(releaseNotes({ ...release, ...changed })).toEqual({ faults: [fault] });
  });

  it('have every fault at once', () => {
    const { faults } = releaseNotes({ tag: 'v1.0.0', manifest: { version: '0.2.0' }, changelog: HEAD });
    expect(faults).toHaveLength(3);
  });
});

describe('the changelog that npm version cuts', () => {
  it('has a new section with what was unreleased, and an empty one for the next', () => {
    const before = `${HEAD}## Unreleased\n\n- two\n\n## 0.1.0 (2026-11-01)\n\n- one\n`;
    expect(cutChangelog(before, '0.2.0', '2026-12-01')).toBe(RELEASED);
  });

  it('adds to the section of the version where it is written already, without a date', () => {
    const before = `${HEAD}## Unreleased\n\n- more\n\n## 0.1.0\n\n- one\n\n## Before\n\n- old\n`;
    const after = `${HEAD}## Unreleased\n\n## 0.1.0 (2026-11-01)\n\n- one\n\n- more\n\n## Before\n\n- old\n`;
    expect(cutChangelog(before, '0.1.0', '2026-11-01')).toBe(after);
  });

  it('has no version twice, and none without a line', () => {
    expect(() => cutChangelog(RELEASED, '0.1.0', '2026-12-02')).toThrow(
      'CHANGELOG.md has 0.1.0 already, of 2026-11-01',
    );
    expect(() => cutChangelog(RELEASED, '0.3.0', '2026-12-02')).toThrow('CHANGELOG.md has nothing that is unreleased');
  });

  it('gives the next version its section in the changelog of today, with notes that can be published', () => {
    const version = '99.0.0';
    const changelog = cutChangelog(
      read('CHANGELOG.md').replace('## Unreleased\n', '## Unreleased\n\n- one more\n'),
      version,
      '2099-01-01',
    );
    const { notes } = releaseNotes({ ...release, tag: `v${version}`, manifest: { ...manifest, version }, changelog });
    expect(notes).toContain('- one more\n');
    expect(notes).not.toContain('\n## ');
  });

  it('gives the version of package.json its section, too, unless it has one', () => {
    const { version } = JSON.parse(read('package.json'));
    const now = read('CHANGELOG.md');
    const changelog = now.includes(`\n## ${version} (`)
      ? now.replace(/^## Unreleased\n[\s\S]*?(?=^## )/m, '')
      : cutChangelog(now, version, '2099-01-01');
    const { notes } = releaseNotes({ ...release, tag: `v${version}`, manifest: { ...manifest, version }, changelog });
    expect(notes.length).toBeGreaterThan(500);
  });
});

it('pages name the package of the version', () => {
  expect(withPackageOf('npm i ./liqo-weft-0.1.0.tgz', '0.10.0')).toBe('npm i ./liqo-weft-0.10.0.tgz');
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import topologySchema from '../../../schemas/topology.schema.json' with { type: 'json' };
import {
  areOfOneLine,
  CANDIDATES,
  DEFAULT_RELEASE,
  isNewerThanChecked,
  isOlder,
  NEWEST_PATCH,
  RELEASE_LINES,
  releaseOf,
  translatesSourcesWrongly,
} from '../../../src/base/releases/release.ts';

/** Every pattern of a release in the schema that editors and the compiler check. */
const PATTERNS = [...JSON.stringify(topologySchema).matchAll(/"pattern":("[^"]*0-rc[^"]*")/g)].map(
  ([, text = '']) => new RegExp(JSON.parse(text) as string),
);

const known = (text: string) => releaseOf(text) ?? expect.fail(`no release ${text}`);

describe('a release', () => {
  it.each(RELEASE_LINES)('%s alone means its newest known patch', (line) => {
    expect(releaseOf(line)).toEqual({ line, version: NEWEST_PATCH[line] });
  });

  it('is accepted by the schema when its line is known, and only then', () => {
    expect(PATTERNS).toHaveLength(2);
    const [, newest = ''] = /^1\.(\d+)$/.exec(RELEASE_LINES.toSorted().at(-1) ?? '') ?? [];
    for (const pattern of PATTERNS) {
      for (const line of RELEASE_LINES) expect([line, `${line}.3`].filter((it) => !pattern.test(it))).toEqual([]);
      expect(pattern.test(`1.${Number(newest) + 1}`)).toBe(false);
    }
  });

  it('is named to people when its line is known', () => {
    const docs = readFileSync(new URL('../../../docs/topology.md', import.meta.url), 'utf8');
    const messages = [...JSON.stringify(topologySchema).matchAll(/"write a release of Liqo[^}]*/g)].map(([it]) => it);
    expect(messages).toHaveLength(2);
    for (const text of [docs, ...messages])
      expect(RELEASE_LINES.filter((it) => !text.replaceAll('\\', '').includes(`"${it}"`))).toEqual([]);
  });

  it.each([
    ['1.1.0', '1.1'],
    ['1.2.17', '1.2'],
  ])('%s is of line %s', (version, line) => {
    expect(releaseOf(version)).toEqual({ line, version });
  });

  it.each([
    '',
    '1',
    '1.3',
    '2.0',
    'v1.2',
    '1.2.',
    '1.2.x',
    '1.20',
    '1.2.0.1',
    '1.2.0-rc.1',
    '1.0.0-rc.3',
    '1.0.0-rc.0',
    ' 1.2',
    '1.2\n',
  ])('%j is none', (text) => {
    expect(releaseOf(text)).toBeUndefined();
  });

  it('is newer than checked by the number of its patch', () => {
    expect(['1.1.1', '1.1.2', '1.1.3', '1.1.10'].map((it) => isNewerThanChecked(known(it)))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(isNewerThanChecked(DEFAULT_RELEASE)).toBe(false);
  });

  it('translates sources wrongly up to 1.0.0', () => {
    const wrong = ['1.0.0-rc.2', '1.0.0', '1.0.1', '1.0', '1.1.0'].filter((it) => translatesSourcesWrongly(known(it)));
    expect(wrong).toEqual(['1.0.0-rc.2', '1.0.0']);
  });

  it.each(CANDIDATES)('is of the line 1.0 as the candidate %s, which is not newer than checked', (version) => {
    expect(releaseOf(version)).toEqual({ line: '1.0', version });
    expect(isNewerThanChecked(known(version))).toBe(false);
  });

  it('has the same line as its other patches', () => {
    expect(areOfOneLine(known('1.1.0'), known('1.1'))).toBe(true);
    expect(areOfOneLine(known('1.1'), known('1.2'))).toBe(false);
  });
});

it.each([
  ['1.1.2', '1.2.0', true],
  ['1.2.0', '1.1.2', false],
  ['1.1.9', '1.1.10', true],
  ['1.1', '1.1.2', true],
  ['1.2', '1.1.2', false],
  ['1.2', '1.2.0', false],
  ['1.2.0', '1.2', false],
  ['1.0.0-rc.3', '1.0.0', true],
  ['1.0.0', '1.0.0-rc.3', false],
  ['1.0.0-rc.2', '1.0.0-rc.10', true],
])('%s is older than %s: %s', (a, b, expected) => expect(isOlder(a, b)).toBe(expected));

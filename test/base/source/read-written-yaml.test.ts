import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readYamlText } from '../../../src/base/source/read-document.ts';
import { readWrittenYaml } from '../../../src/base/source/read-written-yaml.ts';
import { benchFleet, wideFleet } from '../../bench/fleet.ts';
import { law } from '../../laws/law.ts';
import { GOLDEN, goldenNames } from '../../support/golden.ts';
import { mutateText } from './mutate-text.ts';
import { partsOf } from './parts-of.ts';

const seeds = fc.integer({ min: 0, max: 2 ** 32 - 1 });

const fleet = benchFleet(100);

/** What people write: topologies and keys files. */
const recorded: readonly string[] = [
  ...new Set(
    goldenNames()
      .flatMap((name) => ['topology.yaml', 'topology.keys.yaml'].map((file) => join(GOLDEN, name, file)))
      .filter((it) => existsSync(it))
      .map((it) => readFileSync(it, 'utf8')),
  ),
].sort((a, b) => a.length - b.length);

/** Every construct that is read, in a few lines: mutations reach each branch of the reader. */
const DENSE = [
  '# a\nversion: 1\n\nname: a-b\nhub:   x # y\n',
  'a: { b: 10.0.0.0/8, c: [d, "e", {}], f: { } }\ng: []\n',
  'a:\n  b:\n  c: { d: 1 }\n  # e\n\n  f: true\ng:\n',
  'a:\n  - b\n  - c: d\n    e: f\n  - [g, h]\n  - { i: j }\nk:\n- l\n- m: n\no: p q, r\n',
  'a:\n  "b c": \'d\'\n  e: "f"   # g\n    \n  h: i:j\n',
  'a:\n    b: 203.0.113.1\n    c:\n        d: e\n    f: null\n',
];

/** True if the text was read in the fast way; then the package agrees in everything. */
function readAlike(text: string): boolean {
  const source = { path: 'topology.yaml', text };
  const written = readWrittenYaml(source);
  if (written === undefined) return false;
  const { root, problems } = readYamlText(source);
  const [found, wanted] = [[...partsOf(written, '')], root === undefined ? [] : [...partsOf(root, '')]];
  expect(problems, text).toEqual([]);
  // Explaining a difference takes much longer than finding none.
  if (!isDeepStrictEqual(found, wanted)) expect(found, text).toStrictEqual(wanted);
  return true;
}

describe('the reader of written YAML agrees with the yaml package', () => {
  it('about every topology and keys file of the goldens, and reads most of them', () => {
    const read = recorded.filter(readAlike);
    expect(read.length / recorded.length).toBeGreaterThan(0.8);
  });

  it('about the fleets that are measured, and reads them', () => {
    for (const text of [fleet.topology, fleet.keys, wideFleet(100)]) expect(readAlike(text)).toBe(true);
  });

  law(
    'about recorded files with a few edits',
    4_000,
    fc.property(fc.nat({ max: recorded.length - 1 }), seeds, (which, seed) => {
      readAlike(mutateText(recorded[which] as string, seed));
    }),
  );

  law(
    'about dense texts with a few edits',
    20_000,
    fc.property(fc.constantFrom(...DENSE), seeds, (text, seed) => {
      readAlike(mutateText(text, seed));
    }),
  );

  it('often after an edit, too: otherwise the laws above would prove nothing', () => {
    const edited = Array.from({ length: 2_000 }, (_, seed) => mutateText(DENSE[seed % DENSE.length] as string, seed));
    const read = edited.filter((text) => readAlike(text) && !DENSE.includes(text));
    expect(read.length).toBeGreaterThan(150);
  });
});

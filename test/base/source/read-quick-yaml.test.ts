import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DocumentNode } from '../../../src/base/source/document-node.ts';
import { readYamlText } from '../../../src/base/source/read-document.ts';
import { PRINTED, readQuickYaml, WRITTEN } from '../../../src/base/source/read-quick-yaml.ts';
import { readStrictYaml, readYamlDocuments } from '../../../src/base/source/read-yaml-documents.ts';
import { printYamlDocuments } from '../../../src/bundle/emit/print-yaml.ts';
import { benchFleet, wideFleet } from '../../bench/fleet.ts';
import { arbitraryFleet } from '../../laws/arbitrary-topology.ts';
import { compiled } from '../../laws/compile-spec.ts';
import { law } from '../../laws/law.ts';
import { bundleFiles } from '../../proof/verify/verify-golden.ts';
import { anyText } from '../../support/any-text.ts';
import { drawn, firstOfEach, RUNS_ALL, runsOf } from '../../support/drawn.ts';
import { GOLDEN, goldenNames } from '../../support/golden.ts';
import { mutateText } from './mutate-text.ts';
import { partsOf } from './parts-of.ts';

const seeds = fc.integer({ min: 0, max: 2 ** 32 - 1 });

/** Texts of bundles: all files that have YAML objects, each only once. */
const printed: readonly string[] = [
  ...new Set(
    goldenNames()
      .filter((it) => !it.startsWith('invalid-'))
      .flatMap((golden) => [...bundleFiles(golden)].filter(([path]) => path.endsWith('.yaml')))
      .map(([, text]) => text),
  ),
].sort((a, b) => a.length - b.length);

/** On a push, one of each kind of object and of each Liqo's, and every twentieth. */
const drawnPrinted = drawn(
  printed,
  firstOfEach((text) => [...text.matchAll(/^(?:kind|apiVersion): .*$/gm)].map(([it]) => it).join()),
);

/** Files of users: topologies and keys files. */
const written: readonly string[] = [
  ...new Set(
    goldenNames()
      .flatMap((name) => ['topology.yaml', 'topology.keys.yaml'].map((file) => join(GOLDEN, name, file)))
      .filter((it) => existsSync(it))
      .map((it) => readFileSync(it, 'utf8')),
  ),
].sort((a, b) => a.length - b.length);

/** Forms that are rare in printed files, in a few lines: mutations of it reach each branch of the reader. */
const DENSE_PRINTED = [
  'a: |\n  x\n   y\n\n  z\nb: |-\n  c\nd:\n- |\n  q\n- - a\n  - b: c\n    d: "e\\n"\n- {}\n- []\nf: []\n',
  '# x\n# y\na:\n  b:\n    c: 1\n  "d e": true\n---\n# z\nf: /x\n',
  'a:\n  - b\n  - c: d\n    e:\n      - f\n"g": "h"\n',
  '"a\\"b": "\\x41\\u00e9\\U0001f600\\t\\\\"\nc: null\nd: -1\ne: 10.0.0.0/8\n',
  'a:\n- b:\n  - c\n  d: {}\n- "e: f"\n- "g": h\n- |-\n  i: j\n',
];

/** Every construct that is read, in a few lines: mutations reach each branch of the reader. */
const DENSE_WRITTEN = [
  '# a\nversion: 1\n\nname: a-b\nhub:   x # y\n',
  'a: { b: 10.0.0.0/8, c: [d, "e", {}], f: { } }\ng: []\n',
  'a:\n  b:\n  c: { d: 1 }\n  # e\n\n  f: true\ng:\n',
  'a:\n  - b\n  - c: d\n    e: f\n  - [g, h]\n  - { i: j }\nk:\n- l\n- m: n\no: p q, r\n',
  'a:\n  "b c": \'d\'\n  e: "f"   # g\n    \n  h: i:j\n',
  'a:\n    b: 203.0.113.1\n    c:\n        d: e\n    f: null\n',
];

const DENSE = [...DENSE_PRINTED, ...DENSE_WRITTEN];

const fleet = benchFleet(100);

const allParts = (documents: readonly DocumentNode[]) => documents.flatMap((it, i) => [...partsOf(it, `${i}`)]);

/** Explaining a difference takes much longer than finding none. */
function expectSame(text: string, found: readonly DocumentNode[], wanted: readonly DocumentNode[]): void {
  const [parts, wantedParts] = [allParts(found), allParts(wanted)];
  if (!isDeepStrictEqual(parts, wantedParts)) expect(parts, JSON.stringify(text)).toStrictEqual(wantedParts);
}

/** True if the text was read in the fast way; then the strict reader agrees in everything. */
function printedAlike(text: string): boolean {
  const source = { path: 'out/a.yaml', text };
  const quick = readQuickYaml(source, PRINTED);
  if (quick === undefined) return false;
  const strict = readStrictYaml(source);
  if (!strict.ok) throw new Error(`the strict reader refuses ${JSON.stringify(text)}: ${strict.problem.message}`);
  expectSame(text, quick, strict.documents);
  return true;
}

/** Compares one document, about which the reader of topologies agrees. */
function writtenAlike(text: string): boolean {
  const source = { path: 'topology.yaml', text };
  const quick = readQuickYaml(source, WRITTEN);
  if (quick === undefined) return false;
  const { root, problems } = readYamlText(source);
  expect(problems, text).toEqual([]);
  expectSame(text, quick, root === undefined ? [] : [root]);
  return true;
}

/** Read in the fast way with both settings. */
const readAlike = (text: string): boolean => [printedAlike(text), writtenAlike(text)].includes(true);

const isOnlyComments = (text: string): boolean => /^(?:#.*\n)*$/.test(text);

describe('the quick reader of YAML agrees with the yaml package', () => {
  it('about every recorded file of bundles, and reads all of them that have content', () => {
    const unread = drawnPrinted.filter((it) => !printedAlike(it) && !isOnlyComments(it));
    expect(unread).toEqual([]);
  });

  it('about every topology and keys file of the goldens, and reads most of them', () => {
    const read = written.filter(writtenAlike);
    expect(read.length / written.length).toBeGreaterThan(0.9);
  });

  it('about the fleets that are measured, and reads them', () => {
    for (const text of [fleet.topology, fleet.keys, wideFleet(100)]) expect(writtenAlike(text)).toBe(true);
  });

  law(
    'about the files of any fleet',
    30,
    fc.property(arbitraryFleet(), ({ spec }) => {
      for (const [path, text] of compiled(spec).bundle) {
        if (path.endsWith('.yaml')) expect(printedAlike(text) || isOnlyComments(text), path).toBe(true);
      }
    }),
  );

  law(
    'about whatever is printed',
    2_000,
    fc.property(fc.array(fc.dictionary(anyText(), arbitraryValue()), { minLength: 1 }), (values) => {
      readAlike(printYamlDocuments(values));
    }),
  );

  law(
    'about recorded files of bundles with a few edits',
    4_000,
    fc.property(fc.nat({ max: printed.length - 1 }), seeds, (which, seed) => {
      // Most files are long; one edit of a short one more often changes its structure.
      const text = printed[seed % 2 === 0 ? which : which % 300] as string;
      readAlike(mutateText(text, seed));
    }),
  );

  law(
    'about recorded topologies and keys files with a few edits',
    4_000,
    fc.property(fc.nat({ max: written.length - 1 }), seeds, (which, seed) => {
      readAlike(mutateText(written[which] as string, seed));
    }),
  );

  law(
    'about dense texts with a few edits',
    30_000,
    fc.property(fc.constantFrom(...DENSE), seeds, (text, seed) => {
      readAlike(mutateText(text, seed));
    }),
  );

  it('often after an edit, too: otherwise the laws above would prove nothing', () => {
    const count = runsOf(2_000, 400);
    const edited = Array.from({ length: count }, (_, seed) => mutateText(DENSE[seed % DENSE.length] as string, seed));
    const read = edited.filter((text) => readAlike(text) && !DENSE.includes(text));
    expect(read.length).toBeGreaterThan(count / 10);
  });

  it('about one line of a million words or escapes', () => {
    const million = RUNS_ALL ? 1_000_000 : 200_000;
    for (const value of [
      'a '.repeat(million),
      `"${'\\n'.repeat(million)}"`,
      `'${"''".repeat(million)}'`,
      'a:b#'.repeat(million),
    ])
      expect(printedAlike(`a: ${value.trim()}\n`)).toBe(true);
  });
});

function arbitraryValue() {
  return fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(anyText({ maxLength: 8 }), fc.string({ unit: fc.constantFrom(...'a0 \n-:#"|\t.'), maxLength: 8 })),
      fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.string({ maxLength: 6 }), tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).value as fc.Arbitrary<never>;
}

describe('what the quick reader of YAML leaves to the strict one', () => {
  it.each([
    ['no text', ''],
    ['only comments', '# a\n'],
    ['an end without a line break', 'a: b'],
    ['a line end of Windows', 'a: b\r\n'],
    ['a tab', 'a:\tb\n'],
    ['a byte order mark', '\ufeffa: b\n'],
    ['an anchor', 'a: &x b\n'],
    ['an alias', 'a: *x\n'],
    ['a tag', 'a: !!str b\n'],
    ['a merge key', '<<: a\n'],
    ['a key that appears twice', 'a: b\na: c\n'],
    ['null as a key', 'null: a\n'],
    ['text in two lines', 'a: b\n  c\n'],
    ['quotes over two lines', 'a: "b\n  c"\n'],
    ['a line break behind a backslash at the end', 'a: "b\\\n'],
    ['single quotes over two lines', "a: 'b\n  c'\n"],
    ['single quotes without an end', "a: 'b\n"],
    ['text behind single quotes', "a: 'b' c\n"],
    ['a key in single quotes', "'a': b\n"],
    ['a folded block', 'a: >\n  b\n'],
    ['a block that keeps its end', 'a: |+\n  b\n'],
    ['a block with an indentation of its own', 'a: |2\n  b\n'],
    ['a block that ends with empty lines', 'a: |\n  b\n\n'],
    ['a block that begins with an empty line', 'a: |\n\n  b\n'],
    ['a number with a fraction', 'a: 1.5\n'],
    ['a number with an exponent', 'a: 1e3\n'],
    ['a hexadecimal number', 'a: 0x1f\n'],
    ['a number with a zero in front', 'a: 017\n'],
    ['a number that is not exact', 'a: 12345678901234567890\n'],
    ['a second colon', 'a: b: c\n'],
    ['a document end', 'a: b\n...\n'],
    ['a directive', '%YAML 1.2\n---\na: b\n'],
    ['a document without content', 'a: b\n---\n'],
    ['an explicit key', '? a\n: b\n'],
    ['a list at the top', '- a\n'],
    ['an unknown escape', 'a: "\\e"\n'],
    [
      'many levels',
      `${Array.from({ length: 40 }, (_, i) => `${'  '.repeat(i)}a:\n`).join('')}${'  '.repeat(40)}a: b\n`,
    ],
  ])('%s', (_, text) => {
    expect(readQuickYaml({ path: 'a.yaml', text }, PRINTED)).toBeUndefined();
    const strict = readStrictYaml({ path: 'a.yaml', text });
    expect(readYamlDocuments({ path: 'a.yaml', text })).toStrictEqual(strict);
  });
});

it('reads several documents with one setting alone', () => {
  const source = { path: 'a.yaml', text: '# a\na: b\n---\n\nc: [d, { e: f }]\n' };
  expect(readQuickYaml(source, PRINTED)).toHaveLength(2);
  expect(readQuickYaml(source, WRITTEN)).toBeUndefined();
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { editYaml, type YamlEdit } from '../../../src/base/source/edit-yaml.ts';
import { readDocument } from '../../../src/base/source/read-document.ts';
import { law } from '../../laws/law.ts';

function edited(text: string, ...edits: readonly YamlEdit[]): string {
  const read = readDocument({ path: 'a.yaml', text }, { language: 'yaml' });
  if (!read.ok) throw new Error(`${JSON.stringify(read.problems[0]?.message)} in\n${text}`);
  return editYaml({ text, root: read.root }, edits);
}

const add = (path: readonly string[], keys: Readonly<Record<string, string>>, after?: string | null): YamlEdit => ({
  kind: 'add',
  path,
  keys: Object.entries(keys).map(([key, value]) => ({ key, value })),
  ...(after === undefined ? {} : { after }),
});
const set = (path: readonly string[], value: string): YamlEdit => ({ kind: 'replace', path, value });
const append = (path: readonly string[], value: string): YamlEdit => ({ kind: 'append', path, value });
const cluster = (name: string): YamlEdit => ({
  kind: 'add',
  path: ['clusters'],
  keys: [{ key: name, value: '{}', lines: (indent) => `${indent}${name}:\n${indent}  a: 1\n` }],
});

describe('an edit of YAML', () => {
  it.each([
    ['a value', 'a: 1 # one\nb: 2\n', [set(['a'], '3')], 'a: 3 # one\nb: 2\n'],
    ['a value in quotes', "a: '1'\n", [set(['a'], '3')], 'a: 3\n'],
    ['a list below its key', 'a:\n  # x\n  - 1\n  - 2\nb: 2\n', [set(['a'], '[3]')], 'a: [3]\nb: 2\n'],
    ['a text of several lines', 'a: |\n  x\n  y\nb: 2\n', [set(['a'], 'z')], 'a: z\nb: 2\n'],
    ['a key without a value', 'a: # c\nb: 2\n', [set(['a'], '3')], 'a: 3 # c\nb: 2\n'],
    ['a value in braces', 'a: { b: 1, c: 2 }\n', [set(['a', 'b'], '[3]')], 'a: { b: [3], c: 2 }\n'],
    ['a key in braces without a value', 'a: { b, c: 2 }\n', [set(['a', 'b'], '3')], 'a: { b: 3, c: 2 }\n'],
  ])('replaces %s', (_, before, edits, after) => {
    expect(edited(before, ...edits)).toBe(after);
  });

  it.each([
    ['behind the last', 'a:\n  b: 1 # c\n# d\ne: 2\n', [add(['a'], { f: '3' })], 'a:\n  b: 1 # c\n  f: 3\n# d\ne: 2\n'],
    ['behind another', 'a: 1\nb: 2\n', [add([], { f: '3' }, 'a')], 'a: 1\nf: 3\nb: 2\n'],
    ['in front', 'a:\n  # of b\n  b: 1\n', [add(['a'], { f: '3' }, null)], 'a:\n  f: 3\n  # of b\n  b: 1\n'],
    ['behind a map', 'a:\n  b:\n    c: 1\nd: 2\n', [add(['a'], { f: '3' })], 'a:\n  b:\n    c: 1\n  f: 3\nd: 2\n'],
    ['behind a key without a value', 'a:\n  b:\nd: 2\n', [add(['a'], { f: '3' })], 'a:\n  b:\n  f: 3\nd: 2\n'],
    [
      'behind several lines of text',
      'a:\n  b: |\n    x\n\nd: 2\n',
      [add(['a'], { f: '3' })],
      'a:\n  b: |\n    x\n  f: 3\n\nd: 2\n',
    ],
    ['in braces', 'a: { b: 1 } # c\n', [add(['a'], { f: '3', g: '4' })], 'a: { b: 1, f: 3, g: 4 } # c\n'],
    [
      'in braces over lines',
      'a: {\n  b: 1, # c\n  d: 2\n}\n',
      [add(['a'], { f: '3' })],
      'a: {\n  b: 1, # c\n  d: 2, f: 3\n}\n',
    ],
    ['in front in braces', 'a: { b: 1 }\n', [add(['a'], { f: '3' }, null)], 'a: { f: 3, b: 1 }\n'],
    ['in empty braces', 'a: {}\n', [add(['a'], { f: '3' })], 'a: { f: 3 }\n'],
    ['where there is no map yet', 'a:\nb: 1\n', [add(['a'], { f: '3', g: '4' })], 'a: { f: 3, g: 4 }\nb: 1\n'],
    [
      'at the end without a line break',
      'a:\n  b: 1',
      [add(['a'], { f: '3' }), add([], { g: '4' })],
      'a:\n  b: 1\n  f: 3\ng: 4\n',
    ],
  ])('adds keys %s', (_, before, edits, after) => {
    expect(edited(before, ...edits)).toBe(after);
  });

  it.each([
    ['below others', 'clusters:\n  x: {}\n', 'clusters:\n  x: {}\n  n:\n    a: 1\n'],
    ['below a key without a value', 'clusters: # all\nz: 1\n', 'clusters: # all\n  n:\n    a: 1\nz: 1\n'],
    ['instead of empty braces', 'clusters: {} # all\nz: 1\n', 'clusters: # all\n  n:\n    a: 1\nz: 1\n'],
    ['on one line in braces', 'clusters: { x: {} }\n', 'clusters: { x: {}, n: {} }\n'],
    ['in a file in braces', '{ clusters: {} }\n', '{ clusters: { n: {} } }\n'],
  ])('adds a value of several lines %s', (_, before, after) => {
    expect(edited(before, cluster('n'))).toBe(after);
  });

  it.each([
    ['in brackets', 'a: [x, y] # c\n', 'a: [x, y, z] # c\n'],
    ['in empty brackets', 'a: []\n', 'a: [z]\n'],
    ['below its key', 'a:\n  - x\n  - y # c\nb: 1\n', 'a:\n  - x\n  - y # c\n  - z\nb: 1\n'],
    ['in the column of its key', 'a:\n- x\nb: 1\n', 'a:\n- x\n- z\nb: 1\n'],
    ['without a value', 'a:\nb: 1\n', 'a: [z]\nb: 1\n'],
  ])('appends to a list %s', (_, before, after) => {
    expect(edited(before, append(['a'], 'z'))).toBe(after);
  });

  const value = fc.oneof(fc.integer(), fc.constantFrom('x', 'a: b', '#', ''), fc.constant(null), fc.constant([1, 'y']));
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  law(
    'changes what it is about, and nothing else, in any layout',
    2000,
    fc.property(
      fc.dictionary(key, fc.dictionary(key, value)),
      fc.boolean(),
      fc.array(fc.tuple(key, key, fc.integer()), { maxLength: 4 }),
      (map, isFlow, wanted) => {
        const text = stringify(
          { m: map },
          { collectionStyle: isFlow ? 'flow' : 'any', lineWidth: 20, aliasDuplicateObjects: false },
        );
        const expected = structuredClone(map) as Record<string, Record<string, unknown>>;
        const edits: YamlEdit[] = [];
        for (const [outer, inner, number] of wanted) {
          const at = map[outer];
          if (at === undefined || edits.some((it) => it.path[1] === outer)) continue;
          edits.push(
            Object.hasOwn(at, inner)
              ? set(['m', outer, inner], String(number))
              : add(['m', outer], { [inner]: String(number) }),
          );
          expected[outer] = { ...expected[outer], [inner]: number };
        }
        expect(parse(edited(text, ...edits))).toEqual({ m: expected });
      },
    ),
  );
});

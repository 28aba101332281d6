import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeAt, plainOf } from '../../../src/base/source/document-node.ts';
import { readDocument } from '../../../src/base/source/read-document.ts';
import { readJson, readJsonRows } from '../../../src/base/source/read-json.ts';
import type { Source } from '../../../src/base/source/source.ts';
import { runsOf } from '../../support/drawn.ts';
import { partsOf } from './parts-of.ts';

const sourceOf = (text: string): Source => ({ path: 'addresses.json', text });

function partsIn(source: Source, language: 'json' | 'json-rows' | 'yaml') {
  const reading = readDocument(source, { language });
  return reading.ok ? [...partsOf(reading.root, '')] : reading.problems;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('readJson', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const { root, problems } = readJson(sourceOf(text));
        expect(problems).toEqual([]);
        expect(root && JSON.stringify(plainOf(root))).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 300 },
    );
  });

  it.each(['', '{', '[1,]', '{"a":1,}', '{a:1}', "{'a':1}", '{"a":1} x', '01', '[1 2]', '{"a":1,"a":2}', '"\n"'])(
    'refuses %j',
    (text) => {
      const { root, problems } = readJson(sourceOf(text));
      expect(root !== undefined && problems.length === 0).toBe(false);
    },
  );

  it('refuses what JSON.parse refuses, and always ends', () => {
    const part = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"\\n"',
      '"\\x"',
      '"\\u12"',
      '-',
      '0',
      '01',
      '1.5',
    );
    const more = fc.constantFrom(
      '1.',
      '1e',
      '1e5',
      'true',
      'nul',
      'null',
      ' ',
      '\n',
      '\t',
      '\u00a0',
      '\ufeff',
      '//',
      '/*',
      '"',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(part, more), { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        const { root, problems } = readJson(sourceOf(text));
        const others = problems.filter((it) => it.kind !== 'duplicate-key');
        expect(root !== undefined && others.length === 0).toBe(isJson(text));
      }),
      { numRuns: runsOf(2000) },
    );
  });

  it('refuses JSON in which one character is another', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.constantFrom(...'{}[]",:\\ 0-.eu\n\t/'), (text, at, character) => {
        const position = at % (text.length + 1);
        const edited = text.slice(0, position) + character + text.slice(position + 1);
        const { root, problems } = readJson(sourceOf(edited));
        const others = problems.filter((it) => it.kind !== 'duplicate-key');
        expect(root !== undefined && others.length === 0).toBe(isJson(edited));
      }),
      { numRuns: runsOf(1000) },
    );
  });

  it('keeps the place of every part', () => {
    const text = '{\n "views": [\n  {"cidr": "10.1.0.0/16", "n": 1.5e1}\n ]\n}';
    const { root } = readJson(sourceOf(text));
    if (root === undefined) throw new Error('it was not read');
    const textAt = (...path: (string | number)[]): string => {
      const span = nodeAt(root, path)?.span;
      return span ? text.slice(span.start, span.end) : '';
    };
    expect(textAt('views', 0, 'cidr')).toBe('"10.1.0.0/16"');
    expect(textAt('views', 0, 'n')).toBe('1.5e1');
    expect(textAt('views', 0)).toBe('{"cidr": "10.1.0.0/16", "n": 1.5e1}');
    expect(textAt()).toBe(text);
    const first = root.kind === 'map' ? root.entries.get('views')?.key : undefined;
    expect(first && text.slice(first.start, first.end)).toBe('"views"');
  });

  it('gives the nodes that the front end for YAML gives', () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
    const map = fc.dictionary(
      fc.string({ maxLength: 20 }),
      fc.oneof(value, fc.array(value), fc.dictionary(fc.string({ maxLength: 20 }), value)),
    );
    fc.assert(
      fc.property(map, fc.constantFrom(0, 2), (it, indent) => {
        const source = sourceOf(JSON.stringify(it, null, indent));
        expect(partsIn(source, 'json')).toEqual(partsIn(source, 'yaml'));
      }),
      { numRuns: 300 },
    );
  });
});

describe('readJsonRows', () => {
  const value = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.constant(null),
    fc.array(fc.dictionary(fc.string(), fc.integer())),
  );
  const row = fc.dictionary(fc.string(), value, { maxKeys: 4 });
  const lists = fc.dictionary(fc.string(), fc.oneof(value, row, fc.array(fc.oneof(row, value, fc.array(row)))));

  it('gives the nodes that readJson gives, and the same problems', () => {
    fc.assert(
      fc.property(lists, fc.nat(), fc.constantFrom('', '{', '"', ','), (it, at, extra) => {
        const text = JSON.stringify(it, null, 2);
        const position = at % (text.length + 1);
        const source = sourceOf(text.slice(0, position) + extra + text.slice(position));
        expect(partsIn(source, 'json-rows')).toEqual(partsIn(source, 'json'));
      }),
      { numRuns: runsOf(1000) },
    );
  });

  it('gives each row its own values, in whatever order they are asked for', () => {
    const { root } = readJsonRows(sourceOf('{ "views": [{ "n": 1 }, { "n": 2 }, { "n": 1, "n": 3 }] }'));
    if (root === undefined) throw new Error('it was not read');
    const valueAt = (row: number) => nodeAt(root, ['views', row, 'n']);
    expect([1, 0, 1, 2].map(valueAt)).toMatchObject([{ value: 2 }, { value: 1 }, { value: 2 }, { value: 1 }]);
  });
});

describe('what is wrong with a JSON document', () => {
  const problemOf = (text: string): readonly [string, string] => {
    const result = readDocument(sourceOf(text), { language: 'json' });
    if (result.ok) throw new Error('it was read');
    const [first] = result.problems;
    return first ? [first.message, text.slice(first.span.start, first.span.end)] : ['', ''];
  };

  it.each([
    ['{"a": 1,}', 'this is not JSON: a key is missing before "}"', '}'],
    ['{"a": [1,]}', 'this is not JSON: a value is missing before "]"', ']'],
    ['{"a" 1}', 'this is not JSON: a ":" is missing before "1"', '1'],
    ['{"a": 1 "b": 2}', 'this is not JSON: a comma is missing before "b"', '"b"'],
    ['{"a": tru}', 'this is not JSON: "tru" is not a value, and a string must be in double quotes', 'tru'],
    ['{"a": 1.}', 'this is not JSON: "1." is not a number', '1.'],
    ['{"a": "x}\n', 'this is not JSON: this string does not end on its line', '"x}'],
    ['{"a": "\\x"}', 'this is not JSON: this string contains an escape sequence that JSON does not have', '"\\x"'],
    ['{"a": 1} // x', 'this is not JSON: JSON has no comments', '// x'],
    ['{"a": 1} {}', 'this is not JSON: "{" follows the end of the document', '{'],
    ['{"a": [1', 'this is not JSON: this [ is never closed', '['],
    ['{"a":', 'this is not JSON: a value is missing before the end of the file', ':'],
    ['{"a": 1, "a": 2}', '"a" appears twice in the same map', '"a"'],
    ['[1]', 'the file must be a map of keys, not a list', '[1]'],
    ['"a"', 'the file must be a map of keys, not a single value', '"a"'],
    [' \n', 'the file is empty', ''],
    ['{\n<<<<<<< ours\n"a": 1\n=======\n"a": 2\n>>>>>>> theirs\n}', 'a merge conflict is not resolved', '<<<<<<< ours'],
    [`{"a": ${'['.repeat(100_000)}`, 'this is nested more than 64 levels deep', '['],
  ])('%j', (text, message, place) => {
    expect(problemOf(text)).toEqual([message, place]);
  });
});

import { describe, expect, it } from 'vitest';
import { sameDocuments } from '../../../src/base/source/read-yaml-documents.ts';

const isSame = (one: string, other: string, path = 'a.yaml'): boolean =>
  sameDocuments({ path, text: one }, { path, text: other });

describe('two texts with the same documents', () => {
  it.each([
    ['lists in the column of their key', 'a:\n  - b\n', 'a:\n- b\n'],
    ['quotes', 'a: "b"\n', "a: 'b'\n"],
    ['comments and empty lines', '# one\na: b\n\nc: d\n', 'a: b # two\nc: d\n'],
    ['flow style', 'a:\n  b: [c, d]\n', 'a: { b: [c, d] }\n'],
    ['the order of keys', 'a: b\nc: d\n', 'c: d\na: b\n'],
    ['several documents', 'a: b\n---\nc: d\n', 'a: b\n\n---\n\nc:   d\n'],
  ])('may differ in %s', (_, one, other) => {
    expect(isSame(one, other)).toBe(true);
  });

  it.each([
    ['a value', 'a: b\n', 'a: c\n'],
    ['a key', 'a: b\n', 'a: b\nc: d\n'],
    ['a type', 'a: 1\n', 'a: "1"\n'],
    ['the order of a list', 'a: [b, c]\n', 'a: [c, b]\n'],
    ['the length of a list', 'a: [b]\n', 'a: [b, b]\n'],
    ['the level of a key', 'a:\n  b: c\n  d: e\n', 'a:\n  b: c\nd: e\n'],
    ['the number of documents', 'a: b\n', 'a: b\n---\na: b\n'],
    ['the order of documents', 'a: b\n---\nc: d\n', 'c: d\n---\na: b\n'],
    ['the quotes of a text that is a boolean for Kubernetes', 'a: "on"\n', 'a: on\n'],
    ['the quotes of a key that is a boolean for Kubernetes', '"y": a\n', 'y: a\n'],
    ['how a number is written', 'a: 10\n', 'a: 0xA\n'],
    ['white space inside of a text', 'a: |\n  b c\n', 'a: |\n  bc\n'],
  ])('do not differ in %s', (_, one, other) => {
    expect(isSame(one, other)).toBe(false);
  });

  it('may be JSON', () => {
    expect(isSame('{"a":[1,2]}', '{\n  "a": [1, 2]\n}\n', 'a.json')).toBe(true);
    expect(isSame('{"a":[1,2]}', '{"a":[2,1]}', 'a.json')).toBe(false);
    expect(isSame('{"a":{"b":"c","d":null}}', '{"a":{"d":null,"b":"\\u0063"}}', 'a.json')).toBe(true);
    for (const other of [
      '{"a":{"b":"c","d":{}}}',
      '{"a":{"b":"c"}}',
      '{"a":["c",null]}',
      '{"a":{"b":"c","e":null}}',
      '{',
    ])
      expect(isSame('{"a":{"b":"c","d":null}}', other, 'a.json')).toBe(false);
    expect(isSame('{"a":[]}', '{"a":{}}', 'a.json')).toBe(false);
    expect(isSame('{"a":10}', '{"a":1e1}', 'a.json')).toBe(false);
    expect(isSame('{"a":1,"a":2}', '{"a":2}', 'a.json')).toBe(false);
  });

  it('are not found where one cannot be read, or is of another language', () => {
    expect(isSame('a: [\n', 'a: [\n')).toBe(false);
    expect(isSame('table ip a {}\n', 'table ip a {}\n', 'a.nft')).toBe(false);
  });
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  by,
  byCodeUnit,
  inOrder,
  placeInOrder,
  sortedRecord,
  sortedUnique,
} from '../../../src/base/core/collections.ts';
import { anyText } from '../../support/any-text.ts';

it('is the order of code units, which is the default of JavaScript', () => {
  fc.assert(
    fc.property(fc.array(anyText()), (texts) => {
      expect([...texts].sort(byCodeUnit)).toEqual([...texts].sort());
      expect(sortedUnique(texts)).toEqual([...new Set(texts)].sort());
    }),
  );
});

it('does not reorder equal things', () => {
  const things = [
    { name: 'b', at: 0 },
    { name: 'a', at: 1 },
    { name: 'b', at: 2 },
    { name: 'a', at: 3 },
  ];
  expect([...things].sort(by((it) => it.name)).map((it) => it.at)).toEqual([1, 3, 0, 2]);
});

it('sorts the entries of a record', () => {
  expect(JSON.stringify(sortedRecord({ b: 1, a: 2 }))).toBe('{"a":2,"b":1}');
});

it('two texts are in order, whichever comes first', () => {
  expect([inOrder('rome', 'milan'), inOrder('milan', 'rome')]).toEqual([
    ['milan', 'rome'],
    ['milan', 'rome'],
  ]);
});

it('a text has its place in a list in order, whether it is there or not', () => {
  const sorted = ['b', 'b/1', 'b/2', 'd'];
  expect(['a', 'b', 'b/', 'b/2', 'c', 'd', 'e'].map((it) => placeInOrder(sorted, it))).toEqual([0, 0, 1, 2, 3, 3, 4]);
  expect(placeInOrder([], 'a')).toBe(0);
});

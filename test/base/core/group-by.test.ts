import { expect, it } from 'vitest';
import { groupBy } from '../../../src/base/core/collections.ts';

it('groups things by each of their keys, in the order of the list', () => {
  const groups = groupBy(['rome/europe', 'milan/europe', 'rome/milan'], (it) => it.split('/'));
  expect([...groups]).toEqual([
    ['rome', ['rome/europe', 'rome/milan']],
    ['europe', ['rome/europe', 'milan/europe']],
    ['milan', ['milan/europe', 'rome/milan']],
  ]);
  expect(groupBy(['rome'], () => []).size).toBe(0);
});

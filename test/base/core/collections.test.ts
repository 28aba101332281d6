import { describe, expect, it } from 'vitest';
import { addAll, largest, smallest } from '../../../src/base/core/collections.ts';

describe('lists that are too long for the arguments of one call', () => {
  const long = Array.from({ length: 300_000 }, (_, i) => i);

  it('are added to another, in order', () => {
    const list = [-1];
    addAll(list, long);
    expect([list.length, list[0], list[1], list.at(-1)]).toEqual([300_001, -1, 0, 299_999]);
  });

  it('have a largest and a smallest number', () => {
    expect([largest(long), smallest(long), largest([], 3), smallest([4], 3)]).toEqual([299_999, 0, 3, 3]);
  });
});

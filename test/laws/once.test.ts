import { expect, it } from 'vitest';
import { once } from './once.ts';

let made = 0;
const sum = once((numbers: readonly number[], more?: number) => {
  made += 1;
  if (numbers.length === 0) throw new Error('nothing to add');
  return numbers.reduce((a, b) => a + b, more ?? 0);
});

it('makes the result of equal values once, and of different ones anew', () => {
  expect([sum([1, 2]), sum([1, 2]), sum([2, 1]), sum([1, 2], 3)]).toEqual([3, 3, 3, 6]);
  expect(made).toBe(3);
});

it('does not keep that nothing could be made', () => {
  made = 0;
  expect(() => sum([])).toThrow('nothing to add');
  expect(() => sum([])).toThrow('nothing to add');
  expect(made).toBe(2);
});

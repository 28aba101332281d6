import { expect, it } from 'vitest';
import { countWork, totalOf } from './count-work.ts';
import { fasterThanInput } from './faster-than-input.ts';

/** Numbers in no order, the same in every run. */
const numbers = (size: number): number[] => Array.from({ length: size }, (_, i) => (i * 7919) % 10007);

it('counts the same for the same work, and more for more', async () => {
  const counts = await countWork(async (count) => {
    const { groupBy } = await import('../../src/base/core/collections.ts');
    const works = [];
    for (const size of [100, 100, 200])
      works.push(totalOf(await count(() => groupBy(numbers(size), (it) => [String(it)]))));
    return works;
  });
  expect(counts[0]).toBeGreaterThan(100);
  expect(counts[1]).toBe(counts[0]);
  expect(counts[2]).toBeGreaterThan(1.9 * (counts[0] ?? 0));
});

it('counts what a promise does', async () => {
  const work = await countWork(async (count) => {
    const { groupBy } = await import('../../src/base/core/collections.ts');
    return count(() => Promise.resolve().then(() => groupBy(numbers(100), (it) => [String(it)])));
  });
  expect(totalOf(work)).toBeGreaterThan(100);
});

it('allows what is linear, and sorting', async () => {
  const faster = await fasterThanInput(500, async () => {
    const { groupBy } = await import('../../src/base/core/collections.ts');
    const { by } = await import('../../src/base/core/collections.ts');
    return (size) => () => {
      for (let i = 0; i < 20; i++) groupBy(numbers(size), (it) => [String(it)]);
      numbers(size).sort(by((it) => String(it)));
    };
  });
  expect(faster).toEqual([]);
});

it('names what compares each thing with each other thing, even in much linear work', async () => {
  const faster = await fasterThanInput(50, async () => {
    const { groupBy } = await import('../../src/base/core/collections.ts');
    const { inOrder } = await import('../../src/base/core/collections.ts');
    return (size) => () => {
      for (let i = 0; i < 100; i++) groupBy(numbers(size), (it) => [String(it)]);
      for (const a of numbers(size)) for (const b of numbers(size).slice(0, size / 10)) inOrder(String(a), String(b));
    };
  });
  expect(faster).toContainEqual(expect.stringContaining('core/collections.ts inOrder'));
  expect(faster.join()).not.toContain('groupBy');
});

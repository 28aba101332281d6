import { expect, it } from 'vitest';
import { diagnostic, inSourceOrder } from '../../../src/base/diagnostics/diagnostic.ts';
import type { Source } from '../../../src/base/source/source.ts';

const [topology, keys, lock] = ['topology.yaml', 'topology.keys.yaml', 'topology.lock.yaml'].map(
  (path): Source => ({ path, text: '0123456789' }),
) as [Source, Source, Source];

const at = (source: Source, start: number, message = '') =>
  diagnostic('topology/unknown-cluster', { source, start, end: start + 1 }, message);

it('sorts by place within a source, and sources as they are given, others last', () => {
  const found = [at(lock, 0), at(keys, 5), at(topology, 7), at(keys, 1), at(topology, 2)];
  const order = inSourceOrder(found, [topology, undefined, keys]).map((it) => [it.span.source.path, it.span.start]);
  expect(order).toEqual([
    ['topology.yaml', 2],
    ['topology.yaml', 7],
    ['topology.keys.yaml', 1],
    ['topology.keys.yaml', 5],
    ['topology.lock.yaml', 0],
  ]);
});

it('keeps the order of what is found at one place', () => {
  const found = [at(topology, 3, 'first'), at(topology, 3, 'second')];
  expect(inSourceOrder(found, [topology]).map((it) => it.message)).toEqual(['first', 'second']);
});

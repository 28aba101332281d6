import type { LinkEntry } from '../../base/schema-types/topology.ts';
import type { Reading } from '../../base/source/reading.ts';
import { readSelector } from './read-selector.ts';
import type { Selector } from './selector.ts';

/** The ends of an entry of `peerings` or `shortcuts` that has labels, which both ends may share; `undefined` for two names. */
export function readLinkEnds(entry: Reading<LinkEntry>): readonly [Selector, Selector] | undefined {
  const between = entry.at('between');
  if (!between.isPresent) return undefined;
  if (!between.isList) {
    const both: Selector = { kind: 'labels', labels: between.textMap(), at: between.span };
    return [both, both];
  }
  const [first, second] = between.items().map(readSelector);
  if (first === undefined || second === undefined) return undefined;
  return first.kind === 'labels' || second.kind === 'labels' ? [first, second] : undefined;
}

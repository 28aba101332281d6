import type { Reading } from '../../base/source/reading.ts';
import type { Selector } from './selector.ts';

/** A cluster by name, or clusters by labels. */
export function readSelector(written: Reading<string | { readonly [label: string]: string }>): Selector {
  const name = written.scalar();
  if (name) return { kind: 'cluster', name: name.value, at: name.at };
  return { kind: 'labels', labels: written.textMap(), at: written.span };
}

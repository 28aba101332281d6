import type { OffloadingEntry } from '../../base/schema-types/topology.ts';
import type { Reading } from '../../base/source/reading.ts';
import type { Selector } from './selector.ts';
import type { OffloadingDeclaration } from './sharing-declaration.ts';

/** An entry of `offloading`. */
export function readOffloading(entry: Reading<OffloadingEntry>): OffloadingDeclaration {
  return {
    at: entry.span,
    cluster: entry.at('cluster').orDefault(''),
    namespace: entry.at('namespace').orDefault(''),
    to: readProviders(entry.at('to')),
    pods: entry.at('pods').orDefault('LocalAndRemote'),
    remoteName: entry.at('remoteName').scalar() ?? null,
    createNamespace: entry.at('createNamespace').orDefault(true).value,
    directConnections: entry.at('directConnections').orDefault(false).value,
  };
}

/** One name, several, or labels. */
function readProviders(to: Reading<NonNullable<OffloadingEntry['to']>>): readonly Selector[] | null {
  if (!to.isPresent) return null;
  const names = to.texts();
  if (names === undefined) return [{ kind: 'labels', labels: to.textMap(), at: to.span }];
  return names.map((it): Selector => ({ kind: 'cluster', name: it.value, at: it.at }));
}

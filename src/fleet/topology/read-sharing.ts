import { by } from '../../base/core/collections.ts';
import { canonicalQuantity } from '../../base/core/quantity.ts';
import { DEFAULT_SLICE_CLASS } from '../../base/releases/install-defaults.ts';
import type {
  CredentialsSpec,
  OffloadingEntry,
  Resources,
  SharingEntry,
  SliceEntry,
  VirtualNodeSpec,
} from '../../base/schema-types/topology.ts';
import type { Reading } from '../../base/source/reading.ts';
import { readSelector, type Selector } from './selector.ts';
import type {
  CredentialsSource,
  OffloadingDeclaration,
  ResourceQuantities,
  SharingDeclaration,
  SliceDeclaration,
  VirtualNodeSettings,
} from './sharing-declaration.ts';

/** An entry of `sharing`. Without `slices` the entry itself describes the only slice of each pair. */
export function readSharing(entry: Reading<SharingEntry>): SharingDeclaration {
  const slices = entry.at('slices').items();
  return {
    at: entry.span,
    consumer: readSelector(entry.at('consumer')),
    provider: readSelector(entry.at('provider')),
    slices: slices.length === 0 ? [readSlice(entry)] : slices.map(readSlice),
    condition: entry.at('condition').orDefault('Active').value,
    auth: entry.at('auth').orDefault('handshake').value,
    credentials: readCredentials(entry.at('credentials')),
  };
}

function readSlice(slice: Reading<SliceEntry> | Reading<SharingEntry>): SliceDeclaration {
  const written = slice as Reading<SliceEntry>;
  return {
    at: written.span,
    name: written.at('name').scalar() ?? null,
    class: written.at('class').orDefault(DEFAULT_SLICE_CLASS),
    resources: readResources(written.at('resources')),
    virtualNode: readVirtualNode(written.at('virtualNode')),
  };
}

function readVirtualNode(written: Reading<VirtualNodeSpec>): VirtualNodeSettings | null {
  if (!written.isPresent) return null;
  return {
    labels: written.at('labels').textMap(),
    annotations: written.at('annotations').textMap(),
    taints: written.at('taints').plain() ?? [],
    createNode: written.at('createNode').scalar()?.value ?? null,
    networkCheck: written.at('networkCheck').scalar()?.value ?? null,
    runtimeClass: written.at('runtimeClass').scalar()?.value ?? null,
  };
}

function readCredentials(written: Reading<CredentialsSpec>): CredentialsSource | null {
  const [store, key] = [written.at('store').scalar(), written.at('key').scalar()];
  if (!store || !key) return null;
  return {
    store: store.value,
    storeKind: written.at('storeKind').orDefault('ClusterSecretStore').value,
    key: key.value,
    property: written.at('property').scalar()?.value ?? null,
  };
}

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

/** YAML may contain numbers, which Kubernetes would convert into texts. */
export const readResources = (resources: Reading<Resources>): ResourceQuantities =>
  [...resources.scalars()]
    .map(({ name, value }) => [name.value, { value: canonicalQuantity(String(value.value)), at: value.at }] as const)
    .sort(by(([name]) => name));

import { DEFAULT_SLICE_CLASS } from '../../base/releases/slice-class.ts';
import type { CredentialsSpec, SharingEntry, SliceEntry, VirtualNodeSpec } from '../../base/schema-types/topology.ts';
import type { Reading } from '../../base/source/reading.ts';
import { readResources } from './read-resources.ts';
import { readSelector } from './read-selector.ts';
import type {
  CredentialsSource,
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

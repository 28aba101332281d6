import type { SharingEntry, SliceEntry } from '../schema-types/topology.ts';
import type { Reading } from '../source/reading.ts';
import type { SharingDeclaration, SliceDeclaration } from './declaration.ts';
import { readResources } from './read-resources.ts';
import { readSelector } from './read-selector.ts';

/** The class that Liqo answers by itself. Source: liqotech/liqo@v1.2.0 apis/authentication/v1beta1/resourceslice_types.go. */
const DEFAULT_CLASS = 'default';

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
  };
}

function readSlice(slice: Reading<SliceEntry> | Reading<SharingEntry>): SliceDeclaration {
  const written = slice as Reading<SliceEntry>;
  return {
    at: written.span,
    name: written.at('name').scalar() ?? null,
    class: written.at('class').orDefault(DEFAULT_CLASS),
    resources: readResources(written.at('resources')),
  };
}

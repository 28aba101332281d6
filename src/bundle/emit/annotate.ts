import { sortedRecord } from '../../base/core/order.ts';
import type { Manifest } from '../liqo/manifest.ts';

/** The same object with more annotations. */
export function annotate(manifest: Manifest, annotations: Readonly<Record<string, string>>): Manifest {
  const { annotations: own } = manifest.metadata;
  const all = sortedRecord(own === undefined ? annotations : { ...own, ...annotations });
  return { ...manifest, metadata: { ...manifest.metadata, annotations: all } };
}

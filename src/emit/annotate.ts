import { sortedRecord } from '../core/order.ts';
import type { Manifest } from '../liqo/manifest.ts';

/** The same object with more annotations. */
export function annotate(manifest: Manifest, annotations: Readonly<Record<string, string>>): Manifest {
  const all = sortedRecord({ ...manifest.metadata.annotations, ...annotations });
  return { ...manifest, metadata: { ...manifest.metadata, annotations: all } };
}

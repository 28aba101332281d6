import { REMOTE_CLUSTER_LABEL } from '../../base/releases/labels.ts';
import type { KubernetesObject } from '../dumps/kubernetes-object.ts';

/** The remote cluster that an object is about, by its label or by that of its namespace; `null` for none. */
export type PeerOf = (it: KubernetesObject) => string | null;

/** @param objects among them the namespaces; of two with one name the first counts. */
export function peersByLabel(objects: Iterable<KubernetesObject>): PeerOf {
  const namespaces = new Map<string, string>();
  for (const it of objects) {
    const peer = labelled(it);
    if (it.kind !== 'Namespace' || peer === null || namespaces.has(it.metadata.name)) continue;
    namespaces.set(it.metadata.name, peer);
  }
  return (it) => labelled(it) ?? namespaces.get(it.metadata.namespace ?? '') ?? null;
}

/** A label may have any text, and an empty one names no cluster. */
const labelled = ({ metadata }: KubernetesObject): string | null => metadata.labels?.[REMOTE_CLUSTER_LABEL] || null;

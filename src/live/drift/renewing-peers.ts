import type { AddressedCluster, AddressedModel } from '../../fleet/ipam/addressed-model.ts';

const known = new WeakMap<AddressedModel, ReadonlySet<string>>();

/** The clusters with which a cluster replaces certificates: a provider signs again, and a consumer copies the answer. */
export function renewingPeers({ traits }: AddressedCluster, model: AddressedModel): ReadonlySet<string> {
  return traits.renewsCertificates ? renewingClusters(model) : NONE;
}

function renewingClusters(model: AddressedModel): ReadonlySet<string> {
  const old = known.get(model);
  if (old !== undefined) return old;
  const names = new Set([...model.clusters.values()].filter((it) => it.traits.renewsCertificates).map((it) => it.name));
  known.set(model, names);
  return names;
}

const NONE: ReadonlySet<string> = new Set();

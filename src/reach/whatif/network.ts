import { oncePer } from '../../base/core/once.ts';
import { moveHost } from '../../base/net/prefix.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import type { Link } from '../../fleet/model/network-model.ts';
import type { OffloadedNamespace, SharedModel } from '../../fleet/sharing/shared-model.ts';
import type { EndpointPath } from '../services/endpoint-paths.ts';
import { type Address, allocatedIn, known, representativePod } from '../trace/address.ts';
import { type PairFates, type PairPath, pairFatesOf, peerNamed } from '../trace/pair-fates.ts';

/** The fates of a model's pairs, which each what-if of the model asks for. */
export const fatesIn: (model: SharedModel) => PairFates = oncePer((model: SharedModel) => pairFatesOf(model));

/** The links of a path, of which the failure of one is enough. */
export function linksOfPath(from: AddressedCluster, to: AddressedCluster, path: PairPath): readonly Link[] {
  switch (path.kind) {
    case 'direct':
      return [path.link];
    case 'through':
      return [peerNamed(from, path.hub).link, peerNamed(to, path.hub).link];
    case 'none':
      return [];
  }
}

/** The links on the way to an endpoint that is delivered. */
export function linksOfEndpoint(
  { cluster: hub, providers }: OffloadedNamespace,
  from: AddressedCluster,
  { cluster, way }: EndpointPath,
): readonly Link[] {
  if (way === 'local' || way === 'none') return [];
  if (way !== 'hub') return [peerNamed(from, cluster).link];
  const to = providers.find((it) => it.name === cluster);
  return [peerNamed(from, hub.name).link, ...(to === undefined ? [] : [peerNamed(to, hub.name).link])];
}

/** The address that a sender dials for a receiver's representative pod on a path. */
export function dialledOn(from: AddressedCluster, to: AddressedCluster, path: PairPath): Address | null {
  switch (path.kind) {
    case 'direct': {
      const view = peerNamed(from, to.name).podViews[0];
      return view === undefined ? null : known(moveHost(representativePod(to), view.seenAs));
    }
    case 'through':
      return allocatedIn(peerNamed(from, path.hub).externalView.seenAs);
    case 'none':
      return null;
  }
}

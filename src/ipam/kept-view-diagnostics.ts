import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import { contradiction } from '../lock/contradiction.ts';
import type { Cluster } from '../model/network-model.ts';
import { overlaps, type Prefix, samePrefix } from '../net/prefix.ts';
import { printPrefix } from '../net/text.ts';
import type { Located } from '../source/located.ts';
import type { OwnAddresses } from './own-addresses.ts';
import { describeRequest, type ViewRequest } from './view-request.ts';

/** Two decisions of the lock that exclude each other. */
export function keptTwice(
  cluster: Cluster,
  request: ViewRequest,
  kept: Located<Prefix>,
  other: ViewRequest,
  earlier: Located<Prefix>,
): Diagnostic {
  const views = samePrefix(kept.value, earlier.value)
    ? `sees both the ${describeRequest(request)} and the ${describeRequest(other)} as ${printPrefix(kept.value)}`
    : `sees the ${describeRequest(request)} as ${printPrefix(kept.value)} and the ${describeRequest(other)} as ${printPrefix(earlier.value)}, which overlap`;
  return contradiction({
    message: `in the lock file "${cluster.name}" ${views}`,
    later: kept.at,
    earlier: { message: 'the other decision', span: earlier.at },
    cluster: cluster.name,
    peer: request.announcement.peer.name,
  });
}

/** A decision of the lock that this cluster can no longer keep. */
export function viewMoved(
  cluster: Cluster,
  request: ViewRequest,
  kept: Located<Prefix>,
  own: OwnAddresses,
): Diagnostic {
  return diagnostic(
    'lock/view-moved',
    cluster.at,
    `"${cluster.name}" can no longer see the ${describeRequest(request)} as ${printPrefix(kept.value)}: ${obstacle(cluster, kept.value, request.cidr, own)}`,
    {
      hint: `delete and recreate the Configuration of "${request.announcement.peer.name}" in "${cluster.name}": a live cluster keeps the old view until then, and flows to the old view break`,
      related: [{ message: 'recorded in the lock file here', span: kept.at }],
    },
  );
}

function obstacle(cluster: Cluster, kept: Prefix, cidr: Prefix, own: OwnAddresses): string {
  if (kept.length !== cidr.length) return `its length is not /${cidr.length}`;
  const ownNetworks: readonly (readonly [string, Prefix])[] = [
    ...cluster.podCIDRs.map((it) => ['pod CIDR', it.value] as const),
    ['service CIDR', cluster.serviceCIDR.value],
    ...cluster.reserved.map((it) => ['reserved network', it.value] as const),
    ['external CIDR', own.externalCIDR],
    ['internal CIDR', own.internalCIDR],
  ];
  const other = ownNetworks.find(([, it]) => overlaps(it, kept));
  return other ? `it overlaps the cluster's own ${other[0]} ${printPrefix(other[1])}` : 'it lies in none of its pools';
}

import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { type Prefix, samePrefix } from '../../base/net/prefix.ts';
import { printPrefix } from '../../base/net/text.ts';
import type { Located } from '../../base/source/located.ts';
import { contradiction } from '../lock/contradiction.ts';
import type { Cluster } from '../model/network-model.ts';
import type { OwnAddresses } from './own-addresses.ts';
import { viewObstacle } from './view-obstacle.ts';
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
    `"${cluster.name}" can no longer see the ${describeRequest(request)} as ${printPrefix(kept.value)}: ${viewObstacle(cluster, own, { cidr: request.cidr, seenAs: kept.value })}`,
    {
      hint: `delete and recreate the Configuration of "${request.announcement.peer.name}" in "${cluster.name}": a live cluster keeps the old view until then, and flows to the old view break`,
      related: [{ message: 'recorded in the lock file here', span: kept.at }],
    },
  );
}

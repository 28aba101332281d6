import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { cidrText } from '../cidr-text.ts';
import type { ExpectedView } from '../expected/expect-addresses.ts';
import type { RebuiltCluster, RebuiltPeer, SeenNetwork } from '../rebuild-network.ts';
import { forEachEnd } from './bundle-check.ts';

/** The views of a cluster are those of the lock, and those that its IPAM assigns when the links join in their order. */
export const viewsFollowTheIpam = forEachEnd(function* (context, cluster, peer) {
  const views = context.addresses.get(cluster.name)?.views?.get(peer.name);
  for (const [i, seen] of peer.views.entries()) {
    const wanted = views?.[i];
    // A view that no file contains is reported by another check.
    if (wanted && seen.seenAs.text !== undefined) yield* follows(seen, wanted, { cluster, peer });
  }
});

interface Pair {
  readonly cluster: RebuiltCluster;
  readonly peer: RebuiltPeer;
}

function* follows(
  { kind, cidr, seenAs }: SeenNetwork,
  { seenAs: given }: ExpectedView,
  { cluster, peer }: Pair,
): Iterable<Diagnostic> {
  if (given !== null && cidrText(given) === seenAs.text) return;
  const assigns = given === null ? 'has no free network for it' : `assigns ${cidrText(given)}`;
  const message = `"${cluster.name}" sees the ${kind} CIDR ${cidr.text} of "${peer.name}" as ${seenAs.text}, but its IPAM ${assigns}`;
  yield diagnostic('verify/view', seenAs.at, message, {
    hint: 'run "weft compile", and commit out/ with the lock file',
  });
}

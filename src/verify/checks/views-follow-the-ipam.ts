import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import { cidrText } from '../cidr-text.ts';
import type { ExpectedView } from '../expected/expect-addresses.ts';
import type { RebuiltCluster, RebuiltPeer, SeenNetwork } from '../rebuild-network.ts';
import { type BundleCheck, ends } from './bundle-check.ts';

/** A cluster calls its peers' networks what its IPAM gives when the links join in their order, and what the lock keeps. */
export const viewsFollowTheIpam: BundleCheck = function* (evidence) {
  for (const [cluster, peer] of ends(evidence)) {
    const views = evidence.addresses.get(cluster.name)?.views?.get(peer.name);
    for (const [i, seen] of peer.views.entries()) {
      const wanted = views?.[i];
      // What no file tells is reported where it is missing.
      if (wanted && seen.seenAs.text !== undefined) yield* follows(seen, wanted, { cluster, peer });
    }
  }
};

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
  const gives = given === null ? 'has no network left for it' : `gives ${cidrText(given)}`;
  const message = `"${cluster.name}" calls the ${kind} CIDR ${cidr.text} of "${peer.name}" ${seenAs.text}, and its IPAM ${gives}`;
  yield diagnostic('verify/view', seenAs.at, message, {
    hint: 'the IPAM is asked for one link after the other in the order of joining; the lock can keep what was given before',
  });
}

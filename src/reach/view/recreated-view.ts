import { printPrefix } from '../../base/net/text.ts';
import { type Peer, viewsOf } from '../../fleet/ipam/addressed-model.ts';

/** The views of a peer that a cluster gets when the Configuration of that peer is deleted and created again. */
export interface RecreatedView {
  readonly cluster: string;
  readonly peer: string;
  /** The pod CIDRs in list order, then the external one. */
  readonly views: readonly RecreatedCidr[];
}

interface RecreatedCidr {
  readonly kind: 'pod' | 'external';
  readonly cidr: string;
  readonly seenAs: string;
  readonly recreatedAs: string;
}

/** @param again the same peer, when its views are assigned last */
export function recreatedView(cluster: string, now: Peer, again: Peer): RecreatedView {
  const next = viewsOf(again);
  const views = viewsOf(now).map(
    ({ cidr, seenAs }, i): RecreatedCidr => ({
      kind: i < now.podViews.length ? 'pod' : 'external',
      cidr: printPrefix(cidr),
      seenAs: printPrefix(seenAs),
      recreatedAs: printPrefix(next[i]?.seenAs ?? seenAs),
    }),
  );
  return { cluster, peer: now.name, views };
}

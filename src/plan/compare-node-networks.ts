import type { Difference } from './difference.ts';
import { viewsOfKind } from './earlier-views.ts';
import { type LinkState, type NetworkState, pairOf } from './network-state.ts';
import { sameTexts } from './same-texts.ts';
import type { ShareState } from './sharing-state.ts';

/** What virtual nodes that run, and go on, have read of their network, and what differs now. */
export function* compareNodeNetworks(before: NetworkState, after: NetworkState): Iterable<Difference> {
  for (const [key, { consumer, provider, slices }] of after.sharing.shares) {
    const earlier = before.sharing.shares.get(key);
    if (earlier === undefined || !hasVirtualNodes(earlier)) continue;
    const [was, is] = [before, after].map(({ links }) => links.get(pairOf(consumer, provider)));
    const because = reasonOf(was, is, consumer);
    const known = new Set(earlier.slices.map((it) => it.name));
    const names = slices.map((it) => it.name).filter((it) => known.has(it));
    if (because !== null && names.length > 0)
      yield { kind: 'node-network-changed', consumer, provider, because, slices: names };
  }
}

/** Both halves of the handshake are in the files. */
const hasVirtualNodes = ({ tenant, identity }: ShareState): boolean =>
  tenant !== null && tenant.condition !== 'Drained' && (identity !== null || tenant.policy === 'TolerateNoHandshake');

type Because = Difference<'node-network-changed'>['because'];

function reasonOf(was: LinkState | undefined, is: LinkState | undefined, consumer: string): Because | null {
  if (!was || !is) return is ? 'link-added' : was ? 'link-removed' : null;
  const [old, now] = [was, is].map((it) => podViews(it, consumer));
  return sameTexts(old ?? [], now ?? []) ? null : 'view-moved';
}

/** The pod CIDRs of the provider, and where the consumer sees them. */
function podViews({ sides }: LinkState, consumer: string): readonly string[] {
  const side = sides.get(consumer);
  return side === undefined ? [] : viewsOfKind(side, 'pod').flatMap((it) => [it.cidr, it.seenAs]);
}

import type { PeerView, SeenBy, SeenCidr } from '../../reach/view/cluster-view.ts';

export const ofKind = (peer: Pick<PeerView, 'views'>, kind: SeenCidr['kind']) =>
  peer.views.filter((it) => it.kind === kind);

/** `10.200.0.0/16 -> 10.71.0.0/16`: a CIDR and how it is seen. */
export const printSeen = ({ cidr, seenAs }: SeenCidr): string => (cidr === seenAs ? cidr : `${cidr} -> ${seenAs}`);

type Mark = keyof typeof LEGENDS;

/** What is special about a link and the views of a peer. */
export const marksOf = (peer: SeenBy & Partial<Pick<PeerView, 'keyless'>>): readonly Mark[] => [
  ...(peer.keyless !== undefined && peer.keyless.length > 0 ? (['no keys'] as const) : []),
  ...(peer.orderDependent ? (['order-dependent'] as const) : []),
  ...(peer.views.some((it) => it.history) ? (['history'] as const) : []),
];

const LEGENDS = {
  'no keys': 'no keys: a gateway of the link has no public key, so it carries nothing; run "weft keys generate"',
  'order-dependent':
    'order-dependent: several peers need the same addresses or a remap, so the address depends on which of them comes first',
  history: 'history: kept from an earlier compile; a fresh rollout would choose another address',
} as const;

/** What the marks of these peers mean, in both directions. */
export function legend(peers: readonly PeerView[]): readonly string[] {
  const marks = new Set(peers.flatMap((it) => [...marksOf(it), ...marksOf(it.seenBy)]));
  return (Object.keys(LEGENDS) as Mark[]).filter((it) => marks.has(it)).map((it) => LEGENDS[it]);
}

import { moreLine, shownOf } from '../../base/core/words.ts';
import type { ClusterView, IndirectView, PeerView } from '../../reach/view/cluster-view.ts';
import { marksOf, ofKind, printSeen } from './seen-cidrs.ts';

/** Clusters behind another one that are named; a hub can have thousands of leaves. */
const NAMED_LEAVES = 12;

/** A row for each pod CIDR of a peer; what is true of the whole link is in the first. */
export function peerRows(peer: PeerView): readonly (readonly string[])[] {
  const pods = ofKind(peer, 'pod').map(printSeen);
  const external = ofKind(peer, 'external').map(printSeen);
  const dials = `${peer.address}:${peer.port}`;
  return pods.map((pod, row) =>
    row === 0
      ? [peer.peer, peer.link, peer.role, dials, pod, external[0] ?? '', marksOf(peer).join(', ')]
      : ['', '', '', '', pod],
  );
}

/** The other direction: how the peers see this cluster. */
export function seenByRows(peers: readonly PeerView[]): readonly (readonly string[])[] {
  return peers.flatMap(({ peer, seenBy }) => {
    const external = ofKind(seenBy, 'external').map(printSeen);
    return ofKind(seenBy, 'pod').map((it, row) =>
      row === 0 ? [peer, printSeen(it), external[0] ?? '', marksOf(seenBy).join(', ')] : ['', printSeen(it)],
    );
  });
}

export const INDIRECT_TITLES = [
  'NO WORKING LINK',
  'THROUGH',
  'ITS PODS SEEN AS',
  'GIVEN AT RUN TIME FROM',
  'SEES SOURCE',
] as const;

/** What a cluster reaches through another one. */
export const indirectRows = ({ indirect }: ClusterView): readonly (readonly string[])[] =>
  shownLeaves(indirect).flatMap(({ cluster, through }) =>
    through.map(({ hub, hubExternalCIDR, seenIn, address, sourceThere }) => [
      cluster,
      hub,
      `${address} in ${seenIn}`,
      `${hubExternalCIDR} of ${hub}`,
      sourceThere,
    ]),
  );

const shownLeaves = (leaves: readonly IndirectView[]): readonly IndirectView[] =>
  leaves.slice(0, shownOf(leaves.length, NAMED_LEAVES));

/** The line that counts the clusters that are not named. */
export function restOfLeaves({ indirect }: ClusterView): readonly string[] {
  return moreLine(indirect.length - shownLeaves(indirect).length, '; -o json lists all');
}

import { by } from '../../base/core/collections.ts';
import { containsAddress, samePrefix } from '../../base/net/prefix.ts';
import { printPrefix, readPrefix } from '../../base/net/text.ts';
import { type AddressedModel, viewsOf } from '../../fleet/ipam/addressed-model.ts';
import { viewObstacle } from '../../fleet/ipam/view-diagnostics.ts';
import { type LiveView, overlappingViews } from '../adopt/live-network.ts';
import type { ObservedCluster } from '../facts/cluster.ts';
import { liveLinks } from '../facts/links.ts';
import { type LinkProblem, linkProblems, type NamedObject } from './link-problems.ts';

/** A problem of a live link that look-ups show beside their answer: it loses packets, or soon may. */
export type LinkFault = Exclude<LinkProblem, { readonly kind: UnshownKind }> | UnkeptView;

/** Problems that answers do not show: no packet depends on them, or another one is shown for the same link. */
const UNSHOWN = [
  ...(['no-objects', 'no-namespace', 'unconfirmed', 'other-network'] as const),
] satisfies readonly LinkProblem['kind'][];

type UnshownKind = (typeof UNSHOWN)[number];

/** Returns the faults of the links between clusters, by cluster, then by peer. */
export function linkFaults(clusters: readonly ObservedCluster[]): readonly LinkFault[] {
  const byName = new Map(clusters.map((it) => [it.cluster, it]));
  return linkProblems(liveLinks(byName), byName)
    .filter(isShown)
    .sort(by((it) => `${it.cluster} ${it.peer}`));
}

function isShown(it: LinkProblem): it is Exclude<LinkProblem, { readonly kind: UnshownKind }> {
  if (UNSHOWN.some((kind) => kind === it.kind) || ('isRemnant' in it && it.isRemnant)) return false;
  return it.kind !== 'dials-another-port' || it.isServersAddress;
}

/** One sentence about a fault of a live link, without a full stop. */
export const faultText = (fault: LinkFault): string => `${fault.cluster} towards ${fault.peer}: ${whatIsWrong(fault)}`;

function whatIsWrong(fault: LinkFault): string {
  switch (fault.kind) {
    case 'same-role':
      return `its gateway and that of ${fault.peer} are of one kind, ${fault.gateway.kind}, and a tunnel needs one of each`;
    case 'no-gateway':
      return fault.isKnown ? 'it has no gateway' : 'its gateways were not read';
    case 'no-configuration':
      return fault.isKnown ? 'it has no Configuration' : 'its Configurations were not read';
    case 'no-view':
      return fault.hasStatus
        ? `the Configuration ${placeText(fault.object)} does not have a network for each CIDR of ${fault.peer}`
        : `the Configuration ${placeText(fault.object)} has no status, so nothing is translated`;
    case 'no-public-key':
      return fault.isKnown
        ? 'it has no PublicKey, so its gateway does not know the peer'
        : 'its PublicKeys were not read';
    case 'several':
      return `it has ${fault.objects.length} ${fault.what}, and Liqo wants one: ${fault.objects.map(placeText).join(', ')}`;
    case 'stale-view':
      return `the Configuration ${placeText(fault.object)} has ${fault.cidr} ${cidrsText(fault.named)}, and ${fault.peer} has ${cidrsText(fault.has)}`;
    case 'stale-local':
      return `the Configuration ${placeText(fault.object)} has ${cidrsText(fault.named)} as its own ${fault.cidr} networks, which are ${cidrsText(fault.has)}`;
    case 'unkept-view':
      return `it sees the ${fault.cidr} CIDR ${fault.network} as ${fault.live} (Configuration ${placeText(fault.object)}), and ${fault.why}; weft cannot compute with that view, so this answer has ${fault.assumed} instead`;
    case 'not-connected':
      return `the Connection ${placeText(fault.object)} is ${fault.value === '' ? 'without a state' : `"${fault.value}"`}`;
    case 'no-connection':
      return 'its gateway has written no Connection';
    case 'dials-another-port':
      return `its gateway dials port ${fault.dials}, and ${fault.peer} offers ${fault.offers}`;
    case 'mtu-differs':
      return `its gateway has the MTU ${fault.mtu ?? 'none'}, and that of ${fault.peer} ${fault.peerMtu ?? 'none'}`;
  }
}

const cidrsText = (cidrs: readonly string[]): string => cidrs.join(', ') || 'none';

const placeText = ({ namespace, name }: NamedObject): string => (namespace === '' ? name : `${namespace}/${name}`);

/** A live view that no cluster can have, so an answer is computed with another network. */
interface UnkeptView {
  readonly kind: 'unkept-view';
  readonly cluster: string;
  readonly peer: string;
  readonly stops: boolean;
  readonly object: NamedObject;
  readonly cidr: 'pod' | 'external';
  /** The peer's own network. */
  readonly network: string;
  readonly live: string;
  readonly assumed: string;
  readonly why: string;
}

/** Returns the live views that a model of the same clusters does not have, because they are impossible. */
export function unkeptViews({ clusters }: AddressedModel, views: readonly LiveView[]): readonly UnkeptView[] {
  const others = new Map(overlappingViews(views).overlapping.map((it) => [it.view, it.other]));
  return views.flatMap((live): readonly UnkeptView[] => {
    const cluster = clusters.get(live.viewer);
    const peer = cluster?.peers.get(live.peer);
    const view = peer && viewsOf(peer).find((it) => samePrefix(it.cidr, live.cidr));
    if (cluster === undefined || view === undefined || samePrefix(view.seenAs, live.seenAs)) return [];
    const other = others.get(live);
    const why =
      other === undefined
        ? viewObstacle(cluster, cluster, live)
        : `it overlaps how the cluster sees "${other.peer}", ${printPrefix(other.seenAs)}`;
    return [
      {
        kind: 'unkept-view',
        cluster: live.viewer,
        peer: live.peer,
        // Packets are lost only if these addresses have another use, which no object shows.
        stops: false,
        object: { kind: 'Configuration', ...live.object },
        cidr: live.kind,
        network: printPrefix(live.cidr),
        live: printPrefix(live.seenAs),
        assumed: printPrefix(view.seenAs),
        why,
      },
    ];
  });
}

/** Returns the faults for an address in the live network, or in the one of the computation. */
export const unkeptAt = (faults: readonly LinkFault[], address: number): readonly LinkFault[] =>
  faults.filter((it) => it.kind === 'unkept-view' && [it.live, it.assumed].some((text) => isIn(text, address)));

function isIn(text: string, address: number): boolean {
  const read = readPrefix(text);
  return read.ok && containsAddress(read.prefix, address);
}

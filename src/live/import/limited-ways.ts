import { contains, type Prefix } from '../../base/net/prefix.ts';
import { printPrefix } from '../../base/net/text.ts';
import { fabricSettings } from '../../base/releases/platforms.ts';
import { traitsOf } from '../../base/releases/traits.ts';
import type { ClusterSpec, Topology } from '../../base/schema-types/topology.ts';
import type { ObservedPolicy, ObservedPorts, PolicyPods } from '../facts/boundaries.ts';
import type { ObservedCluster } from '../facts/cluster.ts';
import type { ClustersById, LiveEnd } from '../facts/links.ts';
import { networkSeenAs, ownCidrs, type SeenNetwork, seenNetworks } from '../facts/networks.ts';
import { supportedRelease } from './infer-installation.ts';

/** The value that decides a direction of a link; `null` where the topology has none. */
export type BoundaryState = NonNullable<ClusterSpec['boundary']> | null;

/** One direction of a link, with all live rules about it. Networks are those that pods have in their own cluster. */
export interface Way {
  /** The ID of the link. */
  readonly link: string;
  readonly from: string;
  readonly to: string;
  /** The values for which weft would write what is there. */
  readonly states: readonly BoundaryState[];
  readonly senders: Pods;
  readonly receivers: Pods;
  /** Rules of the fence; `null` without one. */
  readonly fence: readonly FenceRule[] | null;
  /** Rules of policies in the receiver; `null` where no policy limits what arrives. */
  readonly ingress: readonly PolicyRule[] | null;
  /** Rules of policies in the sender; `null` where no policy limits what is sent. */
  readonly egress: readonly PolicyRule[] | null;
}

export interface Pods {
  readonly networks: readonly string[];
  /** The address of all that are not seen as pods: nodes, and what is behind the cluster. */
  readonly masqueraded: string | null;
  /** True when that address hides the pods, too. */
  readonly areHidden: boolean;
}

interface FenceRule extends ObservedPorts {
  readonly source: string;
  readonly destination: string;
}

export interface PolicyRule extends ObservedPorts {
  readonly namespace: string;
  readonly pods: PolicyPods;
  readonly networks: readonly string[];
}

interface LiveEnds {
  readonly receiver: LiveEnd;
  readonly sender: LiveEnd;
  readonly clusters: ClustersById;
  readonly topology: Topology;
}

export function wayInto(link: string, { receiver, sender, clusters, topology }: LiveEnds): Way {
  const [to, from] = [clusters.get(receiver.cluster), clusters.get(sender.cluster)];
  const fence = to?.boundaries.fences?.find((it) => it.peer === sender.cluster);
  const ingress = policyRulesOf(to?.boundaries.policies ?? [], 'ingress', receiver);
  const egress = policyRulesOf(from?.boundaries.policies ?? [], 'egress', sender);
  const isShut = ingress?.isShut ?? egress?.isShut;
  const cannotTell = to?.boundaries.fences == null || !traitsOf(supportedRelease(to).release.line).hasFences;
  return {
    ...{ link, from: sender.cluster, to: receiver.cluster },
    states: fence
      ? [fence.isClosed ? 'closed' : 'open']
      : isShut === true
        ? ['closed']
        : cannotTell
          ? [null, 'open', ...(isShut === undefined ? (['closed'] as const) : [])]
          : [null],
    senders: podsOf(receiver, from, topology),
    receivers: podsOf(sender, to, topology),
    fence:
      fence?.allowed.map(({ source, destination, ...ports }) => ({
        ...{ ...ports, source: printPrefix(source), destination: printPrefix(destination) },
      })) ?? null,
    ingress: ingress?.rules ?? null,
    egress: egress?.rules ?? null,
  };
}

/** The pods of the remote cluster of an end: as the Configuration there has them, else as they are. */
function podsOf({ configuration, remote: of }: LiveEnd, remote: ObservedCluster | undefined, topology: Topology): Pods {
  const [external] = configuration?.remote.external ?? (remote === undefined ? [] : ownCidrs(remote, 'external'));
  return {
    networks: configuration?.remote.pod ?? (remote === undefined ? [] : ownCidrs(remote, 'pod')),
    masqueraded: external === undefined ? null : external.replace(/\/\d+$/, '/32'),
    areHidden: fabricSettings(null, topology.clusters?.[of]?.cni ?? null).fullMasquerade,
  };
}

/** The networks of a peer in one of a policy, which joins neighbours. */
const partsSeenAs = (network: Prefix, views: readonly SeenNetwork[]): readonly Prefix[] => {
  const whole = views.filter((it) => contains(network, it.seenAs)).map((it) => it.cidr);
  return whole.length > 0 ? whole : [networkSeenAs(network, views) ?? []].flat();
};

/** The rules of policies about the peer of an end; `null` if no policy limits the direction. */
function policyRulesOf(policies: readonly ObservedPolicy[], side: 'ingress' | 'egress', end: LiveEnd) {
  const views = seenNetworks(end.configuration);
  const limiting = policies.flatMap((it) => {
    const rules = it[side];
    return rules === null ? [] : [{ ...rules, namespace: it.namespace, pods: it.pods }];
  });
  if (limiting.length === 0) return null;
  return {
    isShut: limiting.some((it) => it.excluded.some((one) => partsSeenAs(one, views).length > 0)),
    rules: limiting.flatMap(({ namespace, pods, allowed }) =>
      allowed.flatMap(({ networks, ...ports }): readonly PolicyRule[] => {
        const own = networks.flatMap((it) => partsSeenAs(it, views));
        return own.length === 0 ? [] : [{ ...ports, namespace, pods, networks: own.map(printPrefix) }];
      }),
    ),
  };
}

import { containsAddress, moveHost } from '../../base/net/prefix.ts';
import { PROBER_TCP_PORT, PROBER_UDP_PORT } from '../../bundle/conformance/prober-names.ts';
import {
  type AddressedCluster,
  type AddressedModel,
  clusterNamed,
  routedNetworks,
} from '../../fleet/ipam/addressed-model.ts';
import { carriesPackets, type Link, PROBER_NAMESPACE } from '../../fleet/model/network-model.ts';
import { type Paths, pathsOf } from '../../fleet/model/paths.ts';
import type { SharedModel } from '../../fleet/sharing/shared-model.ts';
import { expectedFlow, knownAddresses, smallestMtu } from '../trace/expected-flow.ts';
import type { FateKind } from '../trace/fates.ts';
import { type Trace, trace } from '../trace/trace.ts';
import type { IpMapping } from '../trace/trace-request.ts';

/** A prober that runs: its pod, and the address of the pod in its own cluster. */
export interface Prober {
  readonly cluster: string;
  readonly pod: string;
  readonly address: number;
}

/** The path of packets from one prober to another. */
export type ProbePath =
  | { readonly kind: 'direct'; readonly link: Link['kind'] }
  | { readonly kind: 'through'; readonly hub: string }
  /** By the Service of the receiver's prober, in a namespace of the sender into which the receiver offloads it. */
  | { readonly kind: 'service'; readonly namespace: string }
  /** No compiled path leads there: what answers uses a way that weft did not make. */
  | { readonly kind: 'none' };

/** An address that one prober dials to reach another on one path, and its prediction. */
export interface PlannedProbe {
  /** Counted from 0. */
  readonly id: number;
  readonly from: string;
  readonly to: string;
  readonly path: ProbePath;
  /** The address that the sender dials. */
  readonly dialled: number;
  readonly predicted: Prediction;
  /** The endpoints of a Service: the only one that it must have, and those that it has. */
  readonly endpoints?: { readonly expected: number; readonly found: readonly number[] };
  /** The smallest MTU of all tunnels on the path: a packet of this size must arrive whole. */
  readonly mtuBytes: number;
}

type Prediction =
  /** `source` is the sender's address as the receiver must see it. */
  { readonly kind: 'delivered'; readonly source: number } | { readonly kind: 'lost'; readonly fate: FateKind };

/** A path between two probers that cannot be dialled: none by their own link, whose addresses are known. */
export interface UndialledPath {
  readonly from: string;
  readonly to: string;
  readonly path: Exclude<ProbePath, { readonly kind: 'direct' }>;
  readonly why: UndialledReason;
}

type UndialledReason =
  /** The hub was not read, so the address that it maps to the pod is not known. */
  | 'hub-not-read'
  /** The hub has no IP resource for the prober: it maps only pods that it has offloaded. */
  | 'not-mapped'
  /** The sender does not have the Service. */
  | 'no-service'
  /** Without a path, the pod's own address is dialled; in the sender's cluster it belongs to something else. */
  | 'address-has-other-meaning';

/** A Service in front of a prober of another cluster. */
interface ProberService {
  readonly namespace: string;
  readonly address: number;
  readonly endpoints: readonly number[];
}

/** The probers, and the single addresses that the hubs among the clusters map. */
interface ProberFleet {
  readonly probers: readonly Prober[];
  /** The IP resources of each cluster that was read, by cluster. */
  readonly mappings: ReadonlyMap<string, readonly IpMapping[]>;
  /** The Services with the name of the prober, by the cluster that has them. */
  readonly services: ReadonlyMap<string, readonly ProberService[]>;
  /** True for a pair that is wanted. */
  readonly isWanted: (from: string, to: string) => boolean;
}

interface ProbePlan {
  readonly probes: readonly PlannedProbe[];
  readonly undialled: readonly UndialledPath[];
}

/**
 * Every path between each two probers: by the link of the two, and through each cluster with working links to both. Two probers
 * without any path dial each other's own address, which must lead nowhere.
 */
export function planProbes(model: OffloadingModel, fleet: ProberFleet): ProbePlan {
  const paths = pathsOf(model.links);
  const between = fleet.probers.flatMap((from) =>
    fleet.probers
      .filter((to) => to !== from && fleet.isWanted(from.cluster, to.cluster))
      .flatMap((to) => pathsBetween({ model, paths, mappings: fleet.mappings, from, to })),
  );
  const found = [...between, ...servicesBetween(model, fleet)];
  return {
    probes: found.filter((it) => 'dialled' in it).map((it, id) => ({ ...it, id })),
    undialled: found.filter((it) => 'why' in it),
  };
}

type OffloadingModel = AddressedModel & Pick<SharedModel, 'offloadings'>;

/** The Services of probers whose namespaces are offloaded, from each provider to the prober of the consumer. */
function servicesBetween(model: OffloadingModel, fleet: ProberFleet): readonly (Dialled | UndialledPath)[] {
  const byCluster = new Map(fleet.probers.map((it) => [it.cluster, it]));
  const offloaded = model.offloadings.filter((it) => it.namespace === PROBER_NAMESPACE);
  return offloaded.flatMap(({ cluster: receiver, providers, remoteName }) =>
    providers.flatMap((sender): readonly (Dialled | UndialledPath)[] => {
      const [from, to] = [byCluster.get(sender.name), byCluster.get(receiver.name)];
      const link = sender.peers.get(receiver.name)?.link;
      if (!from || !to || !link || !fleet.isWanted(from.cluster, to.cluster)) return [];
      const path = { kind: 'service', namespace: remoteName } as const;
      const service = fleet.services.get(sender.name)?.find((it) => it.namespace === remoteName);
      if (service === undefined) return [{ from: from.cluster, to: to.cluster, path, why: 'no-service' }];
      // The consumer reflects the pod's address as the provider sees it.
      // Source: liqotech/liqo@v1.2.0 pkg/virtualKubelet/reflection/exposition/endpointslice.go.
      const direct = probeOverLink(model, { from, to, sender, receiver, link });
      const endpoints = { expected: direct.dialled, found: service.endpoints };
      return [{ ...direct, path, dialled: service.address, endpoints }];
    }),
  );
}

type Dialled = Omit<PlannedProbe, 'id'>;

interface ProberPair {
  readonly model: AddressedModel;
  readonly paths: Paths;
  readonly mappings: ProberFleet['mappings'];
  readonly from: Prober;
  readonly to: Prober;
}

function pathsBetween(pair: ProberPair): readonly (Dialled | UndialledPath)[] {
  const { model, paths, from, to } = pair;
  const [sender, receiver] = [clusterNamed(model, from.cluster), clusterNamed(model, to.cluster)];
  const link = sender.peers.get(receiver.name)?.link;
  const hubs = paths.between(sender.name, receiver.name);
  const found = [
    ...(link === undefined ? [] : [probeOverLink(model, { from, to, sender, receiver, link })]),
    ...hubs.map((it) => probeThroughHub(pair, clusterNamed(model, it))),
  ];
  return found.length > 0 ? found : [probeWithoutPath(pair, sender)];
}

interface LinkedProbers {
  readonly from: Prober;
  readonly to: Prober;
  readonly sender: AddressedCluster;
  readonly receiver: AddressedCluster;
  readonly link: Link;
}

/** A link without keys is dialled, too: nothing may answer. */
function probeOverLink(model: AddressedModel, { from, to, sender, receiver, link }: LinkedProbers): Dialled {
  const view = sender.peers.get(receiver.name)?.podViews[podIndex(receiver, to.address)];
  const dialled = view === undefined ? to.address : moveHost(to.address, view.seenAs);
  const tracedTo = (protocol: 'tcp' | 'udp', port: number): Trace =>
    trace(
      { ...model, shares: [] },
      {
        protocol,
        from: { cluster: sender.name, address: from.address },
        to: { kind: 'address', address: dialled, port },
      },
    );
  const [tcp, udp] = [tracedTo('tcp', PROBER_TCP_PORT), tracedTo('udp', PROBER_UDP_PORT)];
  // A prober answers by both protocols, and a fence may refuse one of them.
  const { fate, received } = tcp.fate.kind === 'delivered' ? udp : tcp;
  const source = received?.source;
  return {
    from: sender.name,
    to: receiver.name,
    path: { kind: 'direct', link: link.kind },
    dialled,
    predicted:
      fate.kind === 'delivered' && source?.kind === 'known' && carriesPackets(link)
        ? { kind: 'delivered', source: source.value }
        : { kind: 'lost', fate: fate.kind },
    mtuBytes: link.mtuBytes,
  };
}

/** The index of the pod CIDR that has the address: facts about probers have no others. */
const podIndex = ({ podCIDRs }: AddressedCluster, address: number): number =>
  podCIDRs.findIndex((it) => containsAddress(it.value, address));

function probeThroughHub({ model, mappings, from, to }: ProberPair, hub: AddressedCluster): Dialled | UndialledPath {
  const path = { kind: 'through', hub: hub.name } as const;
  const ends = { from: from.cluster, to: to.cluster };
  const known = mappings.get(hub.name);
  if (known === undefined) return { ...ends, path, why: 'hub-not-read' };
  const flow = expectedFlow(model, from.cluster, to.cluster, {
    fromAddress: from.address,
    toAddress: to.address,
    through: hub.name,
    mappings: known,
  });
  if (flow.mapping?.external.kind !== 'known' || flow.sent?.destination.kind !== 'known')
    return { ...ends, path, why: 'not-mapped' };
  const arriving = knownAddresses(flow);
  return {
    ...ends,
    path,
    dialled: flow.sent.destination.value,
    predicted: arriving ? { kind: 'delivered', source: arriving.expected.source } : { kind: 'lost', fate: flow.fate },
    mtuBytes: smallestMtu(clusterNamed(model, from.cluster), clusterNamed(model, to.cluster), hub),
  };
}

/**
 * The pod's own address: a network below the clusters, a native one of a cloud for instance, may carry it past every
 * link and every assertion.
 */
function probeWithoutPath({ model, from, to }: ProberPair, sender: AddressedCluster): Dialled | UndialledPath {
  const ends = { from: from.cluster, to: to.cluster, path: { kind: 'none' } as const };
  const isElsewhere =
    routedNetworks(sender).first({ base: to.address, length: 32 }) !== undefined ||
    sender.reserved.some((it) => containsAddress(it.value, to.address));
  if (isElsewhere) return { ...ends, why: 'address-has-other-meaning' };
  const { fate } = expectedFlow(model, from.cluster, to.cluster, { fromAddress: from.address, toAddress: to.address });
  return { ...ends, dialled: to.address, predicted: { kind: 'lost', fate }, mtuBytes: SMALLEST_MTU };
}

/** Every IPv4 network carries a packet of this size. Source: RFC 791, the size that every host must accept. */
const SMALLEST_MTU = 576;

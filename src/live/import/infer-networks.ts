import { byCodeUnit, groupBy, mostCommon } from '../../base/core/collections.ts';
import { overlaps } from '../../base/net/prefix.ts';
import { readPrefix } from '../../base/net/text.ts';
import { DEFAULT_EXTERNAL_CIDR, DEFAULT_INTERNAL_CIDR } from '../../base/releases/install-defaults.ts';
import type { ClusterSpec } from '../../base/schema-types/topology.ts';
import type { ObservedCluster, OwnNetwork } from '../facts/cluster.ts';
import type { LiveLink } from '../facts/links.ts';
import { isUsableAs, usableOwn } from '../facts/networks.ts';
import type { CidrLists } from '../facts/peer.ts';
import type { LiveFleet } from './finding.ts';

/** Infers the networks of every cluster: its own or, without usable ones, those that its peers have for it. */
export function inferNetworks({
  clusters,
  links,
  names,
}: Pick<LiveFleet, 'clusters' | 'links' | 'names'>): ReadonlyMap<string, ClusterSpec> {
  const linksOf = groupBy(links, (it) => it.ends.map((end) => end.cluster));
  const services = [...clusters.values()].flatMap(({ own }) =>
    usableOwn('service', own.service)
      .slice(0, 1)
      .map((it) => it.asked),
  );
  const most = mostCommon(services);
  const usual = most !== undefined && most.count > 1 ? [most.value] : [];
  return new Map(
    names.map((id) => {
      const observed = clusters.get(id);
      const own = linksOf.get(id) ?? [];
      if (observed === undefined) return [id, inferUndumped(id, own, usual) ?? {}];
      const known = own.flatMap(({ ends }) => ends.filter((it) => it.remote === id));
      const podOrder = known.flatMap((it) => it.configuration?.remote.pod ?? []);
      return [id, installedNetworks(completed(observed, own, usual), [...new Set(podOrder)])];
    }),
  );
}

/** Adds a network for each role that a topology, or a view of peers, needs. */
function completed(
  { cluster, own }: ObservedCluster,
  links: readonly LiveLink[],
  services: readonly string[],
): ObservedCluster['own'] {
  const usable = {
    pod: usableOwn('pod', own.pod),
    service: usableOwn('service', own.service),
    external: usableOwn('external', own.external),
    internal: usableOwn('internal', own.internal),
    reserved: usableOwn('reserved', own.reserved),
  };
  const known = announcedNetworks(cluster, links)?.networks ?? { pod: [], external: [] };
  const pod = orElse(usable.pod, known.pod);
  const external = orElse(usable.external, known.external);
  const taken = [...pod, ...external].map((it) => it.asked);
  return { ...usable, pod, external, service: orElse(usable.service, assumedService(services, taken)) };
}

const orElse = (networks: readonly OwnNetwork[], cidrs: readonly string[]): readonly OwnNetwork[] =>
  networks.length > 0 ? networks : cidrs.map((asked) => ({ name: '', asked, given: null, isFixed: false }));

type OwnCIDRs = Pick<ClusterSpec, 'podCIDR' | 'serviceCIDR' | 'externalCIDR' | 'internalCIDR' | 'reserved'>;

/** Returns the networks with which Liqo was installed. `podOrder` is the peers' order of the pod CIDRs. */
function installedNetworks(own: ObservedCluster['own'], podOrder: readonly string[]): OwnCIDRs {
  const pods = inOrderOf(
    own.pod.map((it) => it.asked),
    podOrder,
  );
  const reserved = [...own.reserved].sort((a, b) => byPlace(a.name, b.name)).map((it) => it.asked);
  return {
    ...(pods.length === 0 ? {} : { podCIDR: pods.length === 1 ? (pods[0] as string) : [...pods] }),
    ...(own.service[0] === undefined ? {} : { serviceCIDR: own.service[0].asked }),
    ...asked('externalCIDR', own.external[0], DEFAULT_EXTERNAL_CIDR),
    ...asked('internalCIDR', own.internal[0], DEFAULT_INTERNAL_CIDR),
    ...(reserved.length === 0 ? {} : { reserved }),
  };
}

/** Since 1.2, configured networks have a label, and others may be moved; before, all may be moved. */
function asked(
  key: 'externalCIDR' | 'internalCIDR',
  network: OwnNetwork | undefined,
  byDefault: string,
): Partial<OwnCIDRs> {
  return network === undefined || (network.asked === byDefault && !network.isFixed) ? {} : { [key]: network.asked };
}

/** Sorts known CIDRs first, in their order; the others keep theirs. */
function inOrderOf(cidrs: readonly string[], order: readonly string[]): readonly string[] {
  const place = new Map(order.map((it, index) => [it, index]));
  return [...cidrs].sort((a, b) => (place.get(a) ?? order.length) - (place.get(b) ?? order.length));
}

/** Sorts `reserved-2` before `reserved-10`: up to 1.1 the number is the order; since then names contain the CIDR. */
function byPlace(a: string, b: string): number {
  const [x, y] = [a, b].map((it) => /^reserved-(\d+)$/.exec(it)?.[1]);
  return x !== undefined && y !== undefined ? Number(x) - Number(y) : byCodeUnit(a, b);
}

/** Default Service networks of kubeadm, EKS, k3s and RKE2, for a cluster whose network is unknown. */
const USUAL_SERVICES = ['10.96.0.0/12', '172.20.0.0/16', '10.43.0.0/16', '192.168.192.0/20'];

/**
 * Infers a cluster without a dump from its peers' Configurations. Its Service network is invisible from outside, so any
 * possible one is assumed, without an effect on other clusters.
 */
export function inferUndumped(
  cluster: string,
  links: readonly LiveLink[],
  services: readonly string[],
): ClusterSpec | null {
  const networks = announcedNetworks(cluster, links)?.networks;
  const [external] = networks?.external ?? [];
  if (networks === undefined || external === undefined) return null;
  const [service] = assumedService(services, [...networks.pod, external]);
  return {
    podCIDR: networks.pod.length === 1 ? (networks.pod[0] as string) : [...networks.pod],
    ...(service === undefined ? {} : { serviceCIDR: service }),
    ...(external === DEFAULT_EXTERNAL_CIDR ? {} : { externalCIDR: external }),
  };
}

/** Returns a Service network that is not taken, preferably a common one of the fleet; empty if all are taken. */
const assumedService = (services: readonly string[], taken: readonly string[]): readonly string[] =>
  [...services, ...USUAL_SERVICES].filter((it) => isFree(it, taken)).slice(0, 1);

function isFree(text: string, taken: readonly string[]): boolean {
  const prefix = readPrefix(text);
  return taken.every((it) => {
    const other = readPrefix(it);
    return prefix.ok && (!other.ok || !overlaps(prefix.prefix, other.prefix));
  });
}

interface AnnouncedNetworks {
  readonly networks: CidrLists;
  /** The peers with these networks, sorted. */
  readonly peers: readonly string[];
}

/** Returns the pod and external CIDRs of a cluster in most of its peers' Configurations; `null` when none has both. */
export function announcedNetworks(cluster: string, links: readonly LiveLink[]): AnnouncedNetworks | null {
  const known = links.flatMap(({ ends }) =>
    ends.flatMap(({ remote, configuration, cluster: peer }) =>
      remote === cluster && configuration !== null && isWhole(configuration.remote)
        ? [{ peer, networks: configuration.remote }]
        : [],
    ),
  );
  const networks = mostCommon(known.map((it) => it.networks))?.value;
  if (networks === undefined) return null;
  const found = JSON.stringify(networks);
  return { networks, peers: known.filter((it) => JSON.stringify(it.networks) === found).map((it) => it.peer) };
}

const isWhole = ({ pod, external }: CidrLists): boolean =>
  pod.length > 0 &&
  external.length > 0 &&
  pod.every((it) => isUsableAs('pod', it)) &&
  external.every((it) => isUsableAs('external', it));

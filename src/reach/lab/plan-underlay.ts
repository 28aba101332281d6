import { sortedUnique } from '../../base/core/collections.ts';
import { overlaps, type Prefix } from '../../base/net/prefix.ts';
import { prefixOf, printAddress, readAddress } from '../../base/net/text.ts';
import { DEFAULT_INTERFACE } from '../../base/releases/gateways.ts';
import { render } from '../../base/text/render.ts';
import { type AddressedCluster, viewsOf } from '../../fleet/ipam/addressed-model.ts';
import { type Link, listenPortOf } from '../../fleet/model/network-model.ts';
import type { Cable, LabNamespace } from './lab-plan.ts';
import { deviceFromUnderlay, gatewayNamespace, type LabScope, LOOPBACK, UNDERLAY } from './lab-scope.ts';

/** The network between the clusters: one router, a cable to each gateway, and the addresses that clients dial. */
export interface Underlay {
  readonly namespace: LabNamespace;
  readonly cables: readonly Cable[];
  /** Address of the router, which is the default gateway of every gateway. */
  readonly router: number;
  /** The outer address of each gateway, by the name of its namespace. */
  readonly addresses: ReadonlyMap<string, number>;
  /** The address that the client of each link dials. */
  readonly dialled: ReadonlyMap<Link, number>;
}

/** Bytes that WireGuard adds to a packet over IPv6; over IPv4 it adds 60. */
const WIREGUARD_OVERHEAD_BYTES = 80;

const ETHERNET_MTU_BYTES = 1500;

/** Source: linux include/uapi/linux/if_ether.h (ETH_MAX_MTU). */
const LARGEST_MTU_BYTES = 65535;

/** @param states all states that the lab goes through, in which a gateway keeps its address */
export function planUnderlay(scope: LabScope, states: readonly LabScope[]): Underlay {
  const block = freeBlock(states);
  const gateways = gatewaysIn(states);
  const router = block.base + 1;
  const addresses = new Map(gateways.map((it, index) => [it.namespace, router + 1 + index]));
  const dialled = dialledAddresses(scope.links, states, block);
  const routes = gateways.map(({ namespace }, index) => {
    const base = addresses.get(namespace) ?? 0;
    return { table: null, to: { base, length: 32 }, via: null, device: deviceFromUnderlay(index) };
  });
  const text = render('lab/dialled-addresses', {
    rules: scope.links.flatMap((it) => dialRules(it, listenPortsOf(it, states), addresses, dialled)),
  });
  return {
    namespace: {
      name: UNDERLAY,
      kind: 'underlay',
      addresses: [{ device: LOOPBACK, address: router }],
      routes,
      rules: [],
      rulesets: [{ name: 'what clients dial', text }],
    },
    cables: gateways.map(({ namespace, mtuBytes }, index) => ({
      ends: [
        { namespace: UNDERLAY, device: deviceFromUnderlay(index) },
        { namespace, device: DEFAULT_INTERFACE },
      ],
      mtuBytes,
    })),
    router,
    addresses,
    dialled,
  };
}

/** Every gateway of any state, with the largest MTU that it needs outside. */
function gatewaysIn(states: readonly LabScope[]): readonly { readonly namespace: string; readonly mtuBytes: number }[] {
  const mtus = new Map<string, number>();
  for (const { clusters } of states)
    for (const { cluster, peers } of clusters)
      for (const { name, link } of peers.values()) {
        const namespace = gatewayNamespace(cluster.name, name);
        mtus.set(namespace, Math.max(mtus.get(namespace) ?? 0, underlayMtu(link)));
      }
  return [...mtus].map(([namespace, mtuBytes]) => ({ namespace, mtuBytes }));
}

const underlayMtu = ({ mtuBytes }: Link): number =>
  Math.min(LARGEST_MTU_BYTES, Math.max(ETHERNET_MTU_BYTES, mtuBytes + WIREGUARD_OVERHEAD_BYTES));

/** The ports on which the server listens in any state. */
const listenPortsOf = ({ server, client }: Link, states: readonly LabScope[]): readonly number[] => {
  const links = states.flatMap((it) => it.links).filter((it) => it.server.cluster.name === server.cluster.name);
  return [...new Set(links.filter((it) => it.client.cluster.name === client.cluster.name).map(listenPortOf))];
};

/**
 * Replaces a NodePort, a load balancer or a NAT: the dialled address and port become the gateway's own, and those of its
 * answers the dialled ones. No state is kept, as after a change of a Service, for which kube-proxy forgets the old one. The
 * answers of a gateway that is about to stop are still translated: a client would follow one from another address, and dial it
 * for ever.
 */
function dialRules(
  link: Link,
  listenPorts: readonly number[],
  addresses: ReadonlyMap<string, number>,
  dialled: ReadonlyMap<Link, number>,
): readonly string[] {
  const gateway = addresses.get(gatewayNamespace(link.server.cluster.name, link.client.cluster.name)) ?? 0;
  const own = { address: printAddress(gateway), port: listenPortOf(link) };
  const outside = { address: printAddress(dialled.get(link) ?? 0), port: link.endpoint.port };
  return [
    `ip daddr ${outside.address} udp dport ${outside.port} ip daddr set ${own.address} udp dport set ${own.port} notrack accept`,
    ...listenPorts.map(
      (port) =>
        `ip saddr ${own.address} udp sport ${port} ip saddr set ${outside.address} udp sport set ${outside.port} notrack accept`,
    ),
  ];
}

/** The compiled address if it is an IPv4 address; else, for a DNS name, one of the lab's, equal for equal names. */
function dialledAddresses(
  links: readonly Link[],
  states: readonly LabScope[],
  block: Prefix,
): ReadonlyMap<Link, number> {
  const names = sortedUnique(states.flatMap((scope) => scope.links.map((it) => it.endpoint.address)));
  const ofName = new Map(names.map((it, index) => [it, usable(it) ?? block.base + NAMED_HOSTS + index]));
  return new Map(links.map((it) => [it, ofName.get(it.endpoint.address) ?? 0]));
}

/** Offset of the addresses for DNS names in the block; addresses of gateways are below it. */
const NAMED_HOSTS = 0xc000;

/** Returns the address if it can belong to a host: neither loopback nor multicast. */
function usable(text: string): number | undefined {
  const address = readAddress(text);
  if (address === undefined) return undefined;
  const first = address >>> 24;
  return first >= 1 && first <= 223 && first !== 127 ? address : undefined;
}

/**
 * Candidate blocks: first the shared address space, then the benchmark networks, then private networks. Source: RFC
 * 6598, RFC 2544, RFC 1918.
 */
const BLOCKS: readonly (readonly [text: string, count: number])[] = [
  ['100.64.0.0/16', 64],
  ['198.18.0.0/16', 2],
  ['172.16.0.0/16', 16],
  ['192.168.0.0/16', 1],
  ['10.0.0.0/16', 256],
];

/** A /16 that overlaps no network or view of a cluster in the lab. */
function freeBlock(states: readonly LabScope[]): Prefix {
  const dialled = states.flatMap(({ links }) => links.flatMap((it) => usable(it.endpoint.address) ?? []));
  const taken = [
    ...states.flatMap(({ clusters }) => clusters.flatMap(({ cluster }) => networksOf(cluster))),
    ...dialled.map((base): Prefix => ({ base, length: 32 })),
  ];
  const blocks = BLOCKS.flatMap(([text, count]) => {
    const { base, length } = prefixOf(text);
    return Array.from({ length: count }, (_, index): Prefix => ({ base: base + index * 2 ** (32 - length), length }));
  });
  return blocks.find((it) => !taken.some((other) => overlaps(it, other))) ?? prefixOf('100.64.0.0/16');
}

const networksOf = (cluster: AddressedCluster): readonly Prefix[] => [
  ...cluster.podCIDRs.map((it) => it.value),
  cluster.externalCIDR,
  cluster.internalCIDR,
  ...[...cluster.peers.values()].flatMap((it) => viewsOf(it).flatMap((view) => [view.cidr, view.seenAs])),
];

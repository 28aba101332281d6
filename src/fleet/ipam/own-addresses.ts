import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { overlaps, type Prefix, samePrefix } from '../../base/net/prefix.ts';
import { printPrefix } from '../../base/net/text.ts';
import type { CidrRequest, Cluster } from '../model/network-model.ts';
import { type AddressedCluster, viewsOf } from './addressed-model.ts';
import type { Allocator } from './allocators/allocator.ts';
import { createAllocator } from './allocators/create-allocator.ts';

/** The known carved blocks of a cluster with `auto`. */
interface OwnBlocks {
  readonly external?: Prefix | undefined;
  readonly internal?: Prefix | undefined;
}

/** The networks that a cluster reserves for itself before any peer, and the IPAM in that state. */
export interface OwnAddresses {
  readonly externalCIDR: Prefix;
  readonly internalCIDR: Prefix;
  readonly ipam: Allocator;
  readonly found: readonly Diagnostic[];
}

/**
 * Reserves the own networks in Liqo's start-up order: pod, service and reserved networks exactly as declared, then
 * external, then internal. Up to 1.1 and in best-fit the last two are moved when they collide; in 1.2 only when the
 * topology sets no value. Source: liqotech/liqo@v1.2.0 and @v1.1.2 deployments/liqo/templates (ipam Networks),
 * pkg/ipam/core/ipam.go.
 */
export function placeOwnAddresses(cluster: Cluster, blocks: OwnBlocks): OwnAddresses {
  const found: Diagnostic[] = [];
  const ipam = createAllocator(
    cluster.allocator,
    cluster.pools.map((it) => it.value),
  );
  for (const { value } of [...cluster.podCIDRs, cluster.serviceCIDR, ...cluster.reserved]) ipam.reserve(value, true);
  const externalCIDR = place('external', cluster.external, cluster, blocks.external, ipam, found);
  const internalCIDR = place('internal', cluster.internal, cluster, blocks.internal, ipam, found);
  return { externalCIDR, internalCIDR, ipam, found };
}

/** The IPAM of a cluster in the state after its own networks and its views of all peers. */
export function ipamOf(cluster: AddressedCluster): Allocator {
  const { ipam } = placeOwnAddresses(cluster, { external: cluster.externalCIDR, internal: cluster.internalCIDR });
  for (const peer of cluster.peers.values()) for (const { seenAs } of viewsOf(peer)) ipam.reserve(seenAs, false);
  return ipam;
}

function place(
  role: 'external' | 'internal',
  request: CidrRequest,
  cluster: Cluster,
  block: Prefix | undefined,
  ipam: Allocator,
  found: Diagnostic[],
): Prefix {
  const wanted = request.kind === 'auto' ? (block ?? { base: 0, length: 32 }) : request.prefix;
  if (request.kind === 'auto') {
    ipam.reserve(wanted, false);
    return wanted;
  }
  const exact = request.kind === 'explicit' && cluster.traits.pinsExplicitOwnCIDRs;
  const given = exact ? ipam.reserve(wanted, false) : ipam.acquire(wanted);
  if (!given.ok) {
    found.push(exact ? collides(role, wanted, request, cluster) : noRoomForOwn(role, wanted, request, cluster));
    return wanted;
  }
  if (!samePrefix(given.prefix, wanted)) found.push(moved(role, wanted, given.prefix, request, cluster));
  return given.prefix;
}

/** The first of the cluster's own CIDRs that overlaps the wanted one, with its role. */
function overlappedCIDR(
  wanted: Prefix,
  role: string,
  cluster: Cluster,
): { readonly text: string; readonly at: Diagnostic['span'] } | undefined {
  const own = [
    ...cluster.podCIDRs.map((it) => ({ ...it, role: 'pod CIDR' })),
    { ...cluster.serviceCIDR, role: 'service CIDR' },
    ...cluster.reserved.map((it) => ({ ...it, role: 'reserved network' })),
    ...(role === 'internal' && cluster.external.kind !== 'auto'
      ? [{ value: cluster.external.prefix, at: cluster.external.at, role: 'external CIDR' }]
      : []),
  ];
  const other = own.find((it) => overlaps(it.value, wanted));
  return other && { text: `${other.role} ${printPrefix(other.value)}`, at: other.at };
}

function collides(role: string, wanted: Prefix, request: CidrRequest, cluster: Cluster): Diagnostic {
  const other = overlappedCIDR(wanted, role, cluster);
  return diagnostic(
    'ipam/own-cidr-collides',
    request.at,
    `${role} CIDR ${printPrefix(wanted)} of "${cluster.name}" collides with its ${other?.text ?? 'other networks'}, and Liqo ${cluster.release.line} does not start with it`,
    {
      hint: 'set another network, or `auto`',
      related: other && [{ message: other.text, span: other.at }],
    },
  );
}

function noRoomForOwn(role: string, wanted: Prefix, request: CidrRequest, cluster: Cluster): Diagnostic {
  return diagnostic(
    'ipam/exhausted',
    request.at,
    `no network of length /${wanted.length} is left in the pools of "${cluster.name}" for its ${role} CIDR`,
    {
      hint: 'reserve fewer networks, or add a pool with `ipam.pools`',
    },
  );
}

function moved(role: string, wanted: Prefix, given: Prefix, request: CidrRequest, cluster: Cluster): Diagnostic {
  const other = overlappedCIDR(wanted, role, cluster);
  return diagnostic(
    'ipam/own-cidr-moved',
    request.at,
    `Liqo moves the ${role} CIDR of "${cluster.name}" from ${printPrefix(wanted)} to ${printPrefix(given)}${role === 'external' ? ', and peers get the new one' : ''}`,
    {
      about: [[cluster.name]],
      hint: `set \`${role}CIDR\` to ${printPrefix(given)} or \`auto\`, so that the topology has the network that Liqo uses`,
      related: other && [{ message: `it collides with the ${other.text}`, span: other.at }],
    },
  );
}

import { smallest } from '../../base/core/collections.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import type { Address } from './address.ts';
import type { FateKind } from './fates.ts';
import type { TracedNetwork, Transport } from './packet.ts';
import { type NextHop, trace } from './trace.ts';
import type { IpMapping } from './trace-request.ts';

/** The addresses that packets between two clusters must have at both ends. */
export interface ExpectedFlow {
  readonly from: string;
  readonly to: string;
  readonly route: NextHop;
  readonly fate: FateKind;
  /** The packet that the sender sends; `null` without a destination. */
  readonly sent: Ends | null;
  /** The packet that the receiver gets; `null` when it gets none. */
  readonly received: Ends | null;
  /**
   * The IP resource that the hub must have: `real` is the pod from the hub's point of view, `external` the address that
   * the hub maps to it. Unless `options.mappings` contains it, only the network of `external` and of `sent.destination`
   * is known.
   */
  readonly mapping: { readonly hub: string; readonly real: number; readonly external: Address } | null;
}

interface Ends {
  readonly source: Address;
  readonly destination: Address;
}

export interface FlowOptions {
  /** Addresses as their own clusters use them; by default the representative pods. */
  readonly fromAddress?: number;
  readonly toAddress?: number;
  readonly fromNode?: boolean;
  /** A hub that the packet passes even if there is a shorter path. */
  readonly through?: string;
  readonly mappings?: readonly IpMapping[];
}

/**
 * The flow with which packets that were sent are compared. It takes every mapping for one that exists, with or without a loan:
 * a lab makes them, and probes read them from live clusters.
 */
export function expectedFlow(
  model: Omit<TracedNetwork, 'shares'>,
  from: string,
  to: string,
  options: FlowOptions = {},
): ExpectedFlow {
  const { fromAddress = null, toAddress = null, ...rest } = options;
  const traced = trace(
    { ...model, shares: [] },
    {
      ...rest,
      from: { cluster: from, address: fromAddress },
      to: { kind: 'cluster', cluster: to, address: toAddress },
    },
  );
  const { route, fate, sent, received, mapping } = traced;
  return {
    from,
    to,
    route,
    fate: fate.kind,
    sent,
    received,
    mapping: mapping && { hub: mapping.cluster, real: mapping.real, external: mapping.external },
  };
}

interface LimitedFlow {
  readonly from: string;
  readonly to: string;
  readonly options: FlowOptions;
  readonly transport: Transport;
}

/** True when no fence refuses the packet by the path that it takes without fences. */
export function passesBoundaries(
  model: Omit<TracedNetwork, 'shares'>,
  { from, to, options, transport }: LimitedFlow,
  { route }: ExpectedFlow,
): boolean {
  const { fromAddress = null, toAddress = null, ...rest } = options;
  const traced = trace(
    { ...model, shares: [] },
    {
      ...rest,
      protocol: transport.protocol ?? 'tcp',
      from: { cluster: from, address: fromAddress },
      to: { kind: 'cluster', cluster: to, address: toAddress, port: transport.port },
    },
  );
  return traced.fate.kind === 'delivered' && traced.route.kind === route.kind;
}

/** The addresses of a packet that arrives, at both ends. */
interface KnownFlow {
  readonly dialled: number;
  readonly expected: { readonly source: number; readonly destination: number };
}

/** Addresses of a packet that arrives; `undefined` unless it arrives and all of its addresses are known. */
export function knownAddresses({ fate, sent, received }: ExpectedFlow): KnownFlow | undefined {
  if (fate !== 'delivered') return undefined;
  const dialled = knownValue(sent?.destination);
  const source = knownValue(received?.source);
  const destination = knownValue(received?.destination);
  if (dialled === undefined || source === undefined || destination === undefined) return undefined;
  return { dialled, expected: { source, destination } };
}

const knownValue = (address: Address | undefined): number | undefined =>
  address?.kind === 'known' ? address.value : undefined;

/** The smallest MTU of all tunnels on the way, which passes a hub or uses the link of the two. */
export function smallestMtu(from: AddressedCluster, to: AddressedCluster, hub: AddressedCluster | null): number {
  const ahead = from.peers.get((hub ?? to).name);
  const onward = hub?.peers.get(to.name);
  return smallest([ahead, onward].flatMap((it) => (it === undefined ? [] : [it.link.mtuBytes])));
}

import { sortedRecord } from '../../base/core/collections.ts';
import type { Prefix } from '../../base/net/prefix.ts';
import { printAddress, symbolicAddress } from '../../base/net/text.ts';
import { MANAGED_BY_LABEL, OFFLOADING_DESTINATION_LABEL, OFFLOADING_ORIGIN_LABEL } from '../../base/releases/labels.ts';
import type { Located } from '../../base/source/source.ts';
import type { View } from '../../fleet/ipam/addressed-model.ts';
import type { Link } from '../../fleet/model/network-model.ts';

export type TranslateInput =
  | { readonly kind: 'addresses'; readonly addresses: readonly Located<number>[] }
  | { readonly kind: 'slices'; readonly slices: readonly InputSlice[] };

/** An EndpointSlice of IPv4 addresses in the hub. */
export interface InputSlice {
  readonly name: string;
  readonly namespace: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly endpoints: readonly InputEndpoint[];
  /** The ports, unchanged; `undefined` when there are none. */
  readonly ports: Json | undefined;
}

export interface InputEndpoint {
  readonly addresses: readonly Located<number>[];
  /** The unchanged endpoint. */
  readonly plain: JsonMap;
}

/**
 * True when the hub can find the cluster of the endpoint's pod. Direct connections are used only for such endpoints.
 */
export const isAttributed = (plain: JsonMap): boolean =>
  plain['targetRef'] !== undefined && plain['targetRef'] !== null;

/** A value in a Kubernetes object. Members that are `undefined` are left out. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

export type JsonMap = { readonly [key: string]: Json | undefined };

/**
 * The kind of path by which an endpoint of the hub reaches a provider: through the hub, over a direct connection of
 * upstream 1.2, or over a shortcut of the fork.
 */
export type Way = 'hub' | 'direct' | 'shortcut';

export const WAYS: readonly Way[] = ['hub', 'direct', 'shortcut'];

/** The owner of the pod behind an address of the hub. */
export type EndpointOwner =
  /** The hub's own pod. */
  | { readonly kind: 'own' }
  /** A pod of a peer, which the hub sees in `view`. `real` is the address that the peer uses. */
  | { readonly kind: 'peer'; readonly peer: string; readonly view: View; readonly real: number };

/** The result for one address. */
export type Arrival =
  /** The pod runs in the receiver, which already has the endpoint. */
  | { readonly kind: 'skipped' }
  /** `sent` is in the ShadowEndpointSlice, `received` is in the EndpointSlice that the receiver creates from it. */
  | { readonly kind: 'known'; readonly sent: number; readonly received: number; readonly by: 'configuration' | 'label' }
  /** An IP resource is mapped to the pod. Its address is assigned at run time, from these two views of one network. */
  | { readonly kind: 'run-time'; readonly sentIn: Prefix; readonly receivedIn: Prefix }
  /** The fork drops the address, because it keeps only another address of the endpoint, which uses the shortcut. */
  | { readonly kind: 'dropped' }
  /** The receiver cannot map the address, and creates no slice. */
  | { readonly kind: 'refused' };

export interface ExplainedArrival {
  readonly arrival: Arrival;
  /** The reasons in order, as whole sentences. */
  readonly why: readonly string[];
}

/** One address with its result for each kind of path that the fleet has. */
export interface TranslatedAddress {
  readonly address: number;
  readonly owner: EndpointOwner;
  readonly arrivals: Readonly<Partial<Record<Way, ExplainedArrival>>>;
}

/** A kind of path, and whether it exists between the two clusters. */
export interface WayState {
  readonly way: Way;
  /** The reason why there is no such path; `null` when there is one. */
  readonly absent: string | null;
}

export interface TranslatedSlice {
  readonly slice: InputSlice;
  /** One list per endpoint, in the order of the slice. */
  readonly endpoints: readonly (readonly TranslatedAddress[])[];
  readonly results: Readonly<Partial<Record<Way, SliceResult>>>;
}

/** The results for a slice as a whole, for one kind of path. */
export interface SliceResult {
  /** Labels that the hub adds to the ShadowEndpointSlice, besides those of every reflected slice. */
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** The reason why the receiver does not get the slice; `null` when it does. */
  readonly refused: string | null;
}

export interface Translation {
  /** The cluster that has the endpoints. */
  readonly hub: string;
  readonly receiver: string;
  /** True when the link of the two carries packets; otherwise the receiver treats endpoints as not ready. */
  readonly isLinkUp: boolean;
  /** Links without keys on the paths to the received addresses: packets to these addresses are lost. */
  readonly keyless: readonly Link[];
  readonly ways: readonly WayState[];
  readonly translated:
    | { readonly kind: 'addresses'; readonly addresses: readonly TranslatedAddress[] }
    | { readonly kind: 'slices'; readonly slices: readonly TranslatedSlice[] };
}

/**
 * The EndpointSlice that the receiver creates, with labels and annotations of the hub's slice and without values that
 * only apply to one cluster. The namespace is left out: it depends on the offloading of the hub's namespace. Source:
 * liqotech/liqo@v1.2.0 pkg/virtualKubelet/forge/endpointslices.go,
 * pkg/liqo-controller-manager/offloading/shadowendpointslice-controller.
 */
export function receivedSlice(
  { hub, receiver, isLinkUp }: Translation,
  { slice, endpoints, results }: TranslatedSlice,
  way: Way,
): JsonMap {
  const result = results[way];
  const annotations = { ...slice.annotations, ...result?.annotations };
  const labels = {
    ...slice.labels,
    'endpointslice.kubernetes.io/managed-by': 'endpointslice.reflection.liqo.io',
    [MANAGED_BY_LABEL]: 'shadowendpointslice',
    [OFFLOADING_DESTINATION_LABEL]: receiver,
    [OFFLOADING_ORIGIN_LABEL]: hub,
    ...result?.labels,
  };
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: slice.name,
      labels: sortedRecord(labels),
      annotations: Object.keys(annotations).length === 0 ? undefined : sortedRecord(annotations),
    },
    addressType: 'IPv4',
    endpoints: endpoints.flatMap((addresses, index) => {
      const texts = addresses.flatMap((it) => addressTexts(it.arrivals[way]?.arrival));
      return texts.length === 0
        ? []
        : [receivedEndpoint({ hub, isLinkUp }, slice.endpoints[index]?.plain ?? {}, texts)];
    }),
    ports: slice.ports,
  };
}

/** The endpoint that the receiver creates: its node is the hub, and its target gets a remote kind. */
function receivedEndpoint(
  { hub, isLinkUp }: Pick<Translation, 'hub' | 'isLinkUp'>,
  plain: JsonMap,
  addresses: readonly string[],
): JsonMap {
  const ready = isMap(plain['conditions']) ? plain['conditions']['ready'] : undefined;
  const target = plain['targetRef'];
  return {
    addresses,
    // The receiver treats an endpoint as not ready while the network to its origin is down. Source:
    // liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading/shadowendpointslice-controller.
    conditions: { ready: isLinkUp && ready !== false },
    hostname: plain['hostname'],
    targetRef: isMap(target) ? { ...target, kind: `Remote${String(target['kind'] ?? '')}` } : undefined,
    nodeName: hub,
    zone: plain['zone'],
    hints: plain['hints'],
  };
}

function addressTexts(arrival: Arrival | undefined): readonly string[] {
  if (arrival?.kind === 'known') return [printAddress(arrival.received)];
  return arrival?.kind === 'run-time' ? [symbolicAddress(arrival.receivedIn)] : [];
}

const isMap = (value: Json | undefined): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

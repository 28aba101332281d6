import type { Prefix } from '../../base/net/prefix.ts';
import type { View } from '../../fleet/ipam/addressed-model.ts';
import type { Link } from '../../fleet/model/network-model.ts';
import type { InputSlice } from './translate-input.ts';

/**
 * The way by which an endpoint of the hub reaches a provider: through the hub, over a direct connection of upstream
 * 1.2, or over a shortcut of the fork.
 */
export type Way = 'hub' | 'direct' | 'shortcut';

export const WAYS: readonly Way[] = ['hub', 'direct', 'shortcut'];

/** The owner of the pod with an address of the hub. */
export type Owner =
  /** The hub's own pod. */
  | { readonly kind: 'own' }
  /** A pod of a peer; the hub sees it in `view`. */
  | { readonly kind: 'peer'; readonly peer: string; readonly view: View; readonly real: number };

/** The result for one address. */
export type Arrival =
  /** The pod runs in the receiver, which has the endpoint already. */
  | { readonly kind: 'skipped' }
  /** `sent` is in the ShadowEndpointSlice, `received` in the EndpointSlice that the receiver creates from it. */
  | { readonly kind: 'known'; readonly sent: number; readonly received: number; readonly by: 'configuration' | 'label' }
  /**
   * An IP resource is mapped to the pod; it gets its address at run time from these networks, two views of one network.
   */
  | { readonly kind: 'run-time'; readonly sentIn: Prefix; readonly receivedIn: Prefix }
  /** The fork keeps only another address of the endpoint, which uses the shortcut. */
  | { readonly kind: 'dropped' }
  /** The receiver cannot map it, and creates no slice. */
  | { readonly kind: 'refused' };

export interface ExplainedArrival {
  readonly arrival: Arrival;
  /** The reasons, step by step, as whole sentences. */
  readonly why: readonly string[];
}

/** One address with its result on every way that the fleet has. */
export interface TranslatedAddress {
  readonly address: number;
  readonly owner: Owner;
  readonly arrivals: Readonly<Partial<Record<Way, ExplainedArrival>>>;
}

/** States whether a way exists between the two clusters. */
export interface WayState {
  readonly way: Way;
  /** Why there is no such way here; `null` where there is. */
  readonly absent: string | null;
}

export interface TranslatedSlice {
  readonly slice: InputSlice;
  /** One list per endpoint, in the order of the slice. */
  readonly endpoints: readonly (readonly TranslatedAddress[])[];
  readonly results: Readonly<Partial<Record<Way, SliceResult>>>;
}

/** The results for a slice as a whole on one way. */
export interface SliceResult {
  /** Labels that the hub adds to the ShadowEndpointSlice, besides those of every reflected slice. */
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Why the receiver does not get the slice at all; `null` when it does. */
  readonly refused: string | null;
}

export interface Translation {
  /** The cluster that has the endpoints. */
  readonly hub: string;
  readonly receiver: string;
  /** True when the link of the two carries packets; the receiver takes endpoints as not ready while it does not. */
  readonly isLinkUp: boolean;
  /** Links without keys on the way to the received addresses: packets to these are lost. */
  readonly keyless: readonly Link[];
  readonly ways: readonly WayState[];
  readonly translated:
    | { readonly kind: 'addresses'; readonly addresses: readonly TranslatedAddress[] }
    | { readonly kind: 'slices'; readonly slices: readonly TranslatedSlice[] };
}

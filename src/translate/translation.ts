import type { View } from '../ipam/addressed-model.ts';
import type { Prefix } from '../net/prefix.ts';
import type { InputSlice } from './translate-input.ts';

/**
 * How an endpoint of the hub gets to a provider: through the hub, over a direct link as upstream 1.2 does it, or over a
 * shortcut as the fork does it.
 */
export type Way = 'hub' | 'direct' | 'shortcut';

export const WAYS: readonly Way[] = ['hub', 'direct', 'shortcut'];

/** Whose pod an address of the hub is. */
export type Owner =
  /** The hub's own pod. */
  | { readonly kind: 'own' }
  /** A pod of a peer, under the address by which the hub knows it. */
  | { readonly kind: 'peer'; readonly peer: string; readonly view: View; readonly real: number };

/** What becomes of one address. */
export type Arrival =
  /** The pod runs in the receiver, which has the endpoint already. */
  | { readonly kind: 'skipped' }
  /** `sent` stands in the ShadowEndpointSlice, `received` in the EndpointSlice that the receiver makes of it. */
  | { readonly kind: 'known'; readonly sent: number; readonly received: number; readonly by: 'configuration' | 'label' }
  /** An IP resource stands for the pod; run time takes its address from these networks, which are one and the same. */
  | { readonly kind: 'run-time'; readonly sentIn: Prefix; readonly receivedIn: Prefix }
  /** The fork keeps one address of an endpoint, the one that the shortcut reaches. */
  | { readonly kind: 'dropped' }
  /** The receiver cannot make sense of it, and makes no slice. */
  | { readonly kind: 'refused' };

export interface ExplainedArrival {
  readonly arrival: Arrival;
  /** Why, step by step: whole sentences. */
  readonly why: readonly string[];
}

/** One address with what becomes of it on every way that the fleet has. */
export interface TranslatedAddress {
  readonly address: number;
  readonly owner: Owner;
  readonly arrivals: Readonly<Partial<Record<Way, ExplainedArrival>>>;
}

/** Whether a way exists between the two clusters. */
export interface WayState {
  readonly way: Way;
  /** Why there is no such way here; `null` where there is. */
  readonly absent: string | null;
}

export interface TranslatedSlice {
  readonly slice: InputSlice;
  /** One list an endpoint, in the order of the slice. */
  readonly endpoints: readonly (readonly TranslatedAddress[])[];
  readonly results: Readonly<Partial<Record<Way, SliceResult>>>;
}

/** What holds for a slice as a whole on one way. */
export interface SliceResult {
  /** What the hub adds to the ShadowEndpointSlice beyond the labels of every reflected slice. */
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Why the receiver does not get the slice at all; `null` when it does. */
  readonly refused: string | null;
}

export interface Translation {
  /** Whose objects they are. */
  readonly hub: string;
  readonly receiver: string;
  readonly ways: readonly WayState[];
  readonly translated:
    | { readonly kind: 'addresses'; readonly addresses: readonly TranslatedAddress[] }
    | { readonly kind: 'slices'; readonly slices: readonly TranslatedSlice[] };
}

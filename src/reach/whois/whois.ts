import type { AddressedCluster, AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import { type Dial, dialOwner } from './dial-owner.ts';
import { type GatewayAt, gatewaysAt } from './gateways-at.ts';
import { type Owner, ownersOf } from './owners-of.ts';
import { type Use, usesOf } from './uses-of.ts';

/** Whose an address is, from the point of view of every cluster or of one. */
export interface Whois {
  readonly address: number;
  /** One per cluster, by name; several uses in one cluster are a mistake. */
  readonly answers: readonly { readonly cluster: string; readonly uses: readonly Use[] }[];
  /** For one cluster: the others that have the address themselves, and what the one dials for them instead; else empty. */
  readonly elsewhere: readonly Elsewhere[];
  /** Gateways that peers dial at the address. */
  readonly gateways: readonly GatewayAt[];
}

export interface Elsewhere extends Owner {
  readonly dial: Dial;
}

/** @param within the cluster whose point of view is wanted; `null` for that of each. */
export function whois(model: AddressedModel, address: number, within: AddressedCluster | null): Whois {
  const asked = within === null ? [...model.clusters.values()] : [within];
  return {
    address,
    answers: asked.map((it) => ({ cluster: it.name, uses: usesOf(it, address) })),
    elsewhere: within === null ? [] : elsewhere(model, within, address),
    gateways: gatewaysAt(model, address),
  };
}

/**
 * The other clusters that have an address in a network of their own, by name, but for those that see each other under
 * the address itself.
 */
export const elsewhere = (model: AddressedModel, here: AddressedCluster, address: number): readonly Elsewhere[] =>
  ownersOf(model, address)
    .filter((it) => it.cluster !== here)
    .map((owner) => ({ ...owner, dial: dialOwner(model, here, { address, owner }) }))
    .filter(({ dial }) => dial.kind !== 'address' || dial.address !== address);

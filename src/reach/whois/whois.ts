import { contains, moveHost, type Prefix } from '../../base/net/prefix.ts';
import { isIPv6, prefixOf, readAddress } from '../../base/net/text.ts';
import { TUNNEL_NETWORK } from '../../base/releases/gateways.ts';
import { type AddressedCluster, type AddressedModel, unknownSource } from '../../fleet/ipam/addressed-model.ts';
import { type GatewayOfLink, keylessGateways } from '../../fleet/model/network-model.ts';
import { meaningsOf, type OwnRole } from './meanings.ts';
import { type Dial, dialOwner, type GatewayAt, gatewaysAt, type Owner, ownersOf } from './owners-of.ts';

/** The owners of an address, from the point of view of every cluster or of one. */
export interface Whois {
  readonly address: number;
  /** One per cluster, by name; several uses in one cluster are a mistake. */
  readonly answers: readonly { readonly cluster: string; readonly uses: readonly Use[] }[];
  /**
   * For one cluster: the other clusters that have the address themselves, and the address to dial for them instead.
   * Empty otherwise.
   */
  readonly elsewhere: readonly Elsewhere[];
  /** Gateways that peers dial at the address. */
  readonly gateways: readonly GatewayAt[];
}

export interface Elsewhere extends Owner {
  readonly dial: Dial;
}

/** @param within the cluster whose point of view is requested; `null` for the point of view of each cluster */
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
 * The other clusters that have an address in a network of their own, by name, except for those that this cluster
 * reaches at the address itself.
 */
export const elsewhere = (model: AddressedModel, here: AddressedCluster, address: number): readonly Elsewhere[] =>
  ownersOf(model, address)
    .filter((it) => it.cluster !== here)
    .map((owner) => ({ ...owner, dial: dialOwner(model, here, { address, owner }) }))
    .filter(({ dial }) => dial.kind !== 'address' || dial.address !== address);

/** A use of an address in one cluster. */
export type Use =
  /** The address is in a network of the cluster itself. */
  | {
      readonly kind: 'own';
      readonly role: 'pod' | OwnRole | 'unknown-source';
      readonly network: Prefix;
      /** True when nodes of the cluster translate the sources of pods, too. */
      readonly hidesPods: boolean;
    }
  /** The address is in the view of a peer's network. `real` is the address that the peer itself uses. */
  | {
      readonly kind: 'seen';
      /**
       * `run-time`: an IP resource of the peer maps the address, once it exists. `unknown-source`: the source of
       * senders in the peer that are no pods.
       */
      readonly role: 'pod' | 'run-time' | 'unknown-source';
      readonly peer: string;
      readonly network: Prefix;
      readonly real: number;
      /** True when nodes of the peer translate the sources of pods, too. */
      readonly hidesPods: boolean;
      /** Gateways of the link without a public key. With any such gateway, no packet arrives. */
      readonly keyless: readonly GatewayOfLink[];
    }
  /** The address of an end of the tunnel, the same in every gateway. */
  | { readonly kind: 'tunnel'; readonly network: Prefix };

/**
 * Every use of an address in one cluster; empty for an address that the cluster reaches by its default route, or not at
 * all.
 */
export function usesOf(cluster: AddressedCluster, address: number): readonly Use[] {
  const host: Prefix = { base: address, length: 32 };
  const tunnel = prefixOf(TUNNEL_NETWORK);
  const uses = meaningsOf(cluster, host).map((it): Use => {
    if (it.kind !== 'peer') {
      const role = it.kind === 'pod' ? 'pod' : ownRole(cluster, it.role, address);
      return { kind: 'own', role, network: it.network, hidesPods: cluster.fabric.fullMasquerade };
    }
    const { peer, view } = it;
    const real = moveHost(address, view.cidr);
    const role = it.cidr === 'pod' ? 'pod' : real === unknownSource(peer.cluster) ? 'unknown-source' : 'run-time';
    return {
      kind: 'seen',
      role,
      peer: peer.name,
      network: view.seenAs,
      real,
      hidesPods: peer.cluster.fabric.fullMasquerade,
      keyless: keylessGateways(peer.link),
    };
  });
  return contains(tunnel, host) ? [...uses, { kind: 'tunnel', network: tunnel }] : uses;
}

function ownRole(cluster: AddressedCluster, role: OwnRole, address: number): OwnRole | 'unknown-source' {
  return role === 'external' && address === unknownSource(cluster) ? 'unknown-source' : role;
}

type AddressReading =
  | { readonly ok: true; readonly address: number }
  /** `hint`: a command that works; `null` when the text suggests none. */
  | { readonly ok: false; readonly problem: string; readonly hint: string | null };

/** Reads the argument of `weft whois`: one IPv4 address and nothing else. */
export function readWhoisAddress(text: string): AddressReading {
  const address = readAddress(text);
  if (address !== undefined) return { ok: true, address };
  const [before = '', behind = '', ...more] = text.split('/');
  if (more.length === 0 && before !== '' && readAddress(behind) !== undefined) {
    return badAddress(`"${text}" is an address in a cluster`, `run "weft whois ${behind} --in ${before}"`);
  }
  if (readAddress(before) !== undefined) {
    return badAddress(`"${text}" is a network, and one address is needed`, `run "weft whois ${before}"`);
  }
  if (isIPv6(text)) return badAddress(`"${text}" is IPv6, which Liqo does not carry`);
  const [, plain = ''] = /^(.*):\d+$/.exec(text) ?? [];
  if (readAddress(plain) !== undefined) {
    return badAddress(`"${text}" has a port, and only an address is needed`, `run "weft whois ${plain}"`);
  }
  return badAddress(`"${text}" is not an IPv4 address`);
}

const badAddress = (it: string, hint: string | null = null): AddressReading => ({ ok: false, problem: it, hint });

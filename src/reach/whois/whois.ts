import { countOf } from '../../base/core/words.ts';
import { contains, moveHost, type Prefix } from '../../base/net/prefix.ts';
import { isIPv6, prefixOf, printAddress, printPrefix, readAddress } from '../../base/net/text.ts';
import { TUNNEL_NETWORK } from '../../base/releases/gateways.ts';
import { type AddressedCluster, type AddressedModel, unknownSource } from '../../fleet/ipam/addressed-model.ts';
import { type GatewayOfLink, keylessGateways } from '../../fleet/model/network-model.ts';
import type { LendingNetwork } from '../../fleet/sharing/shared-model.ts';
import {
  type Dial,
  dialOwner,
  type GatewayAt,
  gatewaysAt,
  meaningsOf,
  type Owner,
  type OwnRole,
  ownersOf,
} from './owners-of.ts';

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
export function whois(model: LendingNetwork, address: number, within: AddressedCluster | null): Whois {
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
const elsewhere = (model: LendingNetwork, here: AddressedCluster, address: number): readonly Elsewhere[] =>
  ownersOf(model, address)
    .filter((it) => it.cluster !== here)
    .map((owner) => ({ ...owner, dial: dialOwner(model, here, { address, owner }) }))
    .filter(({ dial }) => dial.kind !== 'address' || dial.address !== address);

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
  const [, cluster] = /^([a-z0-9-]*[a-z][a-z0-9-]*)(?:[/:].*)?$/.exec(text) ?? [];
  return badAddress(
    `"${text}" is not an IPv4 address`,
    cluster === undefined
      ? null
      : `run "weft view ${cluster}" for the networks of a cluster; whois takes an address of a packet`,
  );
}

const badAddress = (it: string, hint: string | null = null): AddressReading => ({ ok: false, problem: it, hint });

/** Largest number of other clusters that are named. */
const NAMED = 3;

/**
 * Sentences about the other clusters that use a dialled address themselves, and the addresses that the sender dials for
 * them. For an address without a meaning for the sender, they also name the cluster that sees a pod there, uses it
 * internally, or has a gateway there.
 */
export function otherOwners(model: LendingNetwork, sender: AddressedCluster, address: number): readonly string[] {
  const others = elsewhere(model, sender, address);
  const pods = others.filter((it) => it.role === 'pod');
  const isUnused = pods.length === 0 && usesOf(sender, address).length === 0;
  const owners = isUnused ? others : pods;
  const left = owners.length - NAMED;
  return [
    ...owners.slice(0, NAMED).map((it) => ownerSentence(sender, address, it)),
    ...(left > 0 ? [`${countOf(left, 'more cluster')} ${left === 1 ? 'uses' : 'use'} it, too.`] : []),
    ...(isUnused ? meaningElsewhere(model, sender, address) : []),
  ];
}

const ownerSentence = (sender: AddressedCluster, address: number, { cluster, role, dial }: Elsewhere): string =>
  `"${cluster.name}" uses ${printAddress(address)} ${OWNED[role]}; "${sender.name}" ${dialText(dial, role)}.`;

/** Text for the way in which a cluster uses an address of its own; it follows the address. */
export const OWNED = { pod: 'for a pod of its own', external: 'in its external CIDR' } as const;

/**
 * Text for the address that a cluster dials for a pod or an external address of another cluster; it follows the
 * cluster's name.
 */
export function dialText(dial: Dial, role: Elsewhere['role']): string {
  const what = role === 'pod' ? 'that pod' : 'that address';
  switch (dial.kind) {
    case 'address':
      return `dials ${what} at ${printAddress(dial.address)}`;
    case 'through':
      return `dials ${what} through "${dial.hub}", at an address in ${printPrefix(dial.network)} that is assigned at run time`;
    case 'no-keys':
      return `does not reach ${what}, because a gateway has no public key`;
    case 'nothing':
      return `has no path to ${what}`;
  }
}

/**
 * Sentences about the first cluster that sees a pod there, otherwise the first that uses the address internally; then
 * the gateways there.
 */
function meaningElsewhere(model: LendingNetwork, sender: AddressedCluster, address: number): readonly string[] {
  const seen = firstOther(model, sender, (viewer) => seenSentence(model, { viewer, sender }, address));
  const inside = firstOther(model, sender, (it) => insideSentence(it, address));
  const gateways = gatewaysAt(model, address).map(
    ({ cluster }) => `"${cluster}" has a gateway at ${printAddress(address)}, outside of the networks of all clusters.`,
  );
  return [...(seen ?? inside ?? []), ...gateways];
}

function firstOther(
  { clusters }: AddressedModel,
  sender: AddressedCluster,
  sentence: (cluster: AddressedCluster) => string | undefined,
): readonly string[] | undefined {
  for (const it of clusters.values()) {
    const found = it === sender ? undefined : sentence(it);
    if (found !== undefined) return [found];
  }
  return undefined;
}

function seenSentence(
  model: LendingNetwork,
  { viewer, sender }: { readonly viewer: AddressedCluster; readonly sender: AddressedCluster },
  address: number,
): string | undefined {
  const seen = usesOf(viewer, address).find((it) => it.kind === 'seen' && it.role === 'pod');
  if (seen?.kind !== 'seen') return undefined;
  const owner = ownersOf(model, seen.real).find((it) => it.cluster.name === seen.peer);
  if (!owner) return undefined;
  const pod = `"${viewer.name}" sees a pod of "${seen.peer}" at ${printAddress(address)}, there ${printAddress(seen.real)}`;
  if (owner.cluster === sender) return `${pod}.`;
  return `${pod}; "${sender.name}" ${dialText(dialOwner(model, sender, { address: seen.real, owner }), 'pod')}.`;
}

function insideSentence(cluster: AddressedCluster, address: number): string | undefined {
  const use = usesOf(cluster, address).find((it) => it.kind === 'own');
  if (use?.kind !== 'own' || use.role === 'pod' || use.role === 'external') return undefined;
  return `"${cluster.name}" uses ${printAddress(address)} ${INSIDE[use.role]}, and no other cluster can dial it.`;
}

const INSIDE = {
  service: 'for a Service',
  reserved: 'in a network that it reserves',
  internal: 'in its overlay',
  'unknown-source': 'as its unknown source',
} as const;

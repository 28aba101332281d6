import { contains, moveHost, type Prefix } from '../../base/net/prefix.ts';
import { prefixOf } from '../../base/net/text.ts';
import { TUNNEL_NETWORK } from '../../base/releases/interfaces.ts';
import { type AddressedCluster, unknownSource } from '../../fleet/ipam/addressed-model.ts';
import { type GatewayOfLink, keylessGateways } from '../../fleet/model/keyless-ends.ts';
import { meaningsOf, type OwnRole } from './meanings.ts';

/** What an address is in one cluster. */
export type Use =
  /** In a network of the cluster itself. */
  | {
      readonly kind: 'own';
      readonly role: 'pod' | OwnRole | 'unknown-source';
      readonly network: Prefix;
      /** Nodes of the cluster translate the sources of pods, too. */
      readonly hidesPods: boolean;
    }
  /** In the view of a peer's network. `real` is the address that the peer itself uses. */
  | {
      readonly kind: 'seen';
      /** `run-time`: an IP resource of the peer maps it, once there is one. `unknown-source`: senders there that are no pods. */
      readonly role: 'pod' | 'run-time' | 'unknown-source';
      readonly peer: string;
      readonly network: Prefix;
      readonly real: number;
      /** The same of the peer. */
      readonly hidesPods: boolean;
      /** Gateways of the link without a public key: then no packet gets there. */
      readonly keyless: readonly GatewayOfLink[];
    }
  /** An end of the tunnel, the same in every gateway. */
  | { readonly kind: 'tunnel'; readonly network: Prefix };

/** Everything that an address is in one cluster; empty for an address that it reaches by its default route, or not at all. */
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

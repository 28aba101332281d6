import type { Link, LinkEnd } from './network-model.ts';

/** A gateway by its cluster and the peer that it is for. */
export interface GatewayOfLink {
  readonly cluster: string;
  readonly peer: string;
}

/**
 * The ends whose gateway has no public key, the server first; empty for a link that carries packets. The key of each end
 * goes into the PublicKey of the other, and a gateway without a PublicKey has no WireGuard peer: one missing key is enough
 * for a tunnel that never comes up. A key that is not known here is in its cluster and in that PublicKey, which stays.
 * Source: liqotech/liqo@v1.2.0 pkg/gateway/tunnel/wireguard/publickeys_controller.go.
 */
export const keylessEnds = ({ server, client }: Pick<Link, 'server' | 'client'>): readonly LinkEnd[] =>
  [server, client].filter((it) => it.publicKey === null && !it.hasUnknownKey);

/** The same by name. */
export function keylessGateways(link: Pick<Link, 'server' | 'client'>): readonly GatewayOfLink[] {
  const { server, client } = link;
  return keylessEnds(link).map((it) => ({
    cluster: it.cluster.name,
    peer: (it === server ? client : server).cluster.name,
  }));
}

/** True when both gateways of a link have a public key, so that packets pass. */
export const carriesPackets = (link: Pick<Link, 'server' | 'client'>): boolean => keylessEnds(link).length === 0;

import { byCodeUnit } from '../core/order.ts';
import type { NetworkModel } from '../model/network-model.ts';
import type { GatewayName } from './gateway.ts';

/**
 * The gateways without a recorded public key, by cluster and peer. `only` names the clusters to look at; `null` means
 * all.
 */
export function missingKeys(
  model: Pick<NetworkModel, 'links'>,
  only: readonly string[] | null,
): readonly GatewayName[] {
  return model.links
    .flatMap(({ server, client }) => [
      { own: server, other: client },
      { own: client, other: server },
    ])
    .filter(({ own }) => own.publicKey === null)
    .map(({ own, other }): GatewayName => ({ cluster: own.cluster.name, peer: other.cluster.name }))
    .filter((it) => only === null || only.includes(it.cluster))
    .sort(byName);
}

const byName = (a: GatewayName, b: GatewayName): number =>
  byCodeUnit(a.cluster, b.cluster) || byCodeUnit(a.peer, b.peer);

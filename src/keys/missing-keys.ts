import { byCodeUnit } from '../core/order.ts';
import type { NetworkModel } from '../model/network-model.ts';
import type { GatewayName, KeylessGateway } from './gateway.ts';

/**
 * The gateways without a recorded public key, by cluster and peer. `only` names the clusters to look at; `null` means
 * all.
 */
export function missingKeys(
  model: Pick<NetworkModel, 'links'>,
  only: readonly string[] | null,
): readonly KeylessGateway[] {
  return model.links
    .flatMap(({ server, client }) => [
      { own: server, other: client },
      { own: client, other: server },
    ])
    .filter(({ own }) => own.publicKey === null)
    .map(
      ({ own, other }): KeylessGateway => ({
        cluster: own.cluster.name,
        peer: other.cluster.name,
        namespace: own.names.namespace,
        secretName: own.names.secret,
      }),
    )
    .filter((it) => only === null || only.includes(it.cluster))
    .sort(byName);
}

const byName = (a: GatewayName, b: GatewayName): number =>
  byCodeUnit(a.cluster, b.cluster) || byCodeUnit(a.peer, b.peer);

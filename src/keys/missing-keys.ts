import type { NetworkModel } from '../model/network-model.ts';
import type { GatewayName } from './gateway.ts';

/**
 * The gateways whose public key nobody has recorded, by cluster and peer. `only` names the clusters that are asked for;
 * `null` means all.
 */
export function missingKeys(
  model: Pick<NetworkModel, 'links'>,
  only: readonly string[] | null,
): readonly GatewayName[] {
  return model.links
    .flatMap(({ server, client, publicKeys }) => [
      ...(publicKeys.server === null ? [{ cluster: server, peer: client }] : []),
      ...(publicKeys.client === null ? [{ cluster: client, peer: server }] : []),
    ])
    .filter((it) => only === null || only.includes(it.cluster))
    .sort(byName);
}

function byName(a: GatewayName, b: GatewayName): number {
  if (a.cluster !== b.cluster) return a.cluster < b.cluster ? -1 : 1;
  return a.peer < b.peer ? -1 : 1;
}

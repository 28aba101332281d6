import { byCodeUnit } from '../../base/core/order.ts';
import type { LinkEnd, NetworkModel } from '../model/network-model.ts';
import type { GatewayName, KeylessGateway } from './gateway.ts';

/**
 * The gateways without a key, by cluster and peer. `only` names the clusters to look at; `null` means all.
 */
export const missingKeys = (model: Links, only: readonly string[] | null): readonly KeylessGateway[] =>
  gatewaysOf(model, only, (it) => it.publicKey === null && !it.hasUnknownKey);

/** The gateways with a key that is not known here. */
export const unknownKeys = (model: Links, only: readonly string[] | null): readonly KeylessGateway[] =>
  gatewaysOf(model, only, (it) => it.hasUnknownKey);

type Links = Pick<NetworkModel, 'links'>;

const gatewaysOf = (
  { links }: Links,
  only: readonly string[] | null,
  isMeant: (end: LinkEnd) => boolean,
): readonly KeylessGateway[] =>
  links
    .flatMap(({ server, client }) => [
      { own: server, other: client },
      { own: client, other: server },
    ])
    .filter(({ own }) => isMeant(own))
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

const byName = (a: GatewayName, b: GatewayName): number =>
  byCodeUnit(a.cluster, b.cluster) || byCodeUnit(a.peer, b.peer);

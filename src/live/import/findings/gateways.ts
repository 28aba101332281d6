import type { LiveFleet, LiveLink } from '../../facts/links.ts';
import { gatewayKind } from '../../facts/peer.ts';
import { type Finding, type FindingRule, objectText, shown } from '../finding.ts';
import { gatewayKeys } from '../gateway-keys.ts';

/** One end of a link serves and the other dials it where it listens, with one MTU. */
export const gatewaysFitTogether: FindingRule = function* (live) {
  const served = new Set(live.served.map((it) => it.link.id));
  for (const link of live.links) {
    if (!served.has(link.id)) yield* leftOut(link);
    yield* roles(link);
    yield* mtus(link);
  }
  yield* ports(live);
};

function* leftOut({ ends: [a, b] }: LiveLink): Iterable<Finding> {
  // A cluster that has nothing for the other one is found by another rule.
  const [known, other] = a.isDumped ? [a, b] : [b, a];
  const isUnknown = !other.isDumped && known.configuration === null;
  const why = isUnknown
    ? `there is no dump of "${other.cluster}", and no Configuration shows its networks`
    : 'no gateway of it shows where its client finds its server';
  yield {
    code: 'import/link-left-out',
    cluster: known.cluster,
    message: `the topology leaves out the link between "${known.cluster}" and "${other.cluster}": ${why}`,
    hint: isUnknown
      ? `remove what "${known.cluster}" has left of a former peering, or dump "${other.cluster}" as well and import again`
      : 'connect the two with "liqoctl network connect" and import again, or add the link to the topology',
  };
}

function* roles({ ends: [a, b], server }: LiveLink): Iterable<Finding> {
  if (a.gateway === null || b.gateway === null || a.gateway.role !== b.gateway.role) return;
  const kind = gatewayKind(a.gateway.role);
  yield {
    code: 'import/same-role',
    cluster: a.cluster,
    message: `both ends of the link between "${a.cluster}" and "${b.cluster}" are ${kind}s: ${objectText(kind, a.gateway)} in "${a.cluster}" and ${objectText(kind, b.gateway)} in "${b.cluster}"`,
    hint: `delete the one that is wrong; the topology has "${server.cluster}" as the server`,
  };
}

function* mtus({ ends: [a, b] }: LiveLink): Iterable<Finding> {
  const [mtu, other] = [a.gateway?.mtu ?? null, b.gateway?.mtu ?? null];
  if (a.gateway === null || b.gateway === null || mtu === other) return;
  yield {
    code: 'import/mtu-differs',
    cluster: a.cluster,
    message: `the link between "${a.cluster}" and "${b.cluster}" has two MTUs: ${mtu ?? 'none'} in ${objectText(gatewayKind(a.gateway.role), a.gateway)} of "${a.cluster}", ${other ?? 'none'} in ${objectText(gatewayKind(b.gateway.role), b.gateway)} of "${b.cluster}"`,
    hint: 'keep the smaller one, which the topology has; the gateway with the other one restarts when the bundle is applied',
  };
}

function* ports({ served }: LiveFleet): Iterable<Finding> {
  for (const { link, offered, address, port } of served) {
    const { server, client } = link;
    if (port === offered || client.gateway === null || server.gateway === null) continue;
    yield {
      code: 'import/dials-elsewhere',
      cluster: client.cluster,
      message: `${objectText('GatewayClient', client.gateway)} of "${client.cluster}" dials ${shown(address)}:${port}, and ${objectText('GatewayServer', server.gateway)} of "${server.cluster}" listens at port ${offered}`,
      hint: 'check that something between the two maps the port; if nothing does, correct `port` in the topology',
    };
  }
}

/** Each gateway has a key of its own, of 32 bytes. */
export const keysCanBeUsed: FindingRule = function* (live) {
  for (const { holder, of, why, place } of gatewayKeys(live).unusable) {
    const object = `PublicKey ${place.namespace}/${place.name} of "${holder}"`;
    yield {
      code: 'import/unusable-key',
      cluster: holder,
      message:
        why === 'not-a-key'
          ? `${object}, for the gateway of "${of}", is not 32 bytes in base64`
          : `${object}, for the gateway of "${of}", is the key of another gateway as well`,
      hint: `give the gateway of "${of}" a key pair of its own; the keys file has none for it`,
    };
  }
};

import { groupBy } from '../../base/core/collections.ts';
import { oncePer } from '../../base/core/once.ts';
import { printPrefix } from '../../base/net/text.ts';
import { GATEWAY_TYPES, NETWORKING_API, OPERATOR_TIMEOUT_SECONDS } from '../../base/releases/labels.ts';
import type { AddressedCluster, AddressedModel, Peer } from '../../fleet/ipam/addressed-model.ts';
import type { Link } from '../../fleet/model/network-model.ts';
import { type NamedShortcut, nameShortcuts, unreadEnds } from '../../fleet/model/object-names.ts';
import { clientTemplateRef, serverTemplateRef } from './gateway-settings.ts';
import type { Field, Manifest } from './manifest.ts';

interface ShortcutConnection {
  readonly link: Link;
  /** The committed ForeignClusterConnection. */
  readonly manifest: Manifest;
  /** The ForeignClusterConnection with the status that the operator writes. */
  readonly expectedStatus: Manifest;
  /** True when the fork uses it for both ends. */
  readonly used: boolean;
}

/** The ForeignClusterConnections of a hub whose fork has the operator, in the order in which the fork lists them. */
export function lowerShortcutConnections(hub: AddressedCluster, model: AddressedModel): readonly ShortcutConnection[] {
  if (!model.fleet.shortcutOperator) return [];
  const named = nameShortcuts(shortcutsOfHub(hub.name, model));
  const unused = new Set(unreadEnds(named).map((it) => it.link));
  return named.map((it) => {
    const manifest = lowerShortcut(it, hub);
    const status = expectedStatus(it.link, hub);
    return { link: it.link, manifest, expectedStatus: { ...manifest, status }, used: !unused.has(it.link) };
  });
}

/**
 * A is the client end, B the server end, as in the gateways that weft emits: the operator then uses these gateways;
 * with the ends exchanged it would create a second gateway.
 */
function lowerShortcut({ name, link }: NamedShortcut, hub: AddressedCluster): Manifest {
  const server = serverTemplateRef(link);
  const client = clientTemplateRef(link);
  return {
    apiVersion: NETWORKING_API,
    kind: 'ForeignClusterConnection',
    metadata: { name, namespace: hub.liqoNamespace },
    spec: {
      foreignClusterA: link.client.cluster.name,
      foreignClusterB: link.server.cluster.name,
      networking: {
        mtu: link.mtuBytes,
        serverGatewayType: GATEWAY_TYPES.server,
        serverTemplateName: server.name,
        serverTemplateNamespace: server.namespace,
        serverServiceType: link.endpoint.serviceType,
        serverServicePort: link.endpoint.servicePort,
        clientGatewayType: GATEWAY_TYPES.client,
        clientTemplateName: client.name,
        clientTemplateNamespace: client.namespace,
        // The operator's own default, set here because the operator passes an empty field on unchanged.
        timeoutSeconds: OPERATOR_TIMEOUT_SECONDS,
        wait: true,
      },
    },
  };
}

function expectedStatus({ client, server }: Link, hub: AddressedCluster): Field {
  const [a, b] = [hub.peers.get(client.cluster.name), hub.peers.get(server.cluster.name)];
  return {
    isConnected: true,
    phase: 'Connected',
    foreignClusterANetworking: networking(a, b),
    foreignClusterBNetworking: networking(b, a),
  };
}

/**
 * The two views of the other end's pods; both ends are peers of the hub. The fork replaces the hub's view by the
 * receiver's own, and supports one pod CIDR per cluster. (The published operator writes the other's real CIDR into
 * `podCIDR`; as soon as the hub remaps, no address would be inside of it.)
 */
const networking = (receiver: Peer | undefined, other: Peer | undefined): Field => ({
  podCIDR: firstPodView(other),
  remappedPodCIDR: firstPodView(other && receiver?.cluster.peers.get(other.name)),
});

function firstPodView(peer: Peer | undefined): string | undefined {
  const view = peer?.podViews[0];
  return view === undefined ? undefined : printPrefix(view.seenAs);
}

/** The shortcuts between spokes of a hub, in join order. */
export const shortcutsOfHub = (hub: string, model: AddressedModel): readonly Link[] =>
  shortcutsByHub(model).get(hub) ?? [];

const shortcutsByHub = oncePer(({ links }: AddressedModel) =>
  groupBy(links, (it) => (it.kind === 'shortcut' ? it.commonHubs : [])),
);

import { groupBy } from '../../../base/core/collections.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { type ExpectedEnd, nextSecretOf } from '../expectation.ts';
import type { ExpectedLink } from '../expected/expect-links.ts';
import { templateNameOf } from '../expected/own-template.ts';
import { type FoundText, type KubeObject, type ScalarType, textAt, textsAt } from '../kube-object.ts';
import type { GatewayFacts } from '../rebuild-endpoint.ts';
import type { RebuiltCluster, RebuiltPeer } from '../rebuild-network.ts';
import {
  type CheckContext,
  comparePart,
  compareText,
  type FleetCheck,
  forEachCluster,
  forEachEnd,
} from './bundle-check.ts';
import { compareObject, isOfTools } from './compare-object.ts';

/** The two ends of a tunnel are a server and a client, with the address, the ports and the MTU of the topology. */
export const gatewaysAgree = forEachEnd(function* (context, cluster, peer) {
  const end = cluster.expected.ends.get(peer.name);
  const { gateway } = peer;
  if (!end || !gateway) return;
  const it = { cluster, peer, end, gateway, other: otherEnd(context, cluster, peer) };
  if (gateway.kind === (end.role === 'server' ? 'GatewayServer' : 'GatewayClient')) {
    yield* checkMtu(it);
    yield* end.role === 'server' ? checkServer(it) : checkClient(it);
    yield* checkKeySecret(it);
    yield* checkTemplateRef(it);
  } else {
    yield wrongRole(it);
  }
});

interface GatewayEnd {
  readonly cluster: RebuiltCluster;
  readonly peer: RebuiltPeer;
  readonly end: ExpectedEnd;
  readonly gateway: KubeObject;
  /** The gateway at the other end of the tunnel. */
  readonly other: GatewayFacts | undefined;
}

const otherEnd = ({ network }: CheckContext, cluster: RebuiltCluster, peer: RebuiltPeer): GatewayFacts | undefined =>
  network.get(peer.name)?.peers.get(cluster.name)?.gatewayFacts;

const whose = ({ cluster, peer }: GatewayEnd): string => `of the gateway of "${cluster.name}" towards "${peer.name}"`;

function wrongRole({ cluster, peer, end, gateway, other }: GatewayEnd): Diagnostic {
  const twice = other?.kind.text === gateway.kind;
  const role = gateway.kind === 'GatewayServer' ? 'server' : 'client';
  const message = `the gateway of "${cluster.name}" towards "${peer.name}" is a ${role}, but ${
    twice ? 'the one at the other end is, too' : `the topology requires a ${end.role}`
  }`;
  return diagnostic('verify/role', gateway.at, message, {
    related: other ? [{ message: 'the gateway at the other end', span: other.kind.at }] : undefined,
  });
}

/** Liqo does not verify that both ends use the same MTU. Source: liqotech/liqo@v1.2.0 docs. */
function* checkMtu(it: GatewayEnd): Iterable<Diagnostic> {
  const { gateway, other, end } = it;
  const there = other?.mtu;
  const found = textAt(gateway.node, ['spec', 'mtu']);
  yield* compareText({
    code: 'verify/mtu',
    what: `the MTU ${whose(it)}`,
    found,
    wanted: String(end.link.mtuBytes),
    type: 'number',
    ...(there && there.text !== found.text ? { other: there } : {}),
  });
}

function* checkServer(it: GatewayEnd): Iterable<Diagnostic> {
  const { node } = it.gateway;
  const { serviceType, loadBalancerIP } = it.end.link.endpoint;
  const { servicePort, nodePort } = it.peer.endpoint;
  const check = (name: string, field: string, wanted: string | null, type?: ScalarType) =>
    compareText({
      code: 'verify/endpoint',
      what: `the ${name} ${whose(it)}`,
      found: textAt(node, ['spec', 'endpoint', field]),
      wanted,
      ...(type === undefined ? {} : { type }),
      other: field === 'nodePort' ? it.other?.port : undefined,
    });
  yield* check('service port', 'port', servicePort, 'number');
  yield* check('service type', 'serviceType', serviceType);
  yield* check('node port', 'nodePort', nodePort, 'number');
  yield* check('load balancer address', 'loadBalancerIP', loadBalancerIP);
  const { annotations } = it.end.link.endpoint;
  const isAnnotated = it.cluster.expected.traits.annotatesGatewayServices && annotations.size > 0;
  yield* comparePart({
    code: 'verify/endpoint',
    what: whose(it).replace('of ', ''),
    node,
    path: ['spec', 'serviceAnnotations'],
    wanted: isAnnotated ? Object.fromEntries(annotations) : undefined,
  });
}

function* checkClient(it: GatewayEnd): Iterable<Diagnostic> {
  const { end, gateway, other } = it;
  const { address, serviceType } = end.link.endpoint;
  const { dialled: port, nodePort, servicePort } = it.peer.endpoint;
  const listening = serviceType === 'NodePort' ? 'nodePort' : 'port';
  const [first, ...more] = textsAt(gateway.node, ['spec', 'endpoint', 'addresses']);
  yield* compareText({
    code: 'verify/endpoint',
    what: `the address that the gateway of "${end.cluster}" dials for "${end.peer}"`,
    found: first ?? textAt(gateway.node, ['spec', 'endpoint', 'addresses']),
    wanted: address,
  });
  for (const extra of more) {
    yield diagnostic(
      'verify/endpoint',
      extra.at,
      `the gateway of "${end.cluster}" towards "${end.peer}" has a second address, but Liqo dials only the first`,
    );
  }
  // With a forwarded port, the two differ intentionally.
  const direct = port === (nodePort ?? servicePort);
  yield* compareText({
    code: 'verify/endpoint',
    what: `the port that the gateway of "${end.cluster}" dials for "${end.peer}"`,
    found: textAt(gateway.node, ['spec', 'endpoint', 'port']),
    wanted: port,
    type: 'number',
    ...(direct ? { phrase: `"${end.peer}" listens on` } : {}),
    other: direct ? other?.[listening] : undefined,
  });
  yield* compareText({
    code: 'verify/endpoint',
    what: `the protocol ${whose(it)}`,
    found: textAt(gateway.node, ['spec', 'endpoint', 'protocol']),
    wanted: 'UDP',
    phrase: 'WireGuard requires',
  });
}

function* checkKeySecret(it: GatewayEnd): Iterable<Diagnostic> {
  yield* compareText({
    code: 'verify/template',
    what: `the key Secret ${whose(it)}`,
    found: textAt(it.gateway.node, ['spec', 'secretRef', 'name']),
    wanted: it.end.names.secret,
  });
}

/**
 * Checks the template of a gateway: the one that its link names, otherwise weft's own if the gateway needs one,
 * otherwise the chart's.
 */
function* checkTemplateRef(it: GatewayEnd): Iterable<Diagnostic> {
  const { end, gateway, cluster, peer } = it;
  const ref = `${end.role}TemplateRef`;
  const kind = end.role === 'server' ? 'WgGatewayServerTemplate' : 'WgGatewayClientTemplate';
  const check = (field: string, wanted: string) =>
    compareText({
      code: 'verify/template',
      what: `the template's ${field} ${whose(it)}`,
      found: textAt(gateway.node, ['spec', ref, field]),
      wanted,
    });
  yield* check('apiVersion', 'networking.liqo.io/v1beta1');
  yield* check('kind', kind);
  yield* check('namespace', end.template?.namespace ?? cluster.expected.liqoNamespace);
  const { declared } = cluster.expected;
  yield* check('name', end.template?.name ?? templateNameOf(end, declared, peer.endpoint.servicePort));
}

/**
 * The Secret of a gateway is made from the store that the topology names, with the labels by which Liqo finds it. Source:
 * external-secrets/external-secrets@v0.17.0 apis/externalsecrets/v1.
 */
export const keysComeFromTheStore = forEachEnd(function* ({ expected }, cluster, peer) {
  const end = cluster.expected.ends.get(peer.name);
  const { keyStore } = expected.declaration;
  if (!end || keyStore === null) return;
  const first = keyStore.key.split('{cluster}').join(cluster.name).split('{peer}').join(peer.name);
  const ofPeer = { 'liqo.io/remote-cluster-id': peer.name };
  const wantedOf = (name: string, suffix: string, labels: Readonly<Record<string, string>>) => ({
    apiVersion: 'external-secrets.io/v1',
    kind: 'ExternalSecret',
    metadata: { name, namespace: end.names.namespace },
    spec: {
      refreshPolicy: 'Periodic',
      refreshInterval: '1h0m0s',
      secretStoreRef: { kind: keyStore.storeKind, name: keyStore.store },
      target: {
        name,
        creationPolicy: 'Owner',
        deletionPolicy: 'Retain',
        template: { engineVersion: 'v2', mergePolicy: 'Replace', type: 'Opaque', metadata: { labels } },
      },
      data: ['privateKey', 'publicKey'].map((property) => ({
        secretKey: property,
        remoteRef: {
          ...{ key: `${first}${suffix}`, property },
          ...{ decodingStrategy: 'Base64', conversionStrategy: 'Default', metadataPolicy: 'None' },
        },
      })),
    },
  });
  const { suffix, nextSuffix } = end.keyPair;
  const next = nextSecretOf(end);
  for (const { kind, name, node } of peer.objects.filter((it) => it.kind === 'ExternalSecret')) {
    const what = `the ${kind} of "${cluster.name}" for "${peer.name}"`;
    // Liqo takes the Secret with both labels, so that of the next key has one of them.
    const wanted =
      next !== null && name === next
        ? wantedOf(next, nextSuffix ?? '', ofPeer)
        : wantedOf(end.names.secret ?? '', suffix, { 'networking.liqo.io/gateway-resource': 'true', ...ofPeer });
    yield* compareObject({ what, node, isOthers: isOfTools, codeOf: () => 'verify/template' }, wanted);
  }
});

/** A PublicKey contains the key of the gateway at the other end; with another key the tunnel never connects. */
export const keysAgree = forEachEnd(function* (_, cluster, peer) {
  const end = cluster.expected.ends.get(peer.name);
  if (!end || end.remoteKey === null) return;
  for (const { node } of peer.objects.filter((it) => it.kind === 'PublicKey')) {
    yield* compareText({
      code: 'verify/key',
      what: `the public key that "${cluster.name}" has for "${peer.name}"`,
      found: textAt(node, ['spec', 'publicKey']),
      wanted: end.remoteKey,
      phrase: 'the keys file contains',
    });
    yield* compareText({
      code: 'verify/key',
      what: `the nudge of the public key that "${cluster.name}" has for "${peer.name}"`,
      found: textAt(node, ['metadata', 'annotations', 'liqo-weft/nudge']),
      // Before Liqo 1.2, a server that reads its PublicKey again forgets its client.
      wanted: end.role === 'client' && end.link.nudge !== null ? String(end.link.nudge) : null,
      phrase: 'the lock contains',
    });
  }
});

/** The Connection that a gateway writes refers to that gateway and its role. */
export const connectionsFitGateways = forEachCluster(function* ({ bundle }, cluster) {
  const expected = bundle.objects.get(`${cluster.name}/expected/connections.yaml`) ?? [];
  const byNamespace = groupBy(expected, (it) => [textAt(it.node, ['metadata', 'namespace']).text ?? '']);
  for (const peer of cluster.peers.values()) {
    const { names } = peer;
    const found = [...(byNamespace.get(names.namespace) ?? []), ...peer.objects].filter(
      (it) => it.kind === 'Connection' && it.name === `gw-${names.gateway}`,
    );
    for (const it of found) yield* checkConnection(it, cluster, peer);
    for (const { node } of found.filter((it) => expected.includes(it))) {
      yield* compareText({
        code: 'verify/expected',
        what: `the status of the Connection of "${cluster.name}" to "${peer.name}"`,
        found: textAt(node, ['status', 'value']),
        wanted: 'Connected',
        phrase: 'the gateway writes',
      });
    }
  }
});

function* checkConnection({ node }: KubeObject, cluster: RebuiltCluster, peer: RebuiltPeer): Iterable<Diagnostic> {
  const end = cluster.expected.ends.get(peer.name);
  if (!end) return;
  const role = end.role === 'server' ? 'Server' : 'Client';
  const whose = `of the Connection of "${cluster.name}" to "${peer.name}"`;
  const check = (what: string, path: readonly string[], wanted: string) =>
    compareText({
      code: 'verify/expected',
      what: `${what} ${whose}`,
      found: textAt(node, path),
      wanted,
      phrase: 'the gateway writes',
    });
  yield* check('the type', ['spec', 'type'], role);
  yield* check('the kind', ['spec', 'gatewayRef', 'kind'], `WgGateway${role}`);
  yield* check('the gateway', ['spec', 'gatewayRef', 'name'], end.names.gateway);
  yield* check('the namespace', ['spec', 'gatewayRef', 'namespace'], end.names.namespace);
  yield* check('the apiVersion', ['spec', 'gatewayRef', 'apiVersion'], 'networking.liqo.io/v1beta1');
}

/**
 * A port that weft chose is in the range of its cluster. No two links share a node port of a cluster, a service port of
 * a load balancer, or the address and port that their clients dial. A port of the lock is replaced only when another
 * link needs it.
 */
export const portsAreUnique: FleetCheck = function* (context) {
  const links = [...chosenPorts(context)];
  const holders = new Map<string, Chosen>();
  for (const it of links) {
    for (const place of it.places) {
      const other = holders.get(place);
      if (other) yield taken(it, other, place);
      else holders.set(place, it);
    }
  }
  for (const it of links) yield* inRange(it);
  for (const it of links) yield* checkKeptPort(it, holders);
};

interface Chosen {
  readonly link: ExpectedLink;
  readonly port: number;
  readonly found: FoundText;
  /** Endpoints that at most one link may use. */
  readonly places: readonly string[];
}

function* chosenPorts({ expected, network }: CheckContext): Iterable<Chosen> {
  for (const link of expected.links) {
    const { chosen, dialled } = network.get(link.server.name)?.peers.get(link.client.name)?.endpoint ?? {};
    if (!chosen || dialled === undefined || !/^\d+$/.test(chosen.text ?? '')) continue;
    const port = Number(chosen.text);
    yield { link, port, found: chosen, places: placesOf(link, port, dialled) };
  }
}

function placesOf({ server, endpoint }: ExpectedLink, port: number, dialled: number | string): readonly string[] {
  const { besideNodePort, loadBalancerIP, address } = endpoint;
  return [
    ...(besideNodePort === null ? [] : [`node port ${port} of "${server.name}"`]),
    ...(loadBalancerIP === null ? [] : [`port ${port} of the load balancer ${loadBalancerIP}`]),
    `${address}:${dialled}`,
  ];
}

const gatewayText = ({ server, client }: ExpectedLink): string =>
  `the gateway of "${server.name}" for "${client.name}"`;

const taken = (it: Chosen, other: Chosen, place: string): Diagnostic =>
  diagnostic(
    'verify/endpoint',
    it.found.at,
    `${gatewayText(it.link)} and ${gatewayText(other.link)} both have ${place}`,
    {
      related: [{ message: gatewayText(other.link), span: other.found.at }],
    },
  );

function* inRange({ link, port, found }: Chosen): Iterable<Diagnostic> {
  const { requested, first, last } = link.endpoint.port;
  if (requested !== null || (port >= first && port <= last)) return;
  yield diagnostic('verify/endpoint', found.at, `port ${port} of ${gatewayText(link)} is outside ${first}-${last}`);
}

function* checkKeptPort(it: Chosen, holders: ReadonlyMap<string, Chosen>): Iterable<Diagnostic> {
  const { link, port, found } = it;
  const { requested, kept, first, last } = link.endpoint.port;
  if (requested !== null || kept === null || kept === port || kept < first || kept > last) return;
  const dialled = link.endpoint.mapped ?? kept;
  if (placesOf(link, kept, dialled).some((place) => (holders.get(place) ?? it) !== it)) return;
  yield diagnostic(
    'verify/endpoint',
    found.at,
    `${gatewayText(link)} has port ${port}, but the lock has ${kept}, which no other link uses`,
  );
}

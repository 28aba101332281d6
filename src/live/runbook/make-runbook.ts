import { bug } from '../../base/diagnostics/outcome.ts';
import { DEFAULT_INTERFACE, GENEVE_PORT, TUNNEL_INTERFACE } from '../../base/releases/gateways.ts';
import { type AddressedModel, clusterNamed } from '../../fleet/ipam/addressed-model.ts';
import { type Link, listenPortOf } from '../../fleet/model/network-model.ts';
import { routesStep, translationsStep } from './addresses.ts';
import { type Check, type LinkEnd, linkEnd, onNode, type Runbook, type RunbookStep } from './runbook.ts';
import { mtuStep, objectsStep, podsStep, tunnelStep, wireguardStep } from './tunnel.ts';

/** Returns the checks for a link that loses packets, from the outside in: the first difference is the cause. */
export function makeRunbook(model: AddressedModel, link: Link): Runbook {
  const endOf = (name: string, far: string): LinkEnd => {
    const cluster = clusterNamed(model, name);
    return linkEnd(cluster, cluster.peers.get(far) ?? bug(`"${name}" has no peer "${far}"`));
  };
  const [serverName, clientName] = [link.server.cluster.name, link.client.cluster.name];
  const [server, client] = [endOf(serverName, clientName), endOf(clientName, serverName)];
  const ends = [client, server] as const;
  return {
    server: serverName,
    client: clientName,
    steps: [
      objectsStep(ends),
      podsStep(ends),
      wireguardStep(ends),
      reachabilityStep(server, client),
      tunnelStep(ends),
      mtuStep(server, client),
      packetsStep(ends),
      translationsStep(ends),
      routesStep(ends),
      endToEndStep(ends),
    ],
  };
}

/** Checks where packets between pods appear, and with which addresses. */
const packetsStep = (ends: readonly [LinkEnd, LinkEnd]): RunbookStep => {
  const [a, b] = ends;
  return {
    id: 'packets',
    title: 'Packets between pods: which addresses they have where, in both directions',
    checks: [...oneWay(a, b), ...oneWay(b, a)],
    outcomes: [
      {
        when: 'nothing reaches the gateway of the sender',
        next: `the node does not route there: look at the routes; Geneve (UDP ${GENEVE_PORT}) must pass between nodes and gateway`,
      },
      {
        when: 'it reaches the gateway, and not the tunnel',
        next: 'the translation or the route of the gateway is missing: look at both',
      },
      {
        when: 'it is in the tunnel with an address of a view',
        next: 'the destination was not translated: the table of the gateway is missing or of another view',
      },
      {
        when: 'it leaves the tunnel, and the pod does not get it',
        next: 'the gateway of the receiver does not translate the source, or does not know the way to the node of the pod',
      },
      {
        when: 'the pod gets it, and answers do not come back',
        next: 'look at the other direction: its source must be in the view that the receiver has',
      },
    ],
  };
};

/** Addresses in the tunnel are the real ones of both clusters. */
function oneWay(from: LinkEnd, to: LinkEnd): readonly Check[] {
  const capture = (device: string, filter: string): string => `timeout 30 tcpdump -ni ${device} -c 10 ${filter}`;
  const row = (sources: readonly string[], destinations: readonly string[]): string =>
    `${sources.join(', ')} > ${destinations.join(', ')}`;
  return [
    {
      cluster: from.name,
      command: onNode(from.cluster, capture('any', fromTo(from.pods, from.views))),
      expect: [{ what: `on the node of a pod of ${from.name}, out by liqo.*`, value: row(from.pods, from.views) }],
    },
    {
      cluster: from.name,
      command: from.inGateway(capture('any', fromTo(from.pods, from.views))),
      expect: [{ what: 'into the gateway, by liqo.*', value: row(from.pods, from.views) }],
    },
    {
      cluster: from.name,
      command: from.inGateway(capture(TUNNEL_INTERFACE, fromTo(from.pods, to.pods))),
      expect: [{ what: 'into the tunnel, with real addresses', value: row(from.pods, to.pods) }],
    },
    {
      cluster: to.name,
      command: to.inGateway(capture(TUNNEL_INTERFACE, fromTo(from.pods, to.pods))),
      expect: [{ what: 'out of the tunnel, the same', value: row(from.pods, to.pods) }],
    },
    {
      cluster: to.name,
      command: to.inGateway(capture('any', fromTo(to.views, to.pods))),
      expect: [{ what: 'out of the gateway to the node of the pod, by liqo.*', value: row(to.views, to.pods) }],
    },
  ];
}

/** Checks a connection from pod to pod. */
const endToEndStep = (ends: readonly [LinkEnd, LinkEnd]): RunbookStep => ({
  id: 'end-to-end',
  title: 'From pod to pod',
  checks: [[ends[0], ends[1]] as const, [ends[1], ends[0]] as const].map(([from, to]) => ({
    cluster: from.name,
    command: `kubectl --context ${from.name} run weft-probe --rm -it --restart=Never --image=${from.cluster.image.registry}/gateway:${from.cluster.image.tag} --command -- ping -c 3 -W 2 ADDRESS`,
    expect: [
      { what: `ADDRESS: that of a pod of ${to.name}, with its host in`, value: from.views.join(', ') },
      { what: `${to.name} sees it come from`, value: to.views.join(', ') },
    ],
  })),
  outcomes: [
    {
      when: 'it is answered, and an application is not',
      next: `the network is not the reason; "weft trace ${ends[0].name} ${ends[1].name}" shows every address on the way`,
    },
    {
      when: 'it is not answered, and every step before was as expected',
      next: 'a NetworkPolicy or the firewall of a node drops it: Liqo isolates nothing by itself',
    },
  ],
});

/** A tcpdump filter for packets from some networks to others. */
const fromTo = (sources: readonly string[], destinations: readonly string[]): string =>
  `'(${either('src', sources)}) and (${either('dst', destinations)})'`;

const either = (direction: 'src' | 'dst', networks: readonly string[]): string =>
  networks.map((it) => `${direction} net ${it}`).join(' or ');

/** Checks that packets of the client reach the server. */
function reachabilityStep(server: LinkEnd, client: LinkEnd): RunbookStep {
  const { address, port, serviceType, servicePort, nodePort } = client.peer.link.endpoint;
  const listens = listenPortOf(client.peer.link);
  const { externalTrafficPolicy } = server.cluster.gateway;
  const isLocal = externalTrafficPolicy.value === 'Local' && serviceType !== 'ClusterIP';
  const capture = (filter: string): string => `timeout 20 tcpdump -ni ${DEFAULT_INTERFACE} -c 10 '${filter}'`;
  const isAddress = /^[\d.]+$/.test(address);
  return {
    id: 'reachability',
    title: `From ${client.name} to ${server.name}: ${client.name} dials, UDP ${address}:${port}`,
    checks: [
      {
        cluster: server.name,
        command: server.kubectl(`get service ${server.gateway} -o wide`),
        expect: [
          { what: 'type', value: serviceType },
          { what: 'port', value: nodePort === null ? `${servicePort}/UDP` : `${servicePort}:${nodePort}/UDP` },
        ],
      },
      {
        cluster: server.name,
        command: server.kubectl(`get endpointslices -l kubernetes.io/service-name=${server.gateway}`),
        expect: [{ what: 'the address of the gateway pod, with port', value: String(listens) }],
      },
      ...(isAddress
        ? []
        : [
            {
              cluster: client.name,
              command: client.inGateway(`getent hosts ${address}`),
              expect: [{ what: 'an address, the one of the Service or of a node of', value: server.name }],
            },
          ]),
      {
        cluster: client.name,
        command: client.inGateway(capture(`udp and host ${address} and port ${port}`)),
        expect: [{ what: 'packets to it, and from it', value: `${address}.${port}` }],
      },
      {
        cluster: server.name,
        command: server.inGateway(capture(`udp port ${listens}`)),
        expect: [{ what: 'packets to and from the port', value: String(listens) }],
      },
    ],
    outcomes: [
      {
        when: `packets leave ${client.name}, and none arrive in ${server.name}`,
        next: `a firewall or NAT between them: UDP ${port} to ${address} must be open from the nodes of ${client.name}; "weft ports ${client.name} ${server.name}" is for both firewalls`,
      },
      {
        when: `packets arrive in ${server.name}, and no answer leaves`,
        next: 'WireGuard answers no unknown key: see the step about WireGuard',
      },
      {
        when: `answers leave ${server.name}, and none arrive in ${client.name}`,
        next: 'the way back is closed, or NAT gives the answers another source',
      },
      {
        when: 'you want to test the port with nc',
        next: `"nc -zu ${address} ${port}" proves nothing: UDP is not acknowledged, and WireGuard is silent to strangers`,
      },
      ...(isLocal
        ? [
            {
              when: `${address} is not the node of the gateway pod`,
              next: 'externalTrafficPolicy is Local: only the node that runs the active pod answers',
            },
          ]
        : []),
    ],
  };
}

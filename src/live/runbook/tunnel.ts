import { prefixOf, printAddress, printPrefix } from '../../base/net/text.ts';
import { PING_PORT, TUNNEL_INTERFACE, TUNNEL_NETWORK } from '../../base/releases/gateways.ts';
import { COMPONENT_LABEL, CONFIGURED_LABEL, GATEWAY_ACTIVE_LABEL } from '../../base/releases/labels.ts';
import { peerNetworkName } from '../../bundle/liqo/manifest.ts';
import { ownEnd, remoteEnd } from '../../fleet/ipam/addressed-model.ts';
import { listenPortOf } from '../../fleet/model/network-model.ts';
import type { Check, LinkEnd, RunbookStep } from './runbook.ts';

/** Bytes of the headers of IPv4 and ICMP. */
const PING_OVERHEAD_BYTES = 28;

/** Bytes that WireGuard adds over IPv4. Source: liqotech/liqo@v1.2.0 docs/advanced/peering/inter-cluster-network.md. */
const WIREGUARD_OVERHEAD_BYTES = 60;

/** Bytes that Geneve adds over IPv4, as Liqo uses it. */
const GENEVE_OVERHEAD_BYTES = 50;

/** The address of a gateway in its tunnel: the server has the first, the client the second. */
export const tunnelAddress = (role: 'server' | 'client'): string =>
  printAddress(prefixOf(TUNNEL_NETWORK).base + (role === 'server' ? 1 : 2));

const farAddress = ({ peer }: LinkEnd): string => tunnelAddress(peer.role === 'server' ? 'client' : 'server');

/** Checks that the gateways reach each other inside the tunnel. */
export const tunnelStep = (ends: readonly LinkEnd[]): RunbookStep => ({
  id: 'tunnel',
  title: 'Inside the tunnel, from gateway to gateway',
  checks: ends.flatMap((it) => [
    {
      cluster: it.name,
      command: it.inGateway(`ping -c 3 -W 2 ${farAddress(it)}`),
      expect: [{ what: 'packet loss', value: '0%' }],
    },
    {
      cluster: it.name,
      command: it.inGateway(`timeout 20 tcpdump -ni ${TUNNEL_INTERFACE} -c 8 'udp port ${PING_PORT}'`),
      expect: [{ what: "Liqo's own check, every two seconds and both ways, at port", value: String(PING_PORT) }],
    },
  ]),
  outcomes: [
    { when: 'ping is not answered', next: 'the tunnel is down: go back to WireGuard' },
    {
      when: `ping is answered, and port ${PING_PORT} is silent in one direction`,
      next: 'the gateway container of the silent end does not run its check, so its Connection is not trusted: see its log',
    },
    { when: 'all is answered', next: 'the tunnel works: go on' },
  ],
});

/** Checks that packets of full size pass. */
export function mtuStep(server: LinkEnd, client: LinkEnd): RunbookStep {
  const { mtuBytes, endpoint } = client.peer.link;
  const largest = mtuBytes - PING_OVERHEAD_BYTES;
  const onTheWay = mtuBytes + WIREGUARD_OVERHEAD_BYTES;
  return {
    id: 'mtu',
    title: `Full packets: the MTU of the tunnel is ${mtuBytes}`,
    checks: [
      ...[client, server].flatMap((it) => [
        {
          cluster: it.name,
          command: it.inGateway(`ping -c 3 -W 2 -M do -s ${largest} ${farAddress(it)}`),
          expect: [{ what: 'packet loss of the largest packet', value: '0%' }],
        },
        {
          cluster: it.name,
          command: it.inGateway(`ping -c 1 -M do -s ${largest + 1} ${farAddress(it)}`),
          expect: [{ what: 'one byte more is refused, with mtu', value: String(mtuBytes) }],
        },
        {
          cluster: it.name,
          command: it.inGateway('cat /sys/class/net/eth0/mtu'),
          expect: [{ what: 'at least, for WireGuard', value: String(onTheWay) }],
        },
      ]),
      {
        cluster: client.name,
        command: client.inGateway(`ping -c 3 -W 2 -M do -s ${onTheWay - PING_OVERHEAD_BYTES} ${endpoint.address}`),
        expect: [
          { what: `where ICMP is answered: what a path for ${onTheWay} bytes carries; packet loss`, value: '0%' },
        ],
      },
    ],
    outcomes: [
      {
        when: 'small packets pass, and the largest do not',
        next: `something on the way carries less than ${onTheWay} bytes: lower the MTU on both ends (\`mtu\` of the link), the server first`,
      },
      {
        when: 'the two ends print different MTUs',
        next: 'they must be equal; "weft plan --live" shows which end differs',
      },
      {
        when: `eth0 has less than ${mtuBytes + GENEVE_OVERHEAD_BYTES}`,
        next: 'the overlay between nodes and gateway does not carry full packets either: lower the MTU of the link',
      },
    ],
  };
}

/** Checks the state of WireGuard for its peer. */
export const wireguardStep = (ends: readonly LinkEnd[]): RunbookStep => ({
  id: 'wireguard',
  title: 'WireGuard, on both ends',
  checks: ends.map(wireguardCheck),
  outcomes: [
    {
      when: 'the peer has another key',
      next: `the PublicKey of this end is not of the gateway at the other end: "weft drift ${ends.map((it) => `--context ${it.name}`).join(' ')}" names the wrong one`,
    },
    {
      when: 'there is no peer',
      next: 'the PublicKey is missing, or the wireguard container cannot read it: see its log',
    },
    {
      when: 'the client has sent bytes, received none, and the server has received none',
      next: 'packets do not get there: go on with the next step',
    },
    {
      when: 'the server has received bytes, and there is no handshake',
      next: 'the keys do not fit: a server answers no one whose key it does not know',
    },
    {
      when: 'the handshake is older than three minutes',
      next: 'the tunnel is down since that time: pings every two seconds keep a working one younger',
    },
  ],
});

function wireguardCheck({ name, far, peer, inGateway }: LinkEnd): Check {
  const { endpoint } = peer.link;
  const isServer = peer.role === 'server';
  return {
    cluster: name,
    command: inGateway(`wg show ${TUNNEL_INTERFACE}`, 'wireguard'),
    expect: [
      { what: 'public key', value: ownEnd(peer).publicKey ?? 'none is known', isInPod: true },
      ...(isServer ? [{ what: 'listening port', value: String(listenPortOf(peer.link)) }] : []),
      { what: `peer, the gateway of ${far}`, value: remoteEnd(peer).publicKey ?? 'none is known' },
      {
        what: 'endpoint',
        value: isServer ? `where packets of ${far} come from, after NAT` : `${endpoint.address}:${endpoint.port}`,
      },
      { what: 'allowed ips', value: '0.0.0.0/0' },
      { what: 'latest handshake', value: 'less than three minutes ago' },
    ],
  };
}

/** Checks the Liqo objects of both ends. */
export const objectsStep = (ends: readonly LinkEnd[]): RunbookStep => ({
  id: 'objects',
  title: 'The objects of the link, on both ends',
  checks: ends.flatMap((it) => [objectsCheck(it), viewsCheck(it), connection(it)]),
  outcomes: [
    {
      when: 'an object is missing',
      next: 'apply the bundle of that cluster; "weft drift" lists everything that is missing',
    },
    {
      when: 'a Configuration has no status',
      next: `its Networks wait for the IPAM: ${ends.map((it) => it.kubectl('describe networks.ipam.liqo.io')).join('; ')}`,
    },
    {
      when: 'a view is another one',
      next: 'what dials the expected address reaches something else: "weft drift" names the pairs, "weft whois" the owner',
    },
    { when: 'a Connection is not "Connected"', next: 'go on with the next step' },
    {
      when: 'both are "Connected", and the time of the latency is of this minute',
      next: 'the tunnel works: go on with the packets in it',
    },
  ],
});

function objectsCheck({ names, peer, far, kubectl, name }: LinkEnd): Check {
  const { endpoint, mtuBytes } = peer.link;
  const isServer = peer.role === 'server';
  const kind = isServer ? 'GatewayServer' : 'GatewayClient';
  const nodePort = endpoint.nodePort === null ? '' : `, node port ${endpoint.nodePort}`;
  const kinds = `configurations,publickeies,gateway${isServer ? 'servers' : 'clients'},connections`;
  return {
    cluster: name,
    command: kubectl(`get ${kinds.replace(/\w+/g, (it) => `${it}.networking.liqo.io`)} -o yaml`),
    expect: [
      {
        what: `${kind} ${names.gateway}`,
        value: isServer
          ? `${endpoint.serviceType}, port ${endpoint.servicePort}${nodePort}, MTU ${mtuBytes}`
          : `dials ${endpoint.address}:${endpoint.port}, MTU ${mtuBytes}`,
      },
      {
        what: `PublicKey ${names.publicKey}, the key of ${far}`,
        value: remoteEnd(peer).publicKey ?? 'none: no key is known',
      },
      { what: 'Secret of the gateway, in its status', value: names.secret },
    ],
  };
}

function viewsCheck({ cluster, names, peer, kubectl, name }: LinkEnd): Check {
  const networks = [
    ...peer.podViews.map((view) => ({ type: 'pod' as const, view })),
    { type: 'external' as const, view: peer.externalView },
  ];
  const { traits } = cluster;
  const ready = traits.reportsReadinessAsCondition
    ? { what: 'condition NetworkCIDRsConfigured', value: 'True' }
    : { what: `label ${CONFIGURED_LABEL}`, value: 'true' };
  return {
    cluster: name,
    command: kubectl('get configurations.networking.liqo.io,networks.ipam.liqo.io -o yaml'),
    expect: [
      { ...ready, what: `Configuration ${names.configuration}, ${ready.what}` },
      ...networks.map(({ type, view }) => ({
        what: `Network ${peerNetworkName(traits, { configuration: names.configuration, type, cidr: view.cidr })}, status.cidr`,
        value: printPrefix(view.seenAs),
      })),
    ],
  };
}

const connection = ({ name, gateway, kubectl }: LinkEnd): Check => ({
  cluster: name,
  command: kubectl(`get connections.networking.liqo.io ${gateway} -o jsonpath='{.status}'`),
  expect: [{ what: 'value, and a latency of the last seconds', value: 'Connected' }],
});

/** Checks that the gateway pods run. */
export const podsStep = (ends: readonly LinkEnd[]): RunbookStep => ({
  id: 'pods',
  title: 'The pods of the gateways',
  checks: ends.map(({ name, kubectl, gateway, cluster }) => {
    const { replicas } = cluster.gateway;
    return {
      cluster: name,
      command: kubectl(`get pods -l ${COMPONENT_LABEL}=gateway -o wide --show-labels`),
      expect: [
        { what: `pods of ${gateway}, Running with 3/3 containers`, value: String(replicas) },
        ...(replicas > 1 ? [{ what: `one of them with ${GATEWAY_ACTIVE_LABEL}`, value: 'true' }] : []),
      ],
    };
  }),
  outcomes: [
    {
      when: 'there is no pod, or it waits',
      next: ends
        .map(({ kubectl, names }) => kubectl(`get secret ${names.secret} --show-labels`))
        .join(' and ')
        .concat(': the Secret needs both labels of a gateway, and there may be one only'),
    },
    {
      when: 'a container restarts',
      next: ends
        .map(({ kubectl, gateway }) => kubectl(`logs deployment/${gateway} --all-containers --since=10m`))
        .join('; '),
    },
  ],
});

import { printPrefix } from '../../base/net/text.ts';
import { COMPONENT_LABEL, CONFIGURED_LABEL, GATEWAY_ACTIVE_LABEL } from '../../base/releases/labels.ts';
import { peerNetworkName } from '../../bundle/liqo/manifest.ts';
import { remoteEnd } from '../../fleet/ipam/addressed-model.ts';
import type { Check, LinkEnd, RunbookStep } from './runbook.ts';

/** What Liqo's objects say on both ends. */
export const objectsStep = (ends: readonly LinkEnd[]): RunbookStep => ({
  id: 'objects',
  title: 'The objects of the link, on both ends',
  checks: ends.flatMap((it) => [listed(it), seen(it), connection(it)]),
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

function listed({ names, peer, far, kubectl, name }: LinkEnd): Check {
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

function seen({ cluster, names, peer, kubectl, name }: LinkEnd): Check {
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

/** Whether the gateways run. */
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

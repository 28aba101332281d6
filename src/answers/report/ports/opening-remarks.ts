import { sortedUnique } from '../../../base/core/collections.ts';
import { someOf } from '../../../base/core/words.ts';
import { isIPv6, readAddress } from '../../../base/net/text.ts';
import { GENEVE_PORT } from '../../../base/releases/gateways.ts';
import { destinationsOf, type Opening, type Target } from '../../../reach/ports/openings.ts';

/** The most clusters or names in one sentence. */
const NAMED = 5;

/** Facts about the rules besides ports and addresses, in one sentence each. */
export function openingRemarks(openings: readonly Opening[]): readonly string[] {
  if (openings.length === 0) return [];
  return [
    'The cluster that dials opens each flow, and the other end opens none: a stateful firewall lets the answers pass.',
    ...unrecordedRemark(openings),
    ...sourceRemark(openings),
    ...nameRemark(openings),
    ...balancerRemark(openings),
    ...apiServerRemarks(openings),
    ...silentRemark(openings),
    ...rangeRemark(openings),
    `Liqo needs nothing else between the clusters: pods, Services and pings are inside the tunnel. Inside each cluster nodes and gateway pods exchange UDP ${GENEVE_PORT} (Geneve).`,
  ];
}

/** Names the ports that are not recorded in the lock. */
export function unrecordedRemark(openings: readonly Opening[]): readonly string[] {
  const pairs = openings.filter((it) => !it.recorded).map(({ from, to }) => `${from} to ${to}`);
  if (pairs.length === 0) return [];
  return [
    `The lock does not have the port of ${someOf(pairs, NAMED)} yet, so it can become another one: run "weft compile" and commit the lock before you ask for it.`,
  ];
}

function sourceRemark(openings: readonly Opening[]): readonly string[] {
  const unknown = namesOf(openings.filter((it) => it.sources.length === 0));
  const [first] = unknown;
  if (first === undefined) return [];
  return [
    `The addresses that packets of ${someOf(unknown, NAMED)} come from are not in the topology: they are those of nodes, or of a NAT in front of them. Name them with --source ${first}=ADDRESS.`,
  ];
}

function nameRemark(openings: readonly Opening[]): readonly string[] {
  const names = sortedUnique(openings.map((it) => it.dialled.address).filter(isName));
  if (names.length === 0) return [];
  return [
    `${someOf(names, NAMED)}: a DNS name can get other addresses, and gateways look theirs up again every 5 minutes. Allow the name, or every address that it can have.`,
  ];
}

function balancerRemark(openings: readonly Opening[]): readonly string[] {
  const behind = openings.filter((it) => it.places.some(({ kind, port }) => kind === 'node' && port === null));
  if (behind.length === 0) return [];
  const servers = sortedUnique(behind.map((it) => it.to));
  return [
    `Kubernetes chooses the node ports behind load balancers of ${someOf(servers, NAMED)} when it makes the Services; the provider of the load balancer usually opens them.`,
  ];
}

function apiServerRemarks(openings: readonly Opening[]): readonly string[] {
  const providersOf = (decidedBy: Opening['decidedBy']): readonly string[] =>
    sortedUnique(openings.filter((it) => it.decidedBy === decidedBy).map((it) => it.to));
  const [liqo, kubeconfig, proxy] = [providersOf('liqo'), providersOf('kubeconfig'), providersOf('proxy')];
  return [
    ...(openings.some((it) => it.purpose === 'api-server')
      ? [
          'A cluster that borrows resources uses the API server of its provider, outside the tunnel; a provider never uses that of the borrower.',
        ]
      : []),
    ...(liqo.length === 0
      ? []
      : [
          `Without \`apiServer\`, Liqo finds the internal address of a node of the control plane: that of ${someOf(liqo, NAMED)} is not known before it has answered.`,
        ]),
    ...(kubeconfig.length === 0
      ? []
      : [
          `The address of the API server of ${someOf(kubeconfig, NAMED)} is the one in the kubeconfig of the borrower.`,
        ]),
    ...(proxy.length === 0
      ? []
      : [`The API server of ${someOf(proxy, NAMED)} is used through the proxy of its answer.`]),
  ];
}

function silentRemark(openings: readonly Opening[]): readonly string[] {
  const silent = sortedUnique(openings.filter((it) => it.silent).map((it) => it.from));
  if (silent.length === 0) return [];
  return [
    `Gateways of ${someOf(silent, NAMED)} send no pings: where a firewall has forgotten a flow, packets to them are lost until they send one.`,
  ];
}

/** A later link gets a port of the same range, and needs another rule unless the range is open. */
const rangeRemark = (openings: readonly Opening[]): readonly string[] =>
  destinationsOf(openings).some((it) => it.count > 1 && it.range !== null)
    ? [
        'A later link gets another port of the same range. A range that is small (`gateway.nodePorts`, `gateway.ports`) can be opened once.',
      ]
    : [];

const namesOf = (openings: readonly Opening[]): readonly string[] => sortedUnique(openings.map((it) => it.from));

export const UNKNOWN = 'unknown';

export const PURPOSES: Readonly<Record<Opening['purpose'], string>> = { tunnel: 'tunnel', 'api-server': 'API server' };

/** `203.0.113.10:30742`. */
export const targetText = ({ address, port }: Target): string =>
  `${address !== null && isIPv6(address) ? `[${address}]` : (address ?? UNKNOWN)}:${port ?? UNKNOWN}`;

/** True for a DNS name, which the dialling cluster resolves. */
export const isName = (address: string | null): address is string =>
  address !== null && readAddress(address) === undefined && !isIPv6(address);

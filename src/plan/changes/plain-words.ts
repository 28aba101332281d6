import { groupBy } from '../../base/core/collections.ts';
import { listOf, shortenedBoth, someOf } from '../../base/core/words.ts';
import { tenantNamespace } from '../../base/releases/labels.ts';
import type { LinkKind } from '../../fleet/model/network-model.ts';
import type { RemoteNamespace } from '../difference.ts';
import type { Endpoint, LinkState, Ports, ServiceState, SharePair } from '../network-state.ts';
import { deleteWithoutGateway, type StepCommand, untilDeleted } from '../step-command.ts';

export const LINK_WORDS: Readonly<Record<LinkKind, string>> = {
  hub: 'hub link',
  peering: 'peering',
  shortcut: 'shortcut',
};

/** The words for the network that a view translates. */
export const VIEW_WORDS = { pod: 'pods', external: 'external CIDR' } as const;

/** Words for networks: `CIDR 10.0.0.0/16`, or `CIDRs 10.0.0.0/16 and 10.1.0.0/16`. */
export const cidrs = (texts: readonly string[]): string => `${texts.length > 1 ? 'CIDRs' : 'CIDR'} ${listOf(texts)}`;

/** Names both ends of a link. */
export const both = ({ ends }: { readonly ends: readonly [string, string] }): string => ends.join(' and ');

/** Names one end of a link. */
export const towards = ({ cluster, peer }: { readonly cluster: string; readonly peer: string }): string =>
  `${cluster} towards ${peer}`;

/** A link for JSON: without maps, and with the key names of other documents. */
export const plainLink = ({ sides, mtuBytes: mtu, ...link }: LinkState) => ({
  ...link,
  mtu,
  sides: [...sides.values()].map(({ names: _, nextSecret: __, ...side }) => side),
});

/** The length of a value; a longer one is shortened to what differs. */
const LONGEST_VALUE = 160;

/**
 * The start of a public key, long enough to distinguish keys. A whole one is masked in texts, because a private key of
 * WireGuard looks the same.
 */
export const keyStart = (it: string): string => `${it.slice(0, 12)}…`;

/** A value alone: of a long one both ends are shown. */
export const shownValue = (it: string): string => shortenedBoth('', it, LONGEST_VALUE)[1];

/**
 * Words for a changed value: `b instead of a`.
 *
 * @param none the words for a missing value
 */
export function insteadOf(
  { from, to }: { readonly from: string | null; readonly to: string | null },
  none: string,
): string {
  const [was, is] = shortenedBoth(from ?? none, to ?? none, LONGEST_VALUE);
  return `${is} instead of ${was}`;
}

/** The settings of a gateway's Service apart from its type and ports, by name, with those that are set for every one. */
export const serviceSettings = (it: ServiceState): ReadonlyMap<string, string> =>
  new Map([
    ...(it.loadBalancerIP === null ? [] : [['loadBalancerIP', it.loadBalancerIP] as const]),
    ...(it.loadBalancerClass === null ? [] : [['loadBalancerClass', it.loadBalancerClass] as const]),
    ['externalTrafficPolicy', it.externalTrafficPolicy],
    ['allocateLoadBalancerNodePorts', String(it.allocatesNodePorts)],
    ...it.annotations.map((one) => {
      const [key = '', ...value] = one.split('=');
      return [`annotation ${key}`, value.join('=')] as const;
    }),
  ]);

const USUAL_SETTINGS: ReadonlyMap<string, string> = new Map([
  ['externalTrafficPolicy', 'Cluster'],
  ['allocateLoadBalancerNodePorts', 'true'],
]);

/** The settings of a new Service that not every one has: ` with loadBalancerIP 203.0.113.9`; empty without any. */
export function settingsWords(service: ServiceState): string {
  const unusual = [...serviceSettings(service)].filter(([name, value]) => USUAL_SETTINGS.get(name) !== value);
  return unusual.length === 0
    ? ''
    : ` with ${unusual.map(([name, value]) => `${name} ${shownValue(value)}`).join('; ')}`;
}

/**
 * Names of one cluster's objects for another cluster that differ from those of liqoctl; `null` for a name that does not
 * differ.
 */
export interface OtherNames {
  readonly cluster: string;
  readonly peer: string;
  readonly namespace: string | null;
  readonly gateway: string | null;
}

/** A change with the special names of the objects that its steps concern. */
export interface Named {
  readonly otherNames?: readonly OtherNames[];
}

/** The number of places named in one step; a hub has thousands of peers. */
const NAMED_PLACES = 6;

const namesIn = ({ otherNames = [] }: Named, cluster: string, peer: string): OtherNames | undefined =>
  otherNames.find((it) => it.cluster === cluster && it.peer === peer);

export const namespaceIn = (it: Named, cluster: string, peer: string): string =>
  namesIn(it, cluster, peer)?.namespace ?? tenantNamespace(peer);

export const serviceIn = (it: Named, cluster: string, peer: string): string =>
  `gw-${namesIn(it, cluster, peer)?.gateway ?? peer}`;

/** A tenant namespace with its cluster: `liqo-tenant-milan in rome`. */
export const placeIn = (it: Named, cluster: string, peer: string): string =>
  `${namespaceIn(it, cluster, peer)} in ${cluster}`;

/** The tenant namespaces of both ends. */
export const placesOf = (it: Named, [a, b]: readonly [string, string]): string =>
  `${placeIn(it, a, b)}, ${placeIn(it, b, a)}`;

/** The tenant namespaces for one cluster in several others: `liqo-tenant-milan in rome and turin`. */
export function placesFor({ otherNames = [] }: Named, peer: string, clusters: readonly string[]): string {
  const others = new Map(otherNames.filter((it) => it.peer === peer).map((it) => [it.cluster, it.namespace]));
  const byName = groupBy(clusters, (it) => [others.get(it) ?? tenantNamespace(peer)]);
  return someOf(
    [...byName].map(([name, all]) => `${name} in ${someOf(all, NAMED_PLACES)}`),
    NAMED_PLACES,
    '; ',
  );
}

/**
 * The tenant namespaces with the usual name, which contains the cluster's name; a namespace with another name is not
 * affected by a rename.
 */
export function usualPlacesFor(it: Named, peer: string, clusters: readonly string[]): string {
  const usual = withUsualNamespace(it, clusters);
  return usual.length === 0 ? 'none here' : placesFor({}, peer, usual);
}

export function withUsualNamespace({ otherNames = [] }: Named, clusters: readonly string[]): readonly string[] {
  const others = new Set(otherNames.flatMap((it) => (it.namespace === null ? [] : [it.cluster])));
  return clusters.filter((it) => !others.has(it));
}

// Words for steps that several kinds of change need.

/** Source: liqotech/liqo@v1.2.0 pkg/gateway/tunnel/wireguard: a gateway reads its key when it starts. */
export const REPLACE_SECRET =
  'replace the Secret and delete the gateway pod, which reads its key when it starts (Liqo undoes a rollout restart)';

/** A restarted server is found again when its client restarts, too, or otherwise after about 15 seconds. */
export const APPLY_SERVER_FIRST = {
  what: "apply the server's cluster first and the client's right after: the restart of the client's gateway connects them",
  on: ({ ends, server }: { readonly ends: readonly [string, string]; readonly server: string }): string =>
    `${server}, then ${ends[0] === server ? ends[1] : ends[0]}`,
} as const;

/** The step for firewalls and NAT between the ends of a link. */
export const OPEN_PORT =
  'let the port through the firewalls between the two clusters; `weft ports CLUSTER PEER` lists it for both';

/** The step for a server whose port is not the one that its client dials. */
export const FORWARD_PORT =
  'at the NAT or load balancer in front of the server, forward the port that is dialled to that of the server, and let both through the firewalls; `weft ports CLUSTER PEER` lists them';

/** True when something in front of the server must forward the dialled port to another one. */
export const isForwarded = (it: Ports): boolean => it.service !== '' && String(it.dialled) !== (it.node ?? it.service);

interface Forwarded {
  readonly client: string;
  readonly server: string;
  readonly address: string;
  readonly ports: Ports;
}

/** Names a forwarded port: `UDP 198.51.100.7:51820 to node port 30074 of milan, for rome`. */
export const forwardedFor = ({ client, server, address, ports: { dialled, node, service } }: Forwarded): string =>
  `UDP ${address}:${dialled} to ${node === null ? `port ${service}` : `node port ${node}`} of ${server}, for ${client}`;

interface DialledLink {
  readonly client: string;
  readonly server: string;
  readonly address: string;
  readonly port: string | number;
}

export const openedFor = ({ client, server, address, port }: DialledLink): string =>
  `UDP ${address}:${port} from ${client} to ${server}`;

/** Names the Configuration of a peer. */
export const side = ({ cluster, peer }: { readonly cluster: string; readonly peer: string }): string =>
  `${peer} in ${cluster}`;

/** Deletes all Configurations together: each existing one keeps its addresses from the others. */
export const DELETE_BEFORE_APPLYING = {
  what: 'pause the GitOps tool of the cluster, delete all these Configurations there, and then apply: one that exists keeps its views, and holds their addresses against the others',
  on: side,
} as const;

/**
 * The last step of every plan. A Configuration that asks for its views again may get other views than those in the lock, and
 * its condition stays True while the old ones are in its status: drift reports both.
 */
export const PROVE = 'prove it with `weft drift`, which ends with "no drift" when all of this is done';

/** The views of a cluster that drift has to prove. */
export const viewIn = ({ cluster, peer }: { readonly cluster: string; readonly peer: string }): string =>
  `the view of ${peer} in ${cluster}`;

export const UPGRADE_CHART = "upgrade Liqo's chart with the new helm-values.yaml";

export const RELOCK =
  'unless it was retired in between, compile with --relock: a new installation asks for every view again';

/** The number of names in one line; a consumer can have hundreds. */
const MOST_NAMES = 6;

/** All names, `milan, turin and oslo`, or the first ones of a long list. */
export const names = (list: readonly string[]): string =>
  list.length <= MOST_NAMES ? listOf(list) : someOf(list, MOST_NAMES);

/** The list for a step whose items contain more than one name. */
export const places = (list: readonly string[]): string => someOf(list, MOST_NAMES, '; ');

/** Words for remote namespaces: `demo-rome in milan and turin`. */
function namespacesIn(deleted: readonly RemoteNamespace[]): string {
  const byName = groupBy(deleted, (it) => [it.name]);
  return places([...byName].map(([name, all]) => `${name} in ${listOf(all.map((it) => it.provider))}`));
}

/** The end of a sentence: `, which deletes demo-rome in milan, volumes included`; empty when nothing is deleted. */
export const andDeletes = (deleted: readonly RemoteNamespace[]): string =>
  deleted.length === 0 ? '' : `, which deletes ${namespacesIn(deleted)}, volumes included`;

export const loan = ({ consumer, provider }: SharePair): string => `${consumer} from ${provider}`;

/** The API server, with its proxy if there is one: `https://milan.example:6443`. */
export const server = ({ apiServer, proxyURL }: Endpoint): string =>
  proxyURL === null ? apiServer : `${apiServer} through ${proxyURL}`;

/** Words for a namespace: `namespace demo of rome`. */
export const namespaceOf = ({ cluster, namespace }: { readonly cluster: string; readonly namespace: string }): string =>
  `namespace ${namespace} of ${cluster}`;

export const DELETES_NAMESPACES =
  'Liqo deletes these namespaces in the provider with everything in them, also their volumes: nothing brings them back';

export const SAVE_THE_VOLUMES = {
  what: 'copy everything of value out of these namespaces, above all out of their volumes',
  on: ({ deleted }: { readonly deleted: readonly RemoteNamespace[] }): string => namespacesIn(deleted),
} as const;

export const WITHDRAW = {
  what: 'withdraw these namespaces from the provider in a change of its own before this one, and wait until it has deleted them',
  on: ({ deleted }: { readonly deleted: readonly RemoteNamespace[] }): string => namespacesIn(deleted),
  commands: ({ deleted }: { readonly deleted: readonly RemoteNamespace[] }): readonly StepCommand[] =>
    deleted.map(({ name, provider }) => untilDeleted(provider, null, `namespace/${name}`)),
};

/** Waits until an offloaded namespace is in no provider any more. */
export const untilWithdrawn = ({ cluster, namespace }: { readonly cluster: string; readonly namespace: string }) => [
  untilDeleted(cluster, namespace, 'namespaceoffloadings.offloading.liqo.io/offloading'),
];

/** Waits until slices and their virtual nodes are gone. */
export const untilReturned = (it: Named & SharePair & { readonly slices: readonly string[] }) =>
  it.slices.length === 0
    ? []
    : [
        untilDeleted(
          it.consumer,
          namespaceIn(it, it.consumer, it.provider),
          ...it.slices.flatMap((one) => [
            `resourceslices.authentication.liqo.io/${one}`,
            `virtualnodes.offloading.liqo.io/${one}`,
          ]),
        ),
      ];

/** Waits until the gateways of both ends are gone. */
export const untilWithoutGateways = (it: Named, [a, b]: readonly [string, string]) =>
  [[a, b] as const, [b, a] as const].map(([cluster, peer]) =>
    untilDeleted(cluster, namespaceIn(it, cluster, peer), `deployment/${serviceIn(it, cluster, peer)}`),
  );

export const deleteTenantNamespaces = (it: Named, [a, b]: readonly [string, string]) =>
  [[a, b] as const, [b, a] as const].map(([cluster, peer]) =>
    deleteWithoutGateway(cluster, namespaceIn(it, cluster, peer), serviceIn(it, cluster, peer)),
  );

export const CHECK_THE_ENDPOINT =
  'see that the provider itself names this API server and this CA, as `weft identities collect --check` does: what offloaded pods are given goes there, also their Secrets';

export const checkAnswer = ({ provider }: { readonly provider: string }): readonly StepCommand[] => [
  { run: 'check-answers', clusters: [provider] },
];

export const COLLECT_IDENTITIES =
  'run `weft identities collect`, and merge what it writes: the provider has signed by then';

export const COLLECT_KEYS =
  'run `weft keys collect`, and merge what it writes: the gateways have made their key pairs by then';

export const COLLECT_KEYS_AGAIN =
  'run `weft keys collect --replace`, and merge what it writes: a gateway that is made again has made another key pair';

export const CREATE_PODS_AGAIN = 'create the pods again that are to move: Liqo looks at a pod only when it is created';

export const GENERATE_KEYS = 'run `weft keys generate`, and commit the keys file';

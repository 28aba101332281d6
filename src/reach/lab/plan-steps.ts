import { largest } from '../../base/core/collections.ts';
import { printPrefix } from '../../base/net/text.ts';
import { TUNNEL_INTERFACE } from '../../base/releases/gateways.ts';
import { type Link, type LinkEnd, listenPortOf } from '../../fleet/model/network-model.ts';
import type { Cable, Flow, LabNamespace, LabPlan, PodHost, Route, Tunnel } from './lab-plan.ts';
import { gatewayNamespace, type LabModel, type LabScope, labScope, UNDERLAY } from './lab-scope.ts';
import { planLab } from './plan-lab.ts';
import { routeLine, ruleLine } from './print-scripts.ts';

/** A lab that goes through several states of a fleet while traffic flows. */
export interface LabSteps {
  /** The first state, with the namespaces and cables that any state needs. */
  readonly start: LabPlan;
  /** The pods of the first state: of each tunnel, by namespace. */
  readonly gateways: ReadonlyMap<string, GatewayPod>;
  readonly steps: readonly LabStep[];
}

/** A gateway pod: what it starts with, and what it learns while it runs. */
export interface GatewayPod {
  readonly tunnel: Tunnel;
  /** The routes through the tunnel. */
  readonly routes: readonly Route[];
  /** The public key that is recorded for its pair, which names the pair: the lab has keys of its own. */
  readonly key: string;
  readonly peerKey: string;
  /** Everything that makes a pod start again when it changes. */
  readonly startedWith: string;
}

/** The change from one state to the next. */
export interface LabStep {
  /** Clusters that serve a link that changes are applied before those that dial it. */
  readonly waves: readonly (readonly ClusterChange[])[];
  /** One flow between each ordered pair of clusters whose addresses are the same in both states. */
  readonly flows: readonly Flow[];
}

/** The changes of a cluster, in its gateways and nodes, when it is applied. */
export interface ClusterChange {
  readonly cluster: string;
  readonly namespaces: readonly NamespaceChange[];
  readonly gateways: readonly GatewayChange[];
}

/**
 * `start`: a new pod. `restart`: the pod is replaced by another one. `peer`: the pod gets another key of its peer. `stop`:
 * the pod goes.
 */
export type GatewayChange =
  | { readonly kind: 'start' | 'restart' | 'peer'; readonly namespace: string; readonly pod: GatewayPod }
  | { readonly kind: 'stop'; readonly namespace: string };

/** The silence of a flow while a step was applied, in seconds. */
export interface MeasuredFlow {
  readonly flow: Flow;
  readonly packets: number;
  readonly connection: number;
  readonly newConnections: number;
  /** The number of connections that still wait at the end, when newer ones no longer do. */
  readonly waiting: number;
  /** True when the connection was cut, so that a program has to make another one. */
  readonly isCut: boolean;
}

export interface MeasuredStep {
  readonly flows: readonly MeasuredFlow[];
  /** The longest time by which a watching program was late: a busy machine adds it to the silences. */
  readonly latenessSeconds: number;
  /** False when some flow was still silent at the end. */
  readonly isSettled: boolean;
}

/** Plans a lab for the states of a fleet, in their order, or for a part of it as `labScope` selects. */
export function planSteps(models: readonly LabModel[], names: readonly string[]): LabSteps {
  const scopes = models.map((it) => labScope(it, names));
  const states = scopes.map((scope): State => {
    const plan = planLab(scope, scopes);
    return { scope, plan, pods: gatewayPods(scope, plan) };
  });
  return {
    start: joinedPlan(states.map((it) => it.plan)),
    gateways: states[0]?.pods ?? new Map(),
    steps: states.slice(1).map((after, index) => planStep(states[index] ?? after, after)),
  };
}

interface State {
  readonly scope: LabScope;
  readonly plan: LabPlan;
  readonly pods: ReadonlyMap<string, GatewayPod>;
}

function gatewayPods(scope: LabScope, { tunnels, namespaces }: LabPlan): ReadonlyMap<string, GatewayPod> {
  const pods = new Map<string, GatewayPod>();
  for (const link of scope.links)
    for (const [own, peer] of [
      [link.server, link.client],
      [link.client, link.server],
    ] as const) {
      const namespace = gatewayNamespace(own.cluster.name, peer.cluster.name);
      const tunnel = tunnels.find((it) => it.namespace === namespace);
      const content = namespaces.find((it) => it.name === namespace);
      if (tunnel === undefined || content === undefined) continue;
      const routes = content.routes.filter((it) => it.device === TUNNEL_INTERFACE);
      const keys = { key: keyNameOf(own, peer), peerKey: keyNameOf(peer, own) };
      pods.set(namespace, { tunnel, routes, ...keys, startedWith: startTextOf(link, own) });
    }
  return pods;
}

/** A key that is not recorded does not change. */
const keyNameOf = (own: LinkEnd, peer: LinkEnd): string =>
  own.publicKey ?? gatewayNamespace(own.cluster.name, peer.cluster.name);

/**
 * The arguments of a gateway pod, its image, and its key, which it reads when it starts. A node port is in the Service of
 * the server alone. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/external-network.
 */
function startTextOf(link: Link, own: LinkEnd): string {
  const { endpoint, mtuBytes } = link;
  const place =
    own === link.server ? [listenPortOf(link), endpoint.serviceType] : [endpoint.address, String(endpoint.port)];
  return JSON.stringify([own === link.server, own.cluster.release, own.template, own.publicKey, mtuBytes, place]);
}

/** The first plan, with everything in it that has to be there before a change: namespaces, cables and addresses. */
function joinedPlan(plans: readonly LabPlan[]): LabPlan {
  const namespaces = new Map<string, LabNamespace>();
  const cables = new Map<string, Cable>();
  const hosts = new Map<string, PodHost>();
  for (const [index, plan] of plans.entries()) {
    for (const it of plan.namespaces) {
      const known = namespaces.get(it.name);
      const isNew = index > 0 && known === undefined;
      const empty = isNew ? { ...it, routes: [], rules: [], rulesets: [] } : it;
      const missing = it.addresses.filter(
        ({ device, address }) => !known?.addresses.some((one) => one.device === device && one.address === address),
      );
      namespaces.set(it.name, known === undefined ? empty : { ...known, addresses: [...known.addresses, ...missing] });
    }
    for (const it of plan.cables) {
      const name = cableName(it);
      if (!cables.has(name)) cables.set(name, it);
    }
    for (const it of plan.hosts) {
      const pods = new Set([...(hosts.get(it.cluster)?.pods ?? []), ...it.pods]);
      hosts.set(it.cluster, { ...it, pods: [...pods] });
    }
  }
  return {
    namespaces: [...namespaces.values()],
    cables: [...cables.values()],
    tunnels: plans[0]?.tunnels ?? [],
    hosts: [...hosts.values()],
    probes: [],
    unsent: [],
  };
}

const cableName = ({ ends }: Cable): string => ends.map((it) => `${it.namespace} ${it.device}`).join();

function planStep(before: State, after: State): LabStep {
  const gateways = gatewayChanges(before.pods, after.pods);
  const replaced = new Set(gateways.filter((it) => it.kind !== 'peer').map((it) => it.namespace));
  const namespaces = namespaceChanges(before.plan, after.plan, replaced);
  const changed = new Set(gateways.map((it) => it.namespace));
  const levels = levelsOf(after.scope.links.filter((it) => namespacesOf(it).some((one) => changed.has(one))));
  const clusters = new Set([...namespaces, ...gateways].map((it) => clusterOfNamespace(it.namespace)));
  const waves: ClusterChange[][] = [];
  for (const cluster of [...clusters].sort()) {
    const own = <T extends { readonly namespace: string }>(list: readonly T[]): readonly T[] =>
      list.filter((it) => clusterOfNamespace(it.namespace) === cluster);
    // The network outside, which is no cluster, changes together with the first ones: they serve.
    const wave = levels.get(cluster) ?? 0;
    while (waves.length <= wave) waves.push([]);
    waves[wave]?.push({ cluster, namespaces: own(namespaces), gateways: own(gateways) });
  }
  return { waves: waves.filter((it) => it.length > 0), flows: flowsInBoth(before.plan, after.plan) };
}

function gatewayChanges(before: State['pods'], after: State['pods']): readonly GatewayChange[] {
  const stopped = [...before.keys()].filter((it) => !after.has(it));
  return [
    ...stopped.map((namespace): GatewayChange => ({ kind: 'stop', namespace })),
    ...[...after].flatMap(([namespace, pod]): readonly GatewayChange[] => {
      const was = before.get(namespace);
      if (was === undefined) return [{ kind: 'start', namespace, pod }];
      if (was.startedWith !== pod.startedWith) return [{ kind: 'restart', namespace, pod }];
      return was.peerKey === pod.peerKey ? [] : [{ kind: 'peer', namespace, pod }];
    }),
  ];
}

const namespacesOf = ({ server, client }: Link): readonly string[] => [
  gatewayNamespace(server.cluster.name, client.cluster.name),
  gatewayNamespace(client.cluster.name, server.cluster.name),
];

/** The place of each cluster in the order: one after those that serve it. A circle is cut where it closes. */
function levelsOf(links: readonly Link[]): ReadonlyMap<string, number> {
  const servers = new Map<string, string[]>();
  for (const { server, client } of links)
    servers.set(client.cluster.name, [...(servers.get(client.cluster.name) ?? []), server.cluster.name]);
  const levels = new Map<string, number>();
  const levelOf = (cluster: string, above: readonly string[]): number => {
    const known = levels.get(cluster);
    if (known !== undefined) return known;
    const before = (servers.get(cluster) ?? []).filter((it) => !above.includes(it));
    const level = largest(
      before.map((it) => levelOf(it, [...above, cluster]) + 1),
      0,
    );
    levels.set(cluster, level);
    return level;
  };
  for (const it of servers.keys()) levelOf(it, [it]);
  return levels;
}

/** Flows from pods that both plans have, with the same addresses, the first one of each ordered pair. */
function flowsInBoth(before: LabPlan, after: LabPlan): readonly Flow[] {
  const known = new Set(watchedFlows(before).map(flowText));
  const first = new Map<string, Flow>();
  for (const it of watchedFlows(after)) {
    const pair = `${it.from} ${it.to}`;
    if (known.has(flowText(it)) && !first.has(pair)) first.set(pair, it);
  }
  return [...first.values()];
}

const watchedFlows = ({ probes }: LabPlan): readonly Flow[] => [
  ...new Set(probes.map((it) => it.flow).filter((it) => it.sender === 'pod' && it.refused.length === 0)),
];

const flowText = ({ from, to, hub, source, dialled, expected }: Flow): string =>
  JSON.stringify([from, to, hub, source, dialled, expected.source, expected.destination]);

/** The changes of a namespace between two states, apart from the tunnel. */
export interface NamespaceChange {
  readonly namespace: string;
  /** Lines for `ip -batch`. */
  readonly batch: readonly string[];
  /** Texts for `nft`, one transaction each. */
  readonly transactions: readonly string[];
}

/** The cluster of a namespace; the network outside is the only one without. */
export const clusterOfNamespace = (namespace: string): string => namespace.split('.')[0] ?? namespace;

/**
 * The changes of all namespaces. A part that only one of the plans has stays or becomes empty.
 *
 * @param replaced gateways whose tunnel starts or stops, which takes the routes through it along
 */
function namespaceChanges(before: LabPlan, after: LabPlan, replaced: ReadonlySet<string>): readonly NamespaceChange[] {
  const names = new Set([...before.namespaces, ...after.namespaces].map((it) => it.name));
  return [...names].flatMap((namespace) => {
    const was = contentOf(before, namespace, replaced.has(namespace));
    const is = contentOf(after, namespace, replaced.has(namespace));
    const batch = [
      ...mtuLines(before, after, namespace),
      ...is.routes.filter((it) => !was.routes.some(isSame(it))).map((it) => routeLine(it, 'replace')),
      ...was.routes.filter((it) => !is.routes.some(isSamePlace(it))).map((it) => routeLine(it, 'del')),
      ...difference(was.rules, is.rules).map((it) => ruleLine(it.item, it.index, 'del')),
      ...difference(is.rules, was.rules).map((it) => ruleLine(it.item, it.index)),
    ];
    // The network outside is no part of Liqo, and loses no packet when something is added to it.
    const inTwo = rulesetTransactions(was, is);
    const transactions = namespace === UNDERLAY && inTwo.length > 0 ? [inTwo.join('')] : inTwo;
    return batch.length + transactions.length === 0 ? [] : [{ namespace, batch, transactions }];
  });
}

type Content = Pick<LabNamespace, 'routes' | 'rules' | 'rulesets'>;

function contentOf({ namespaces }: LabPlan, name: string, isReplaced: boolean): Content {
  const { routes, rules, rulesets } = namespaces.find((it) => it.name === name) ?? EMPTY;
  return { routes: isReplaced ? routes.filter((it) => it.device !== TUNNEL_INTERFACE) : routes, rules, rulesets };
}

const EMPTY: Content = { routes: [], rules: [], rulesets: [] };

const routeText = (it: Route): string => routeLine(it);

const isSame = (one: Route) => (it: Route) => routeText(it) === routeText(one);

/** True for a route to the same network in the same table, which the kernel replaces. */
const isSamePlace = (one: Route) => (it: Route) => it.table === one.table && printPrefix(it.to) === printPrefix(one.to);

/** Entries of a list that another list does not have at the same place. */
const difference = <T>(list: readonly T[], other: readonly T[]): readonly { item: T; index: number }[] =>
  list
    .map((item, index) => ({ item, index }))
    .filter(({ item, index }) => JSON.stringify(other[index]) !== JSON.stringify(item));

function mtuLines(before: LabPlan, after: LabPlan, namespace: string): readonly string[] {
  const was = mtusOf(before, namespace);
  return [...mtusOf(after, namespace)].flatMap(([device, mtu]) =>
    (was.get(device) ?? mtu) === mtu ? [] : [`link set ${device} mtu ${mtu}`],
  );
}

/** Device -> MTU in bytes. The cables to the network outside have the largest MTU of all states. */
const mtusOf = ({ cables }: LabPlan, namespace: string): ReadonlyMap<string, number> =>
  new Map(
    cables.flatMap(({ ends, mtuBytes }) =>
      ends.filter((it) => it.namespace === namespace).map((it) => [it.device, mtuBytes] as const),
    ),
  );

/**
 * Liqo deletes the rules of a table that changes, and adds those of the new content in a second transaction; other tables
 * stay as they are. Source: liqotech/liqo@v1.2.0 pkg/firewall.
 */
function rulesetTransactions(was: Content, is: Content): readonly string[] {
  const [before, after] = [tablesOf(was), tablesOf(is)];
  const gone = [...before].filter(([name, text]) => after.get(name) !== text).map(([name]) => name);
  const added = [...after].filter(([name, text]) => before.get(name) !== text).map(([, text]) => text);
  const flushed = gone.map((it) => `flush table ${it}\n`);
  const second = [...gone.flatMap((it) => (after.has(it) ? [] : [`delete table ${it}\n`])), ...added];
  return [flushed, second].filter((it) => it.length > 0).map((it) => it.join(''));
}

/** The text of each table by its family and name. */
const tablesOf = ({ rulesets }: Content): ReadonlyMap<string, string> =>
  new Map(
    rulesets.flatMap((it) =>
      [...it.text.matchAll(/^table (\S+ \S+) \{\n[\s\S]*?^\}\n/gm)].map(([text, name = '']) => [name, text] as const),
    ),
  );

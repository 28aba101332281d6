import { bug } from '../../base/diagnostics/outcome.ts';
import { compile } from '../../compile.ts';
import { type AddressedModel, clusterNamed, clustersBetween } from '../../fleet/ipam/addressed-model.ts';
import { makeRunbook } from '../../live/runbook/make-runbook.ts';
import type { Runbook } from '../../live/runbook/runbook.ts';
import {
  areJoined,
  type ClusterView,
  clusterView,
  type RecreatedView,
  recreatedView,
} from '../../reach/view/cluster-view.ts';
import { type Forecast, forecast } from '../../reach/view/forecast.ts';
import { type ListedCluster, type ListedLink, listClusters, listedLinks } from '../../reach/view/lists.ts';
import type { ReadyTopology, Unanswered } from './compile-topology.ts';
import { type LookedUp, type NetworkRequest, networkOf } from './network-of.ts';
import type { LivePorts } from './ports.ts';

/**
 * In place of a cluster: all links, or the room that is left, unless a cluster has this name. Twice: the list, whatever
 * clusters are called.
 */
export const LISTS = ['links', 'forecast'] as const;

interface ViewRequest extends NetworkRequest {
  /** The cluster whose view is requested, or one of `LISTS`. */
  readonly cluster: string;
  /** One peer, in both directions; `undefined` for all peers. With a list, the cluster that it is limited to. */
  readonly peer: string | undefined;
  /** True for a list even if a cluster is called so. */
  readonly isList?: boolean;
  /** True to include the cluster's view of the peer after its Configuration is deleted and created again. */
  readonly recreated?: boolean;
  /** True to include the runbook for the link between the cluster and the peer. */
  readonly runbook?: boolean;
}

interface Viewed extends LookedUp<'viewed'> {
  readonly view: ClusterView;
  /** The peer's view of the network; `null` without a requested peer. */
  readonly peerView: ClusterView | null;
  /** True when the two reach each other, by a link or through a hub, and when no peer was requested. */
  readonly joined: boolean;
  /** `null` unless requested. */
  readonly recreated: RecreatedView | null;
  /** One runbook for each link between the two; empty unless requested. */
  readonly runbooks: ReturnType<typeof runbooksFor>;
  /** These views in git's network, for the clusters that it has; empty without a topology, or for git's own network. */
  readonly inGit: readonly ClusterView[];
}

interface ViewedLinks extends LookedUp<'links'> {
  /** The cluster whose links these are; `null` for those of the fleet. */
  readonly of: string | null;
  readonly links: readonly ListedLink[];
}

interface ViewedForecast extends LookedUp<'forecast'> {
  /** The cluster whose kind alone is tried; `null` for all kinds. */
  readonly of: string | null;
  readonly forecast: Forecast;
}

/** Returns the network as one cluster sees it, its links, or the room in it. */
export async function viewCluster(
  ports: LivePorts,
  request: ViewRequest,
): Promise<Unanswered | Viewed | ViewedLinks | ViewedForecast> {
  const { cluster, peer } = request;
  const clusters = peer === undefined ? [cluster] : [cluster, peer];
  const list = LISTS.find((it) => it === cluster);
  const topology = await networkOf(ports, request, list === undefined ? clusters : clusters.slice(1));
  if (topology.kind !== 'compiled') return topology;
  const { live, diagnostics } = topology;
  const { model } = topology.compiled;
  if (list !== undefined && (request.isList || !model.clusters.has(list))) {
    const found = { diagnostics, live, of: peer ?? null };
    if (list === 'links') return { kind: list, ...found, links: listedLinks(model, peer) };
    return { kind: list, ...found, forecast: forecast(model, peer) };
  }
  const viewOf = (name: string): ClusterView => clusterView(model, clusterNamed(model, name));
  const view = viewOf(cluster);
  const recreated = request.recreated === true ? peer : undefined;
  if (recreated !== undefined && view.peers.every((it) => it.peer !== recreated)) {
    return { kind: 'refused', refusal: { kind: 'not-linked', cluster, peer: recreated } };
  }
  return {
    kind: 'viewed',
    diagnostics,
    view,
    peerView: peer === undefined ? null : viewOf(peer),
    joined: peer === undefined || areJoined(view, peer),
    recreated: recreated === undefined ? null : recreatedViews(topology, cluster, recreated),
    runbooks:
      request.runbook === true && peer !== undefined
        ? runbooksFor(cluster, peer, { model, git: live?.git ?? null, looked: live?.looked ?? [] })
        : [],
    live,
    inGit: clusters.flatMap((it) => {
      const found = live?.git?.clusters.get(it);
      return live?.git && found ? [clusterView(live.git, found)] : [];
    }),
  };
}

interface ListedFleet extends LookedUp<'listed'> {
  readonly clusters: readonly ListedCluster[];
}

/** Lists the clusters of a network, from the topology or from live clusters. */
export async function listFleet(ports: LivePorts, request: NetworkRequest): Promise<Unanswered | ListedFleet> {
  const network = await networkOf(ports, request, []);
  if (network.kind !== 'compiled') return network;
  const { diagnostics, live, compiled } = network;
  return { kind: 'listed', diagnostics, live, clusters: listClusters(compiled.model) };
}

/**
 * A cluster's view of a peer after the peer's Configuration is deleted and created again. The IPAM is then asked for
 * its networks again, in the same order and with the same rules, while all others keep theirs. So the view results from
 * the present lock without the decisions about that peer. Real controllers did the same in a recorded fleet, on 1.2.0.
 */
export function recreatedViews(
  { sources, compiled, files }: ReadyTopology,
  cluster: string,
  peer: string,
): RecreatedView {
  const lock = { path: files.lock, text: compiled.lock };
  const relocked = compile({ ...sources, lock }, { relock: [{ cluster, peer }], only: [], withoutAssertions: true });
  if (!relocked.ok) return bug(`"${cluster}" cannot see "${peer}" again: ${relocked.diagnostics[0]?.message ?? ''}`);
  const peerIn = (model: AddressedModel) =>
    clusterNamed(model, cluster).peers.get(peer) ?? bug(`"${cluster}" has no peer "${peer}"`);
  return recreatedView(cluster, peerIn(compiled.model), peerIn(relocked.value.model));
}

interface LinkRunbook {
  /** The runbook from git's network, or from the live one when git does not have the link. */
  readonly runbook: Runbook;
  /** The live runbook; `null` when there is nothing to compare. */
  readonly live: Runbook | null;
}

interface Between {
  readonly model: AddressedModel;
  /** The network in git, to compare live clusters with; `null` without it. */
  readonly git: AddressedModel | null;
  /** The live clusters that were read. */
  readonly looked: readonly string[];
}

/** The runbooks between two clusters: for their link, or for each link on the way; empty without a way. */
export function runbooksFor(from: string, to: string, { model, git, looked }: Between): readonly LinkRunbook[] {
  return waysBetween(model, from, to).flatMap(([a, b]) => {
    const [now, expected] = [runbookOf(model, a, b), git === null ? undefined : runbookOf(git, a, b)];
    if (now === undefined) return [];
    return [
      expected === undefined ? { runbook: now, live: null } : { runbook: expected, live: withChecksOf(looked, now) },
    ];
  });
}

/** The values of clusters that were read: those of others are only what their peers have of them. */
const withChecksOf = (looked: readonly string[], runbook: Runbook): Runbook => ({
  ...runbook,
  steps: runbook.steps.map((it) => ({ ...it, checks: it.checks.filter((check) => looked.includes(check.cluster)) })),
});

type Pair = readonly [string, string];

function waysBetween(model: AddressedModel, from: string, to: string): readonly Pair[] {
  const [a, b] = [clusterNamed(model, from), clusterNamed(model, to)];
  if (a.peers.has(to)) return [[from, to]];
  const [hub] = clustersBetween(a, b);
  return hub === undefined
    ? []
    : [
        [from, hub],
        [hub, to],
      ];
}

function runbookOf(model: AddressedModel, a: string, b: string): Runbook | undefined {
  const link = model.clusters.get(a)?.peers.get(b)?.link;
  return link === undefined ? undefined : makeRunbook(model, link);
}

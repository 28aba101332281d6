import { by } from '../base/core/collections.ts';
import { decisionLines } from '../base/core/lock-key.ts';
import type { Code } from '../base/diagnostics/codes.ts';
import { DEFAULT_IMAGE_REGISTRY } from '../base/releases/install-defaults.ts';
import { HEALTH_CHECK_CONTAINER } from '../base/releases/platforms.ts';
import { traitsOf } from '../base/releases/traits.ts';
import { installationBatches } from './apply-order.ts';
import { askedViews } from './asked-views.ts';
import { type Change, judgeDifference } from './change.ts';
import { kindOf } from './changes/change-kinds.ts';
import { needsNewInstallation } from './changes/networks.ts';
import { appliersOf, compareDelivery, destinationsOf } from './compare-delivery.ts';
import { compareDemands } from './compare-demands.ts';
import { sameTexts } from './compare-links.ts';
import { compareNetworks } from './compare-networks.ts';
import { compareSharing } from './compare-sharing.ts';
import type { Demands } from './demand.ts';
import type { Difference, MovableView } from './difference.ts';
import { claimsOf, differencesOfFiles } from './differences-of-files.ts';
import { declaredRenames, findLookalikes, type Rename, renamed } from './find-renames.ts';
import { type ClusterState, type NetworkState, pairOf, type ViewState } from './network-state.ts';
import { type PlanContext, reachabilityOf } from './plan-context.ts';
import { type FileChange, planFile } from './plan-file.ts';
import type { PlanState, TopologyFacts } from './plan-state.ts';
import { type BothSides, readBothSides } from './read-both-sides.ts';

/** The accepted warnings and notes of the topology after a change. No file of `out/` contains them. */
export interface PlannedAcceptances {
  /** Total number of accepted warnings. */
  readonly warnings: number;
  readonly notes: number;
  /** The entries of `accept` that the change adds, in source order. */
  readonly added: readonly AddedAcceptance[];
}

export interface AddedAcceptance {
  readonly code: Code;
  /** One cluster, the two ends of a link, or none for the whole fleet. */
  readonly clusters: readonly string[];
  readonly reason: string;
  /** Number of warnings or notes that it accepts now. */
  readonly count: number;
}

export const NO_ACCEPTANCES: PlannedAcceptances = { warnings: 0, notes: 0, added: [] };

export interface Plan {
  /** Name of the fleet after the change. */
  readonly fleet: string;
  /** Changes in a fixed order: shared resources, the fleet, clusters by name, links by name, then their content. */
  readonly changes: readonly Change[];
  /** By path. */
  readonly files: readonly ExplainedFile[];
  readonly lock: { readonly before: string | null; readonly after: string | null };
  readonly size: { readonly before: NetworkSize; readonly after: NetworkSize };
  /** Clusters that are installed again, in batches that can follow each other. */
  readonly batches: readonly (readonly string[])[];
  /** Views that a rebuild of their cluster would not choose again. */
  readonly history: readonly HistoryView[];
  readonly acceptances: PlannedAcceptances;
  /**
   * `unreadable`: the base has bundles, but no readable topology with assertions. `left-out`: the base is no topology.
   */
  readonly assertions: 'compared' | 'unreadable' | 'left-out';
  readonly networks: ComparedNetworks;
}

interface ComparedNetworks {
  /** The network before, with the cluster names after the change. */
  readonly before: NetworkState;
  readonly after: NetworkState;
  /** Facts from the topologies of both sides, as far as they are known; those of the later side first. */
  readonly known: readonly TopologyFacts[];
}

interface ExplainedFile extends FileChange {
  /** Ids of the changes that explain the file; never empty. */
  readonly explainedBy: readonly string[];
}

/** The size of a network without retired clusters. */
interface NetworkSize {
  readonly clusters: number;
  readonly links: number;
}

export interface HistoryView {
  readonly cluster: string;
  readonly peer: string;
  readonly cidr: string;
  readonly seenAs: string;
}

/** The plan from one state of a fleet to another; empty for two equal states. */
export const planChanges = (before: PlanState, after: PlanState): Plan => planOfSides(readBothSides(before, after));

/** Data that only the topologies of both sides contain. */
interface Stated {
  readonly acceptances: PlannedAcceptances;
  /**
   * `null` when the base is no topology: live clusters have no assertions, and neither have bundles without a commit.
   */
  readonly demands: Demands | null;
  readonly picked?: readonly Difference<'decision-picked'>[];
}

const NOTHING_STATED: Stated = { acceptances: NO_ACCEPTANCES, demands: null };

/** The plan between two sides that were already read. */
export function planOfSides({ before, after, files }: BothSides, stated: Stated = NOTHING_STATED): Plan {
  const [old, is] = [before.network, after.network];
  const declared = declaredRenames(old, is, after.known?.formerNames ?? new Map());
  const alike = findLookalikes(old, is, declared);
  const kept = keptRenames(old, is, declared, alike);
  const renames = [...declared, ...kept];
  const was = renamed(old, renames);
  const compared = [...compareNetworks(was, is)].map((it) => withFactsOfFleet(it, alike, old, is));
  const { acceptances, demands, picked = [] } = stated;
  const inBoth = clustersInBoth(before, after, renames);
  const network = [
    // Under the old names, and first: shared resources must be removed before their clusters and links.
    ...compareSharing(old.sharing, is.sharing),
    ...declared.map((it) => renameDifference(it, is, 'declared')),
    ...kept.map((it) => renameDifference(it, is, 'kept')),
    ...compareDelivery(old, is, renames),
    ...picked,
    ...(demands === null ? [] : compareDemands(demands, renames, is)),
    ...releaseDifferences(inBoth, old, is),
    ...imageDifferences(inBoth),
    ...compared,
  ];
  const context = contextOf({ is, was, network, unknownKeys: unknownKeysOf(before, after, renames) });
  const known = [...network, ...differencesOfFiles(files, network, old, context)];
  const changes = [...known, ...lockDifference({ before, after, files })].map((it) => judgeDifference(it, context));
  const explain = claimsOf(changes, context);
  return {
    fleet: is.fleet.name ?? old.fleet.name ?? '',
    changes,
    files: files.map((it) => ({ ...it, explainedBy: explain(planFile(it.path)).map((change) => change.id) })),
    lock: { before: before.lock, after: after.lock },
    size: { before: sizeOf(old), after: sizeOf(is) },
    batches: installationBatches(changes, is),
    history: historyOf(is),
    acceptances,
    assertions: demands === null ? 'left-out' : demands.before === null ? 'unreadable' : 'compared',
    networks: { before: was, after: is, known: [after.known, before.known].filter((it) => it !== null) },
  };
}

/** True when there is nothing to do, regardless of accepted diagnostics. */
export const isEmptyPlan = ({ changes, files }: Plan): boolean => changes.length === 0 && files.length === 0;

/**
 * Clusters that differ only in their name: a rename that was compiled earlier and whose declaration is removed. A
 * cluster that replaces another one differs, because it gets other addresses while the old ones are still taken.
 */
function keptRenames(
  old: NetworkState,
  is: NetworkState,
  declared: readonly Rename[],
  alike: readonly Rename[],
): readonly Rename[] {
  if (alike.length === 0) return [];
  const compared = [...compareNetworks(renamed(old, [...declared, ...alike]), is)];
  const touched = new Set(compared.flatMap((it) => kindOf(it).subject(it).clusters));
  return alike.filter((it) => !touched.has(it.to));
}

/** A difference of one cluster with what only the whole fleet shows. */
function withFactsOfFleet(it: Difference, alike: readonly Rename[], old: NetworkState, is: NetworkState): Difference {
  if (it.kind === 'cluster-removed') {
    const lookalike = alike.find(({ from }) => from === it.cluster)?.to ?? null;
    return { ...it, lookalike, appliers: appliersOf(it.cluster, old) };
  }
  return it.kind === 'cluster-added' ? { ...it, destinations: destinationsOf(it.cluster, is) } : it;
}

function renameDifference(
  { from, to }: Rename,
  network: NetworkState,
  decisions: Difference<'cluster-renamed'>['decisions'],
): Difference {
  return { kind: 'cluster-renamed', cluster: to, from, decisions, peers: network.clusters.get(to)?.peers ?? [] };
}

interface ContextParts {
  readonly is: NetworkState;
  /** The network before the change, with the cluster names after it. */
  readonly was: NetworkState;
  readonly network: readonly Difference[];
  readonly unknownKeys: PlanContext['unknownKeys'];
}

function contextOf({ is, was, network: differences, unknownKeys }: ContextParts): PlanContext {
  const shortcuts = [was, is].flatMap(({ links }) => [...links.values()].filter((it) => it.kind === 'shortcut'));
  const hasTrait: PlanContext['hasTrait'] = (cluster, trait) => {
    const line = (was.clusters.get(cluster) ?? is.clusters.get(cluster))?.provenLine ?? null;
    return line !== null && traitsOf(line)[trait];
  };
  const reinstalled = differences.flatMap((it) => {
    if (it.kind === 'own-cidr-changed') return needsNewInstallation(it, hasTrait) ? [it.cluster] : [];
    return it.kind === 'cluster-renamed' ? [it.cluster] : [];
  });
  return {
    before: was,
    after: is,
    was: reachabilityOf(was, unknownKeys.was),
    is: reachabilityOf(is, unknownKeys.is),
    unknownKeys,
    shortcuts: new Set(shortcuts.map((it) => it.pair)),
    reinstalled: new Set(reinstalled),
    asked: askedViews(
      was,
      is,
      new Set(differences.flatMap((it) => (it.kind === 'cluster-renamed' ? [it.cluster] : []))),
    ),
    hasTrait,
  };
}

/** The unknown keys on both sides. A base without a known topology has those of the other side. */
function unknownKeysOf(
  { known: before }: BothSides['before'],
  { known: after }: BothSides['after'],
  renames: readonly Rename[],
): PlanContext['unknownKeys'] {
  const is = after?.unknownKeys ?? new Set<string>();
  if (before === null) return { was: is, is };
  const names = new Map(renames.map((it) => [it.from, it.to]));
  const was = [...before.unknownKeys].map((it) =>
    it
      .split('/')
      .map((name) => names.get(name) ?? name)
      .join('/'),
  );
  return { was: new Set(was), is };
}

interface InBoth {
  readonly cluster: string;
  readonly was: ClusterState;
  readonly is: ClusterState;
  /** Versions; `null` for one that is unknown, but older than all that the files can prove. */
  readonly from: string | null;
  readonly to: string | null;
}

/**
 * The clusters on both sides with their releases. No file contains the release. Without a topology, the files still
 * prove a minimum line.
 */
function clustersInBoth(
  before: BothSides['before'],
  after: BothSides['after'],
  renames: readonly Rename[],
): readonly InBoth[] {
  const oldNames = new Map(renames.map((it) => [it.to, it.from]));
  return [...after.network.clusters].flatMap(([cluster, is]): readonly InBoth[] => {
    const oldName = oldNames.get(cluster) ?? cluster;
    const was = before.network.clusters.get(oldName);
    if (!was || was.retired || is.retired) return [];
    const [oldVersion, version] = [before.known?.releases.get(oldName), after.known?.releases.get(cluster)];
    const sameLine = was.provenLine === is.provenLine;
    const to = version ?? is.provenLine;
    const from = oldVersion !== undefined && version !== undefined ? oldVersion : sameLine ? to : was.provenLine;
    return [{ cluster, was, is, from, to }];
  });
}

/** Differences in images. Another release has other images, which its own change reports. */
function* imageDifferences(clusters: readonly InBoth[]): Iterable<Difference> {
  for (const { cluster, was, is, from: oldVersion, to: version } of clusters) {
    const from = was.gatewayImages.filter((it) => !isOfRelease(it, oldVersion));
    const to = is.gatewayImages.filter((it) => !isOfRelease(it, version));
    if (!sameTexts(from, to)) yield { kind: 'images-changed', cluster, from, to };
  }
}

const OWN_IMAGES = ['gateway', 'gateway/wireguard', 'gateway/geneve'].map((it) => `${DEFAULT_IMAGE_REGISTRY}/${it}`);

/**
 * True for an image that the chart of a release uses in gateways; for an unknown version or patch, any image with such
 * a tag.
 */
const isOfRelease = (image: string, version: string | null): boolean =>
  image === HEALTH_CHECK_CONTAINER.image ||
  OWN_IMAGES.some((it) =>
    version === null || /^\d+\.\d+$/.test(version)
      ? image.startsWith(`${it}:v${version ?? ''}`)
      : image === `${it}:v${version}`,
  );

function* releaseDifferences(
  clusters: readonly InBoth[],
  before: NetworkState,
  after: NetworkState,
): Iterable<Difference> {
  for (const { cluster, was, is, from, to } of clusters) {
    if (from === to) continue;
    const asksAgain = namesNetworksByCIDR(was) !== namesNetworksByCIDR(is);
    const mayMove = asksAgain ? movableViews(is, was, before, after) : [];
    yield { kind: 'release-changed', cluster, from, to, asksAgain, mayMove };
  }
}

const namesNetworksByCIDR = ({ provenLine }: ClusterState): boolean =>
  provenLine !== null && traitsOf(provenLine).namesPeerNetworksByCIDR;

/**
 * All views of a cluster, if one of them depends on the order of requests, is remapped, or is kept against that order.
 * The upgrade requests all of them again, in any order, and one may get the network that another one is about to
 * request. The upgrade comes first, so the peers are those from before the change.
 */
function movableViews(
  is: ClusterState,
  was: ClusterState,
  before: NetworkState,
  after: NetworkState,
): readonly MovableView[] {
  const mayMove = ({ name, peers }: ClusterState, { links }: NetworkState): boolean =>
    peers.some((peer) => {
      const side = links.get(pairOf(name, peer))?.sides.get(name);
      const isMovable = (it: ViewState): boolean => it.history || (it.cidr !== it.seenAs && peers.length > 1);
      return side?.orderDependent === true || side?.views.some(isMovable) === true;
    });
  if (!mayMove(was, before) && !mayMove(is, after)) return [];
  return is.peers.flatMap((peer) => {
    const views = after.links.get(pairOf(is.name, peer))?.sides.get(is.name)?.views ?? [];
    return views.map(({ cidr, seenAs }) => ({ peer, cidr, seenAs }));
  });
}

/** A change of the lock alone. If files change as well, the other differences explain the lock. */
function lockDifference({ before, after, files }: BothSides): readonly Difference[] {
  if (files.length > 0) return [];
  const [was, is] = [decisionLines(before.lock ?? ''), decisionLines(after.lock ?? '')];
  const added = [...is].filter((it) => !was.has(it)).length;
  const removed = [...was].filter((it) => !is.has(it)).length;
  return added + removed === 0 ? [] : [{ kind: 'lock-changed', added, removed }];
}

function sizeOf({ clusters, links }: NetworkState): NetworkSize {
  return { clusters: [...clusters.values()].filter((it) => !it.retired).length, links: links.size };
}

function historyOf({ links }: NetworkState): readonly HistoryView[] {
  const sides = [...links.values()].flatMap((it) => [...it.sides.values()]);
  const views = sides.flatMap(({ cluster, peer, views: all }) =>
    all.filter((it) => it.history).map(({ cidr, seenAs }) => ({ cluster, peer, cidr, seenAs })),
  );
  return views.sort(by((it) => it.cluster));
}

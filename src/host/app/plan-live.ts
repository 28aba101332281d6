import type { Preflight } from '../../answers/report/plan/plan-tables.ts';
import { printBundlePath } from '../../base/core/bundle-path.ts';
import { sortedUnique } from '../../base/core/collections.ts';
import { recordKeysInUse } from '../../base/core/key-pair.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { bug } from '../../base/diagnostics/outcome.ts';
import { releaseOf } from '../../base/releases/release.ts';
import type { Compiled } from '../../compile.ts';
import { unknownAuthentication, unknownKeys } from '../../fleet/keys/missing-keys.ts';
import { incompleteDump } from '../../live/drift/check-dump.ts';
import { COMPARED_KINDS } from '../../live/drift/compare-objects.ts';
import { type Finding, isDrift } from '../../live/drift/drift.ts';
import { promisedObjects } from '../../live/drift/promised-objects.ts';
import { kindKeyOf, type LiveCluster } from '../../live/dumps/kubernetes-object.ts';
import { observeCluster } from '../../live/facts/cluster.ts';
import { liveFiles } from '../../live/preflight/live-files.ts';
import { type Plan, planChanges } from '../../plan/plan-changes.ts';
import { type PlanState, readPlanState, topologyFacts } from '../../plan/plan-state.ts';
import { compileTopology, type ReadyTopology, type Unanswered } from './compile-topology.ts';
import { explainLive } from './drift-fleet.ts';
import type { LiveRequest } from './live-sources.ts';
import { judgePlan, type PlannedFleet, type PlanRequest, planSettings } from './plan-fleet.ts';
import type { LivePorts } from './ports.ts';
import { headState, readBase, readBaseFacts } from './read-base.ts';
import { readLiveClusters } from './read-live-clusters.ts';

type LivePlanRequest = Omit<PlanRequest, 'base'> & { readonly live: LiveRequest };

type LivePlanResult = Unanswered | PlannedFleet;

/** Plans the changes of applying the compiled bundles to live clusters, and the flows that they break there. Only reads. */
export async function planLive(ports: LivePorts, request: LivePlanRequest): Promise<LivePlanResult> {
  const { out } = request;
  const topology = await compileTopology(ports.files, request, planSettings(request));
  if (topology.kind !== 'compiled') return topology;
  // A cluster that was removed from the topology may still be running.
  const live = await readLiveClusters(ports, request.live, { known: null, kinds: COMPARED_KINDS }, (it) => it);
  if (!live.ok) return { kind: 'unreadable', diagnostics: live.diagnostics };
  const base = { base: { kind: 'out' }, out, topology } as const;
  const onDisk = await readBase(ports.files, base);
  const known = await readBaseFacts(ports.files, base, { found: onDisk.files, isCurrent: false });
  const clusters = [...live.value.values()];
  const { bundle } = topology.compiled;
  const incomplete = clusters.flatMap((it) => {
    const promised = () => promisedObjects(it.cluster, { bundle, root: out });
    return incompleteDump(it, promised) ?? [];
  });
  if (incomplete.length > 0) return { kind: 'unreadable', diagnostics: incomplete };
  const before = liveState(clusters, topology, { ...onDisk, known });
  const after = headState(topology.compiled) ?? bug('the plan cannot read what compile emits');
  const plan = planChanges(before, after);
  const looked = clusters.map((it) => it.cluster);
  const seen = new Set(looked);
  const others = [...topology.compiled.model.clusters.keys()].filter((it) => !seen.has(it));
  const sides = { before: before.files, after: after.files };
  const { model } = topology.compiled;
  const unknown = [
    ...unknownKeys(model, null).map(({ cluster, peer }) => ({ cluster, peer })),
    ...unknownAuthentication(model, null).map(({ cluster }) => ({ cluster, peer: null })),
  ];
  const unread = clusters.flatMap((it) => unreadKinds(it, bundle, out));
  const unexplained = clusters.flatMap((it) => unexplainedIn(it, plan, { compiled: topology.compiled, root: out }));
  const judged = judgePlan(topology, plan, request);
  const diagnostics = judged.diagnostics.map((it) => (it.code === 'keys/missing' ? withKeysInUse(it, clusters) : it));
  return {
    ...{ kind: 'planned', ...judged, diagnostics, plan, sides },
    live: { looked, others, unknownKeys: unknown, unread, unexplained },
  };
}

/** Gateways without a key in git may have one in their live peers, whose tunnels a new one would end. */
function withKeysInUse(missing: Diagnostic, live: readonly LiveCluster[]): Diagnostic {
  const keyed = new Map(live.map((it) => [it.cluster, observeCluster(it).peers]));
  const holders = (missing.about ?? []).flatMap(([cluster = '', peer = '']) =>
    (keyed.get(peer)?.get(cluster)?.publicKeys ?? []).length > 0 ? [peer] : [],
  );
  return holders.length === 0 ? missing : { ...missing, hint: recordKeysInUse(holders) };
}

/** Problems of a cluster that end without, or not with, a change of the plan. */
function unexplainedIn(
  live: LiveCluster,
  plan: Plan,
  { compiled, root }: { readonly compiled: Compiled; readonly root: string },
): Preflight['unexplained'] {
  const { cluster } = live;
  if (!compiled.model.clusters.has(cluster)) return [];
  const byHand = new Set(plan.changes.flatMap((it) => (it.kind === 'files-changed' ? it.paths : [])));
  const changed = new Set(plan.files.map((it) => it.path).filter((it) => !byHand.has(it)));
  const linked = new Set(plan.changes.flatMap((it) => (it.clusters.includes(cluster) ? it.clusters : [])));
  const isExplained = (it: Finding): boolean => {
    // The state of a tunnel and the routes to it follow from a change at either end.
    const isOfTunnel = it.object.kind === 'Connection' || it.object.kind === 'RouteConfiguration';
    if (it.peer !== null && isOfTunnel && linked.has(it.peer)) return true;
    const path =
      it.kind === 'extra'
        ? it.peer !== null && printBundlePath({ part: 'peer', cluster, peer: it.peer, file: 'manifests' })
        : it.at.source.path.slice(root.length + 1);
    return path !== false && changed.has(path) && (it.kind !== 'extra' || !compiled.bundle.has(path));
  };
  return explainLive(compiled, root, live)
    .problems.filter((it) => isDrift(it) && !it.isWaiting && !it.findings.some(isExplained))
    .map((it) => it.diagnostic.message);
}

/** The kinds of applied objects of a cluster that were not read. Secrets in bundles are public, and often not readable. */
function unreadKinds(live: LiveCluster, bundle: ReadonlyMap<string, string>, root: string): Preflight['unread'] {
  const applied = [...promisedObjects(live.cluster, { bundle, root }).values()].filter((it) => it.isApplied);
  const unread = applied.filter(({ object }) => !live.listed.has(kindKeyOf(object)) && object.kind !== 'Secret');
  const kinds = sortedUnique(unread.map(({ object }) => object.kind));
  return kinds.length === 0 ? [] : [{ cluster: live.cluster, kinds }];
}

/** Live clusters as one side of a plan. */
function liveState(
  live: readonly LiveCluster[],
  { compiled: { model, bundle, lock }, sources }: ReadyTopology,
  onDisk: PlanState,
): PlanState {
  const files = liveFiles(live, {
    compiled: bundle,
    before: onDisk.files,
    traitsOf: (cluster) => ({ isRenewed: model.clusters.get(cluster)?.traits.renewsCertificates ?? false }),
  });
  const facts = topologyFacts(model);
  const releases = new Map(facts.releases);
  for (const it of live) {
    const found = observeCluster(it).release ?? '';
    const [was, is] = [releaseOf(found), releaseOf(releases.get(it.cluster) ?? '')];
    // Another patch release has no effect on the applied objects.
    if (was !== undefined && was.line !== is?.line) releases.set(it.cluster, was.version);
  }
  // Clusters that were not dumped are as on disk, and a key that was unknown then may be the one in use.
  const unknownKeys = onDisk.known?.unknownKeys ?? facts.unknownKeys;
  const known = { ...facts, releases, unknownKeys, formerNames: new Map<string, string>() };
  return (
    readPlanState({ files, lock: sources.lock?.text ?? lock, known }) ??
    bug('the plan cannot read what live clusters are')
  );
}

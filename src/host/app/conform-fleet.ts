import type { ConformanceReport } from '../../answers/report/conformance/print-conformance.ts';
import { byCodeUnit } from '../../base/core/collections.ts';
import { countOf } from '../../base/core/words.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { PROBER_NAME, PROBER_NAMESPACE } from '../../bundle/conformance/prober-names.ts';
import type { Compiled } from '../../compile.ts';
import { type AddressedCluster, clusterNamed } from '../../fleet/ipam/addressed-model.ts';
import { type ClusterProblem, causeOfLink, causesFirst } from '../../live/drift/causes-first.ts';
import type { ExplainedCluster } from '../../live/drift/explain-cluster.ts';
import { type ObservedProberService, observeProber } from '../../live/facts/probers.ts';
import { findProber, notDialled, proberOff } from '../../live/probers/find-prober.ts';
import { isUnexpected, type JudgedProbe, judgeAnswers, observeAssertions } from '../../reach/probes/judge-answers.ts';
import { type PlannedProbe, type Prober, planProbes } from '../../reach/probes/plan-probes.ts';
import {
  type ProbeAnswer,
  printProbeScript,
  readProbeAnswers,
  scriptSeconds,
} from '../../reach/probes/probe-script.ts';
import type { IpMapping } from '../../reach/trace/trace-request.ts';
import type { ExecRequest, ExecResult } from '../kubectl/run-kubectl.ts';
import type { Answered, TopologyRequest, Unanswered } from './compile-topology.ts';
import { lookAt } from './drift-fleet.ts';
import {
  AT_ONCE,
  atMost,
  beginContext,
  type ContextRequest,
  compileForLive,
  type ListedKind,
  limitedLists,
} from './live-sources.ts';
import { type LivePorts, OUT } from './ports.ts';
import { OperationRefused } from './refusal.ts';

/** The environment of a use case that sends packets from probers. */
export interface ProbePorts extends LivePorts {
  /** Runs a script in a pod. */
  readonly exec: (request: ExecRequest) => Promise<ExecResult>;
  /** Called with a description when packets are sent. */
  readonly onStep: (label: string) => void;
}

interface ConformRequest extends TopologyRequest {
  readonly contexts: readonly ContextRequest[];
  /** Only pairs of these clusters; of one cluster, its pairs with every other; empty for all. */
  readonly clusters: readonly string[];
}

interface ConformedFleet extends Answered<'probed'>, ConformanceReport {
  /** True when a probe was not as predicted, or an assertion does not hold. */
  readonly isBroken: boolean;
}

/** Dials every path between the probers of live clusters, and compares what happens with what is compiled. */
export async function conformFleet(ports: ProbePorts, request: ConformRequest): Promise<Unanswered | ConformedFleet> {
  const { contexts } = request;
  const topology = await compileForLive(ports.files, { ...request, dumps: [] }, 'conformance');
  if (topology.kind !== 'compiled') return topology;
  const { compiled, diagnostics } = topology;
  const { model } = compiled;
  const unknown = request.clusters.find((it) => !model.clusters.has(it));
  const known = [...model.clusters.keys()];
  if (unknown !== undefined) return { kind: 'refused', refusal: { kind: 'unknown-cluster', name: unknown, known } };
  if (!model.fleet.conformance) return { kind: 'unreadable', diagnostics: [proberOff(model.fleet.at)] };
  const isWanted = wantedPairs(request.clusters);
  const read = await readProbers(ports, contexts, compiled);
  const withoutProber = read.flatMap((it) => it.problems);
  const probers = read.flatMap((it) => it.prober ?? []);
  const plan = planProbes(model, {
    probers,
    services: new Map(read.map((it) => [it.cluster.name, it.services])),
    mappings: new Map(read.flatMap((it) => (it.mappings === null ? [] : [[it.cluster.name, it.mappings]]))),
    isWanted,
  });
  const sent = await runScripts(ports, plan.probes, read);
  const judged = judgeAnswers(plan.probes, sent.answers, probers);
  const assertions = observeAssertions(model, compiled.inputs.declaration, { ...plan, judged });
  const active = [...model.clusters.values()].filter((it) => !it.retired).map((it) => it.name);
  const named = new Set(contexts.map((it) => it.cluster));
  return {
    kind: 'probed',
    diagnostics,
    fleet: model.fleet.name,
    ...(await explainProbes(ports, { contexts, compiled, judged })),
    undialled: plan.undialled,
    assertions,
    isBroken: judged.some(isUnexpected) || assertions.some((it) => it.state === 'broken'),
    probers,
    withoutProber: [...withoutProber, ...sent.problems],
    others: active.filter((it) => !named.has(it)).sort(byCodeUnit),
    pairs: {
      wanted: countPairs(active.length, request.clusters.length),
      dialled: new Set(judged.map(({ probe }) => `${probe.from}/${probe.to}`)).size,
    },
  };
}

function wantedPairs(clusters: readonly string[]): (from: string, to: string) => boolean {
  const named = new Set(clusters);
  if (named.size === 0) return () => true;
  return named.size === 1
    ? (from, to) => named.has(from) || named.has(to)
    : (from, to) => named.has(from) && named.has(to);
}

function countPairs(active: number, named: number): number {
  if (named === 1) return 2 * (active - 1);
  const count = named === 0 ? active : named;
  return count * (count - 1);
}

const IPS = 'IP.ipam.liqo.io';

/** The objects of a prober, and the IP resources, which only hubs need. */
const PROBER_KINDS: readonly ListedKind[] = [
  { key: 'Deployment.apps', resource: 'deployments.apps', namespace: PROBER_NAMESPACE },
  { key: 'Pod', resource: 'pods', namespace: PROBER_NAMESPACE },
  { key: IPS, resource: 'ips.ipam.liqo.io' },
];

interface ReadCluster {
  readonly cluster: AddressedCluster;
  readonly context: string;
  readonly prober: Prober | null;
  /** `null` when they may not be listed. */
  readonly mappings: readonly IpMapping[] | null;
  readonly services: readonly ObservedProberService[];
  readonly problems: readonly Diagnostic[];
}

/** The kinds of a prober, and the Services of others whose namespace is offloaded into the cluster. */
const kindsIn = (name: string, { offloadings }: Compiled['model']): readonly ListedKind[] => {
  const offered = offloadings.filter(
    (it) => it.namespace === PROBER_NAMESPACE && it.providers.some((provider) => provider.name === name),
  );
  return [
    ...PROBER_KINDS,
    ...offered.flatMap(({ remoteName: namespace }) => [
      { key: 'Service', resource: 'services', namespace },
      { key: 'EndpointSlice.discovery.k8s.io', resource: 'endpointslices.discovery.k8s.io', namespace },
    ]),
  ];
};

async function readProbers(
  ports: ProbePorts,
  contexts: readonly ContextRequest[],
  { model }: Compiled,
): Promise<readonly ReadCluster[]> {
  const limited = limitedLists(ports);
  const begun = contexts.map((it) => ({ ...it, reading: beginContext(limited, it, kindsIn(it.cluster, model)) }));
  const found: ReadCluster[] = [];
  for (const { cluster: name, context, reading } of begun) {
    const read = await reading;
    const cluster = clusterNamed(model, name);
    const at = { cluster, context };
    const isForbidden = read.ok && read.value.forbidden.has('Pod');
    if (!read.ok || read.diagnostics.length > 0 || isForbidden) {
      const why = `the user of the context may not list pods in ${PROBER_NAMESPACE}`;
      const problems = isForbidden ? [notDialled(at, why)] : read.diagnostics;
      found.push({ ...at, prober: null, mappings: null, services: [], problems });
      continue;
    }
    const observed = observeProber(
      read.value.objects.map((it) => it.object),
      PROBER_NAME,
    );
    const prober = findProber(at, observed);
    found.push({
      ...at,
      prober: prober.ok ? prober.value : null,
      mappings: read.value.forbidden.has(IPS) ? null : observed.mappings.map((it) => ({ ...it, cluster: name })),
      services: observed.services,
      problems: prober.diagnostics,
    });
  }
  return found;
}

interface SentProbes {
  readonly answers: ReadonlyMap<number, ProbeAnswer>;
  readonly problems: readonly Diagnostic[];
}

/** Runs one script in each prober, several probers at once. */
async function runScripts(
  ports: ProbePorts,
  probes: readonly PlannedProbe[],
  read: readonly ReadCluster[],
): Promise<SentProbes> {
  const exec = atMost(AT_ONCE, ports.exec);
  const senders = read.flatMap(({ prober, ...it }) => {
    const own = probes.filter(({ from }) => from === it.cluster.name);
    return prober === null || own.length === 0 ? [] : [{ ...it, prober, own }];
  });
  if (senders.length > 0)
    ports.onStep(
      `dialling ${countOf(probes.length, 'address', 'addresses')} from ${countOf(senders.length, 'cluster')}`,
    );
  const sent = await Promise.all(
    senders.map(async ({ cluster, context, prober, own }) => {
      const result = await exec({
        context,
        namespace: PROBER_NAMESPACE,
        pod: prober.pod,
        container: PROBER_NAME,
        script: printProbeScript(own),
        seconds: scriptSeconds(own.length),
      });
      if (result.kind !== 'printed') return { problems: [notDialled({ cluster, context }, result.message)] };
      const answers = readProbeAnswers(result.text, own);
      return answers === undefined
        ? { problems: [notDialled({ cluster, context }, 'the script in it did not end as expected')] }
        : { answers };
    }),
  );
  return {
    answers: new Map(sent.flatMap((it) => [...(it.answers ?? [])])),
    problems: sent.flatMap((it) => it.problems ?? []),
  };
}

interface JudgedProbes {
  readonly contexts: readonly ContextRequest[];
  readonly compiled: Compiled;
  readonly judged: readonly JudgedProbe[];
}

/** Compares the clusters on the paths of probes that were not as predicted with git, and adds the first cause to each. */
async function explainProbes(
  ports: ProbePorts,
  { contexts, compiled, judged }: JudgedProbes,
): Promise<Pick<ConformedFleet, 'probes' | 'objects'>> {
  const failed = judged.filter(isUnexpected);
  const involved = new Set(failed.flatMap(({ probe }) => clustersOnPath(probe)));
  const wanted = contexts.filter((it) => involved.has(it.cluster));
  const without = judged.map((it) => ({ ...it, cause: null }));
  if (failed.length === 0) return { probes: without, objects: { kind: 'not-needed' } };
  const drift = await readObjects(ports, wanted, compiled);
  if (typeof drift === 'string') return { probes: without, objects: { kind: 'unreadable', why: drift } };
  const causeOf = (it: JudgedProbe): ClusterProblem | null => causeOfLink(causesFirst(drift, isOnPath(it.probe)));
  return {
    probes: judged.map((it) => ({ ...it, cause: isUnexpected(it) ? causeOf(it) : null })),
    objects: { kind: 'compared', clusters: wanted.map((it) => it.cluster) },
  };
}

/** The compared clusters, or why they cannot be: what was dialled is an answer without them. */
async function readObjects(
  ports: ProbePorts,
  contexts: readonly ContextRequest[],
  compiled: Compiled,
): Promise<readonly ExplainedCluster[] | string> {
  try {
    const drift = await lookAt(ports, { dumps: [], contexts, out: OUT }, { compiled, diagnostics: [] });
    if (drift.kind === 'compared') return drift.clusters;
    return drift.kind === 'refused' ? drift.refusal.kind : (drift.diagnostics[0]?.message ?? 'it has no objects');
  } catch (error) {
    if (!(error instanceof OperationRefused) || error.refusal.kind !== 'cluster-not-read') throw error;
    const { cluster, resource, failure } = error.refusal;
    return `kubectl cannot read ${resource} of "${cluster}": ${failure.message}`;
  }
}

const clustersOnPath = ({ from, to, path }: PlannedProbe): readonly string[] =>
  path.kind === 'through' ? [from, path.hub, to] : [from, to];

/** True for a problem of a cluster on the path, or of a link that the path uses. */
function isOnPath(probe: PlannedProbe): Parameters<typeof causesFirst>[1] {
  const { from, to, path } = probe;
  const clusters = new Set(clustersOnPath(probe));
  const isEnd = (it: string): boolean => it === from || it === to;
  return ({ cluster, peer }) =>
    clusters.has(cluster) &&
    (peer === null || (clusters.has(peer) && !(path.kind === 'through' && isEnd(cluster) && isEnd(peer))));
}

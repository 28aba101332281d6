import { groupBy } from '../../base/core/collections.ts';
import { once } from '../../base/core/once.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import { type Assertion, selectClusters } from '../../fleet/model/network-model.ts';
import type { SharedModel } from '../../fleet/sharing/shared-model.ts';
import type { Declaration, ServiceAssertion } from '../../fleet/topology/declaration.ts';
import { type EndpointPath, endpointPaths, isVia } from '../services/endpoint-paths.ts';
import { findNamespace } from '../services/find-namespace.ts';
import { isAboutAllParts } from '../trace/decide-assertions.ts';
import { type PairFates, pairFatesOf } from '../trace/pair-fates.ts';
import type { PlannedProbe, ProbePath, Prober, UndialledPath } from './plan-probes.ts';
import type { ProbeAnswer } from './probe-script.ts';

/** The result of a probe, compared with its prediction. */
export type ProbeVerdict =
  | { readonly kind: 'as-predicted' }
  /** Nothing answers at the predicted address. */
  | { readonly kind: 'lost' }
  /** Another pod or program answers; `cluster` is its cluster, if it is a prober of the fleet. */
  | { readonly kind: 'other-receiver'; readonly host: string; readonly cluster: string | null }
  /** TCP arrives, UDP does not. */
  | { readonly kind: 'udp-lost' }
  /** The receiver sees another sender than predicted. */
  | { readonly kind: 'other-source'; readonly source: number }
  /** Small packets arrive, those that fill the MTU do not. */
  | {
      readonly kind: 'full-packet-lost';
      /** Which of them do: TCP finds a smaller size where routers report it. */
      readonly full: ProbeAnswer['full'];
      /** The size that the sender's kernel has learned; `null` when it has learned none. */
      readonly pathMtu: number | null;
    }
  /** A Service does not have the one endpoint that it must have. */
  | { readonly kind: 'other-endpoints' }
  /** The prober answers, although no packet should reach it. */
  | { readonly kind: 'reached' };

export interface JudgedProbe {
  readonly probe: PlannedProbe;
  readonly verdict: ProbeVerdict;
}

/** Compares every answer with its prediction. */
export function judgeAnswers(
  probes: readonly PlannedProbe[],
  answers: ReadonlyMap<number, ProbeAnswer>,
  probers: readonly Prober[],
): readonly JudgedProbe[] {
  const byCluster = new Map(probers.map((it) => [it.cluster, it]));
  const byPod = new Map(probers.map((it) => [it.pod, it]));
  return probes.flatMap((probe) => {
    const answer = answers.get(probe.id);
    if (answer === undefined) return [];
    const pod = byCluster.get(probe.to)?.pod;
    const verdict = verdictOn(probe, answer, { pod, clusterOf: (host) => byPod.get(host)?.cluster ?? null });
    return [{ probe, verdict }];
  });
}

interface Receivers {
  /** The pod that must answer. */
  readonly pod: string | undefined;
  readonly clusterOf: (host: string) => string | null;
}

function verdictOn(probe: PlannedProbe, answer: ProbeAnswer, { pod, clusterOf }: Receivers): ProbeVerdict {
  const { predicted } = probe;
  const { host, source, full, pathMtu } = answer;
  if (predicted.kind === 'lost') return { kind: host !== null && host === pod ? 'reached' : 'as-predicted' };
  const { endpoints } = probe;
  if (endpoints && (endpoints.found.length !== 1 || endpoints.found[0] !== endpoints.expected))
    return { kind: 'other-endpoints' };
  if (host === null) return { kind: 'lost' };
  if (host !== pod) return { kind: 'other-receiver', host, cluster: clusterOf(host) };
  if (source === null) return { kind: 'udp-lost' };
  if (source !== predicted.source) return { kind: 'other-source', source };
  const isCut = pathMtu === 'less' || (pathMtu !== null && pathMtu < probe.mtuBytes);
  if (!full.tcp || !full.udp || isCut)
    return { kind: 'full-packet-lost', full, pathMtu: pathMtu === 'less' ? null : pathMtu };
  return { kind: 'as-predicted' };
}

/** True when the receiver answered, whatever else differs. */
export const isUnexpected = ({ verdict }: JudgedProbe): boolean => verdict.kind !== 'as-predicted';

const hasArrived = ({ verdict, probe }: JudgedProbe): boolean =>
  verdict.kind === 'reached' ||
  (probe.predicted.kind === 'delivered' &&
    verdict.kind !== 'lost' &&
    verdict.kind !== 'other-receiver' &&
    verdict.kind !== 'other-endpoints');

/** An assertion of the topology, decided by the packets that were sent. */
export interface ObservedAssertion {
  readonly assertion: Assertion | ServiceAssertion;
  /** `unknown`: no pair contradicts it, and some were not dialled on every path. */
  readonly state: 'holds' | 'broken' | 'unknown';
  /** The number of pairs that it is about, and of those that packets decided. */
  readonly pairs: number;
  readonly decided: number;
  /** The first pair that contradicts it, in order of name. */
  readonly broken: { readonly from: string; readonly to: string; readonly path: ProbePath } | null;
}

interface SentProbes {
  readonly judged: readonly JudgedProbe[];
  readonly undialled: readonly UndialledPath[];
}

/** Two clusters that an assertion is about, and the paths of packets between them that it is about. */
interface AssertedPair {
  readonly from: string;
  readonly to: string;
  readonly isAllowed: (path: ProbePath) => boolean;
}

/**
 * Decides assertions by packets between probers; one about a Service by the paths to the clusters in which its pods may run. Those
 * about a part that fails are left out: nothing has failed on purpose.
 */
export function observeAssertions(
  model: SharedModel,
  { assertions, serviceAssertions }: Pick<Declaration, 'assertions' | 'serviceAssertions'>,
  { judged, undialled }: SentProbes,
): readonly ObservedAssertion[] {
  const sent = groupBy(judged, ({ probe }) => [pairName(probe)]);
  const unsent = groupBy(undialled, (it) => [pairName(it)]);
  const fates = once(() => pairFatesOf(model));
  const observed = (
    assertion: ObservedAssertion['assertion'],
    pairs: number,
    about: Iterable<AssertedPair>,
  ): ObservedAssertion => {
    let decided = 0;
    let broken: ObservedAssertion['broken'] = null;
    for (const pair of about) {
      const probes = sent.get(pairName(pair)) ?? [];
      const [probe] = probes;
      if (probe === undefined) continue;
      const arrived = probes.find((it) => pair.isAllowed(it.probe.path) && hasArrived(it));
      const isComplete = !(unsent.get(pairName(pair)) ?? []).some((it) => pair.isAllowed(it.path));
      if (arrived !== undefined || isComplete) decided++;
      const breaks = assertion.expect === 'reachable' ? arrived === undefined && isComplete : arrived !== undefined;
      if (breaks) broken ??= (arrived ?? probe).probe;
    }
    const state = broken !== null ? 'broken' : decided < pairs || pairs === 0 ? 'unknown' : 'holds';
    return { assertion, state, pairs, decided, broken };
  };
  return [
    ...assertions.filter(isAboutAllParts).map((it) => {
      const [from, to] = [selectClusters(model.clusters, it.from), selectClusters(model.clusters, it.to)];
      const pairs = from.length * to.length - from.filter((one) => to.includes(one)).length;
      return observed(it, pairs, pairsAmong(judged, { from, to, via: it.via }));
    }),
    ...serviceAssertions.filter(isAboutAllParts).map((it) => {
      const about = pairsOfService(model, it, fates);
      return observed(it, about.length, about);
    }),
  ];
}

interface AssertedClusters {
  readonly from: readonly AddressedCluster[];
  readonly to: readonly AddressedCluster[];
  readonly via: Assertion['via'];
}

/** The pairs that were dialled: an assertion about all clusters is about far more. */
function* pairsAmong(judged: readonly JudgedProbe[], { from, to, via }: AssertedClusters): Iterable<AssertedPair> {
  const [senders, receivers] = [new Set(from.map((it) => it.name)), new Set(to.map((it) => it.name))];
  const seen = new Set<string>();
  for (const { probe } of judged) {
    if (!senders.has(probe.from) || !receivers.has(probe.to) || seen.has(pairName(probe))) continue;
    seen.add(pairName(probe));
    yield { from: probe.from, to: probe.to, isAllowed: (path) => isOnWay(path, via) };
  }
}

/** Pods in the sender's own cluster are reached without a link, so no prober dials them. */
function pairsOfService(
  model: SharedModel,
  { to, from, via }: ServiceAssertion,
  fates: () => PairFates,
): readonly AssertedPair[] {
  const found = findNamespace(model, { namespace: to.namespace, of: to.of?.value ?? null });
  if (!found.ok) return [];
  const hub = found.namespace.cluster.name;
  return selectClusters(model.clusters, from).flatMap((sender) =>
    (endpointPaths(model, found.namespace, sender, fates()) ?? []).flatMap((path) => {
      const isAllowed = (it: ProbePath): boolean => isVia(path, via) && isWayOf(it, path.way, hub);
      return path.way === 'local' ? [] : [{ from: sender.name, to: path.cluster, isAllowed }];
    }),
  );
}

/** True when packets of a prober take the way of those to an endpoint of a Service. */
function isWayOf(path: ProbePath, way: EndpointPath['way'], hub: string): boolean {
  if (way === 'hub') return path.kind === 'through' && path.hub === hub;
  return way !== 'none' && path.kind === 'direct';
}

const pairName = ({ from, to }: { readonly from: string; readonly to: string }): string => `${from}/${to}`;

function isOnWay({ kind }: ProbePath, via: Assertion['via']): boolean {
  if (via === null) return true;
  return via === 'hub' ? kind === 'through' : kind === 'direct' || kind === 'service';
}

import { by, groupBy } from '../../base/core/collections.ts';
import { oncePer } from '../../base/core/once.ts';
import { shortened } from '../../base/core/words.ts';
import { printPrefix } from '../../base/net/text.ts';
import type { AddressedModel, Peer } from '../../fleet/ipam/addressed-model.ts';
import type { ObservedKeySecret } from '../facts/peer.ts';
import { limitProblems } from '../problems/limit-problems.ts';
import { connectionProblem, disagreements, type GatewayEnd, gatewayEnd } from '../problems/link-problems.ts';
import { configurations, transitRoutes, translated } from './causes/configurations.ts';
import { connected, gateways, templates } from './causes/gateways.ts';
import { halfUpgrade, installation } from './causes/installation.ts';
import { COLLECT_AGAIN, keys, otherCollectedPair } from './causes/keys.ts';
import { offloadings, remoteNamespaces, tenantCondition } from './causes/loans.ts';
import { deletedObjects, deletedPeering, extraPeer, labels, namespaces, secondObjects } from './causes/peers.ts';
import { notes, restOfCluster, restOfPeer } from './causes/rest.ts';
import { otherView, withCreationOrder } from './causes/views.ts';
import { type CaseInput, type ClusterCase, clusterCase, ofKind, type PeerCase } from './cluster-case.ts';
import { type ClusterDrift, type Finding, isDrift, type Problem, problem, withDetails } from './drift.ts';

/** A compared cluster: its differences, their causes, and the state of its rollout. */
export interface ExplainedCluster {
  readonly drift: ClusterDrift;
  /** Problems without a peer, then those of each peer by name, then notes. Every finding is in exactly one of them. */
  readonly problems: readonly Problem[];
  readonly rollout: Rollout;
  /** The ends of its links by peer, for the clusters at their other ends. */
  readonly ends: ReadonlyMap<string, TunnelEnd>;
}

interface Compared extends Omit<CaseInput, 'findings'> {
  readonly drift: ClusterDrift;
}

type Cause = (it: ClusterCase, peer: PeerCase) => Iterable<Problem>;

/** The order matters: a finding that an earlier cause explains is not seen by later ones. */
const CAUSES: readonly Cause[] = [
  ...[extraPeer, deletedPeering, namespaces, tenantCondition, deletedObjects, remoteNamespaces, labels],
  ...[secondObjects, halfUpgrade, configurations, otherView, keys, gateways],
];

/** Explains the findings of one cluster by their causes. */
export function explainCluster(compared: Compared): ExplainedCluster {
  const { drift } = compared;
  const it = clusterCase({ ...compared, findings: drift.findings });
  const [limits, remarks] = [limitsOfOthers(it), [...notes(it)]];
  const installed = [...installation(it), ...templates(it), ...offloadings(it)];
  const peers = [...it.peers.values()].sort(by((one) => one.peer));
  const ofPeers = peers.flatMap((one) => problemsOf(it, one));
  const found = [...installed, ...restOfCluster(it), ...ofPeers, ...transitRoutes(it, ofPeers)];
  const problems = [
    ...[...limits.filter(isDrift), ...withCreationOrder(it, found)],
    ...[...remarks, ...limits.filter((one) => !isDrift(one))],
  ];
  return { drift, problems, rollout: rolloutOf(it, drift, problems), ends: endsHere(it) };
}

/** Objects that neither Liqo nor weft made, and that meet what crosses links: no difference, but some end what git promises. */
const limitsOfOthers = ({ facts, model, at }: ClusterCase): readonly Problem[] =>
  limitProblems(facts, () => networksOfFleet(model)).map(({ code, ...it }) =>
    problem(code, { ...it, at, findings: [] }),
  );

const networksOfFleet = oncePer(
  ({ clusters }: AddressedModel) =>
    new Map(
      [...clusters].map(([name, { podCIDRs, externalCIDR }]) => [
        name,
        { pod: podCIDRs.map((it) => printPrefix(it.value)), external: [printPrefix(externalCIDR)] },
      ]),
    ),
);

function problemsOf(it: ClusterCase, peer: PeerCase): readonly Problem[] {
  const found = CAUSES.flatMap((cause) => [...cause(it, peer)]);
  return [...connected(it, peer, translated(it, peer, found)), ...restOfPeer(it, peer)];
}

/**
 * Adds facts from the other end of each link: whether both ends agree, and which of two clusters causes a missing
 * tunnel. Reads summaries, so that the objects of clusters need not be kept until here.
 */
export function explainFleet(clusters: readonly ExplainedCluster[]): readonly ExplainedCluster[] {
  const others = new Map(
    clusters.map((it) => [
      it.drift.cluster,
      { ends: it.ends, problems: groupBy(it.problems, (one) => [one.peer ?? '']) },
    ]),
  );
  return clusters.map((it) => {
    const problems = it.problems.flatMap((one) => {
      if (one.peer === null) return [one];
      const { cluster } = it.drift;
      const there = others.get(one.peer);
      const here = it.ends.get(one.peer);
      const remote = {
        cluster: one.peer,
        end: there?.ends.get(cluster),
        problems: there?.problems.get(cluster) ?? [],
        own: there?.problems.get('') ?? [],
      };
      return isOtherEndOfKey(one, here, remote) ? [] : [withDetails(one, [...sentences(one, here, remote)])];
    });
    return { ...it, problems, rollout: { ...it.rollout, state: rolloutState(problems) } };
  });
}

interface Remote {
  readonly cluster: string;
  /** `undefined` when that cluster was not compared, or has no gateway for this one. */
  readonly end: TunnelEnd | undefined;
  readonly problems: readonly Problem[];
  /** That cluster's problems without a peer. */
  readonly own: readonly Problem[];
}

/** Problems that a Tenant or a NamespaceOffloading at the other end may cause. */
const OF_LOANS = new Set(['drift/offloading', 'drift/missing', 'drift/other-spec', 'drift/other-status']);

function* loanSentences({ effects }: Problem, { problems, own }: Remote): Iterable<string> {
  const namespaces = new Set(effects.flatMap((one) => (one.kind === 'different' ? [one.path[2] ?? ''] : [])));
  const cause =
    problems.find((one) => one.diagnostic.code === 'drift/tenant-condition') ??
    own.find((one) =>
      one.findings.some(({ object: { kind, namespace } }) => kind === OFFLOADING && namespaces.has(namespace ?? '')),
    );
  if (cause !== undefined) yield `at the other end: ${shortened(cause.diagnostic.message, 300)}`;
}

const OFFLOADING = 'NamespaceOffloading';

function* sentences(it: Problem, here: TunnelEnd | undefined, remote: Remote): Iterable<string> {
  const { cluster, end, problems } = remote;
  if (OF_LOANS.has(it.diagnostic.code)) yield* loanSentences(it, remote);
  if (here === undefined) return;
  switch (it.diagnostic.code) {
    case 'drift/key':
      if (end?.otherPair != null && acceptsKey(it, end.otherPair))
        yield `the Secret "${end.otherPair.name}" in "${cluster}" has this key: both ends agree, and "${COLLECT_AGAIN}" records it`;
      return;
    case 'drift/mtu':
      if (end === undefined) yield `"${cluster}" was not compared, so its MTU is not known`;
      else if (disagreements(here, end).mtu)
        yield `"${cluster}" has ${end.mtu ?? 0}: the two ends differ, and large packets are lost`;
      else yield `"${cluster}" has the same MTU: both ends agree, and git is behind`;
      return;
    case 'drift/port':
      if (!it.findings.some(isOfPort)) return;
      if (end === undefined || end.role === here.role || end.port === null || here.port === null) return;
      if (!disagreements(here, end).port)
        yield `"${cluster}" uses port ${end.port} as well: both ends agree, and git is behind`;
      else if (end.role === 'client') yield `"${cluster}" dials port ${end.port}, where it finds nothing now`;
      else yield `"${cluster}" listens on port ${end.port}, so this end finds nothing`;
      return;
    case 'drift/not-connected': {
      const cause = problems.find((one) => one.diagnostic.code !== 'drift/not-connected' && !one.isWaiting);
      if (cause !== undefined) yield `at the other end: ${shortened(cause.diagnostic.message, 300)}`;
      else if (end?.connection === 'Connected') yield `"${cluster}" still reports the tunnel as Connected`;
      return;
    }
    default:
      return;
  }
}

/** True for a key that the other end accepts already: its PublicKey differs from git, and is reported there. */
const isOtherEndOfKey = (it: Problem, here: TunnelEnd | undefined, { problems }: Remote): boolean =>
  it.diagnostic.code === 'drift/key-secret' &&
  it.effects.length === 0 &&
  here?.otherPair != null &&
  problems.some((one) => acceptsKey(one, here.otherPair));

const acceptsKey = ({ findings, diagnostic }: Problem, pair: TunnelEnd['otherPair']): boolean =>
  diagnostic.code === 'drift/key' && findings.some((it) => it.kind === 'different' && it.live === pair?.publicKey);

const isOfPort = (it: Finding): boolean => it.kind === 'different' && /port$/i.test(it.path.at(-1) ?? '');

/** The live gateway of a cluster for a peer. */
interface TunnelEnd extends GatewayEnd {
  readonly connection: string | null;
  /** Its Secret, when that has another key pair than git records. */
  readonly otherPair: ObservedKeySecret | null;
}

/** By peer; peers without a gateway are left out. */
const endsHere = ({ peers }: ClusterCase): ReadonlyMap<string, TunnelEnd> =>
  new Map(
    [...peers.values()].flatMap((one) => {
      const [gateway] = one.facts.gateways;
      if (gateway === undefined) return [];
      const connection = one.facts.connections[0]?.value ?? null;
      return [[one.peer, { ...gatewayEnd(gateway), connection, otherPair: otherCollectedPair(one) }] as const];
    }),
  );

/** The progress of a rollout. */
export interface Rollout {
  /** The number of compared objects that exist. */
  readonly there: number;
  readonly compared: number;
  /** `same`: as in git. `waiting`: incomplete, but nothing contradicts git. */
  readonly state: 'same' | 'waiting' | 'drift';
  /** The next step in the order of the bundle; `null` when nothing is missing. */
  readonly waitsFor: string | null;
}

function rolloutOf(it: ClusterCase, { compared, findings }: ClusterDrift, problems: readonly Problem[]): Rollout {
  const missing = findings.filter((one) => one.kind === 'missing' && one.object.kind !== 'Secret').length;
  const isWaiting = problems.some((one) => isDrift(one) && one.isWaiting);
  return {
    there: compared - missing,
    compared,
    state: rolloutState(problems),
    waitsFor: isWaiting ? (nextStep(it) ?? null) : null,
  };
}

function rolloutState(problems: readonly Problem[]): Rollout['state'] {
  const found = problems.filter(isDrift);
  return found.length === 0 ? 'same' : found.every((one) => one.isWaiting) ? 'waiting' : 'drift';
}

/** Returns the first incomplete step: namespaces, Configurations in their order, gateways, tunnels. */
function nextStep({ cluster, peers, live }: ClusterCase): string | undefined {
  const inOrder = [...cluster.peers.values()].flatMap((it) => {
    const peer = peers.get(it.name);
    return peer === undefined ? [] : [{ it, peer }];
  });
  const first = (isDone: (peer: PeerCase) => string | undefined, words: (place: PeerStep) => string) => {
    for (const [index, { it, peer }] of inOrder.entries()) {
      const why = isDone(peer);
      if (why !== undefined) return words({ peer: it, place: `${index + 1} of ${inOrder.length}`, why });
    }
    return undefined;
  };
  const steps = [
    first(namespaceState, ({ peer }) => `the namespace of "${peer.name}"`),
    first(configurationState, ({ peer, place, why }) => `its Configuration ${place} ("${peer.name}"): ${why}`),
    first(gatewayState, ({ peer, why }) => `its gateway for "${peer.name}": ${why}`),
    live.listed.has('Connection.networking.liqo.io')
      ? first(
          (it) => connectionState(it, cluster.name),
          ({ peer, why }) => `its tunnel to "${peer.name}": ${why}`,
        )
      : undefined,
  ];
  return steps.find((it) => it !== undefined);
}

interface PeerStep {
  readonly peer: Peer;
  /** `2 of 3`, in the order of application. */
  readonly place: string;
  readonly why: string;
}

const namespaceState = ({ live, promised }: PeerCase): string | undefined =>
  ofKind(promised, 'Namespace').length > 0 && live.length === 0 ? 'it is not there' : undefined;

function configurationState({ facts: { configurations, networks }, declared }: PeerCase): string | undefined {
  const [configuration] = configurations;
  if (configuration === undefined) return 'it is not applied yet';
  const without = networks.filter((it) => it.given === null);
  if (without.length > 0) return `its ${without.length === 1 ? 'Network has' : 'Networks have'} no status`;
  const wanted = (declared?.podViews.length ?? 0) + 1;
  const pods = configuration.seen?.pod ?? [];
  if (pods.length > 0 && pods.every((it) => it !== '')) return undefined;
  return networks.length < wanted ? 'its Networks are not there' : 'it has no status';
}

const gatewayState = ({ facts, declared }: PeerCase): string | undefined =>
  facts.gateways.some((it) => it.role === (declared?.role ?? 'client')) ? undefined : 'it is not applied yet';

const WAITS = { pod: 'its gateway has no running pod yet', endpoint: 'its gateway has no endpoint yet' } as const;

function connectionState({ facts }: PeerCase, cluster: string): string | undefined {
  const it = connectionProblem(facts, cluster);
  if (it === null) return undefined;
  if (it.waitsFor !== null) return WAITS[it.waitsFor];
  return it.kind === 'no-connection' || it.value === '' ? 'it has no state yet' : `it is ${it.value}`;
}

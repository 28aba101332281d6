import { by, groupBy } from '../../base/core/collections.ts';
import { shortened } from '../../base/core/words.ts';
import type { AddressedCluster, AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import type { LiveCluster } from '../dumps/kubernetes-object.ts';
import { disagreements, type GatewayEnd, gatewayEnd } from '../problems/link-problems.ts';
import { configurations, translated } from './causes/configurations.ts';
import { connected, gateways, templates } from './causes/gateways.ts';
import { halfUpgrade, installation } from './causes/installation.ts';
import { keys } from './causes/keys.ts';
import { offloadings, remoteNamespaces, tenantCondition } from './causes/loans.ts';
import { beingDeleted, extraPeer, labels, namespaces, secondObjects } from './causes/peers.ts';
import { notes, restOfCluster, restOfPeer } from './causes/rest.ts';
import { otherView, withCreationOrder } from './causes/views.ts';
import { type ClusterCase, clusterCase, type PeerCase } from './cluster-case.ts';
import { type ClusterDrift, type Problem, withDetails } from './drift.ts';
import type { PromisedObjects } from './promised-objects.ts';
import { type Rollout, rolloutOf } from './rollout.ts';

/** A cluster that was looked at: what differs, why, and how far its rollout is. */
export interface ExplainedCluster {
  readonly drift: ClusterDrift;
  /** Those about no peer, then those of each peer, by name, then notes. Every finding is in exactly one of them. */
  readonly problems: readonly Problem[];
  readonly rollout: Rollout;
  /** What the ends of its links are, for the clusters at their other ends; by peer. */
  readonly ends: ReadonlyMap<string, TunnelEnd>;
}

interface Compared {
  readonly model: AddressedModel;
  readonly cluster: AddressedCluster;
  readonly promised: PromisedObjects;
  readonly live: LiveCluster;
  readonly drift: ClusterDrift;
  /** The folder of the bundles as messages show it. */
  readonly root: string;
}

type Cause = (it: ClusterCase, peer: PeerCase) => Iterable<Problem>;

/** In this order: whatever an earlier one explains is an effect for all later ones. */
const CAUSES: readonly Cause[] = [
  ...[extraPeer, namespaces, tenantCondition, beingDeleted, remoteNamespaces, labels, secondObjects, halfUpgrade],
  ...[configurations, otherView, keys, gateways],
];

/** Explains the findings of one cluster by their causes. */
export function explainCluster(compared: Compared): ExplainedCluster {
  const { drift } = compared;
  const it = clusterCase({ ...compared, findings: drift.findings });
  const remarks = [...notes(it)];
  const installed = [...installation(it), ...templates(it), ...offloadings(it)];
  const peers = [...it.peers.values()].sort(by((one) => one.peer));
  const ofPeers = peers.flatMap((one) => problemsOf(it, one));
  const found = [...installed, ...restOfCluster(it), ...ofPeers];
  const problems = [...withCreationOrder(it, found), ...remarks];
  return { drift, problems, rollout: rolloutOf(it, drift, problems), ends: endsHere(it) };
}

function problemsOf(it: ClusterCase, peer: PeerCase): readonly Problem[] {
  const found = CAUSES.flatMap((cause) => [...cause(it, peer)]);
  return [...connected(it, peer, translated(it, peer, found)), ...restOfPeer(it, peer)];
}

/**
 * Adds what only the other end of a link shows: whether both ends agree with each other, and in which of two clusters the
 * cause of a missing tunnel is. It reads summaries, so the objects of a cluster need not be kept until here.
 */
export function explainFleet(clusters: readonly ExplainedCluster[]): readonly ExplainedCluster[] {
  const others = new Map(
    clusters.map((it) => [
      it.drift.cluster,
      { ends: it.ends, problems: groupBy(it.problems, (one) => [one.peer ?? '']) },
    ]),
  );
  return clusters.map((it) => ({
    ...it,
    problems: it.problems.map((one) => {
      if (one.peer === null) return one;
      const { cluster } = it.drift;
      const there = others.get(one.peer);
      const here = it.ends.get(one.peer);
      const remote = {
        cluster: one.peer,
        end: there?.ends.get(cluster),
        problems: there?.problems.get(cluster) ?? [],
        own: there?.problems.get('') ?? [],
      };
      return withDetails(one, [...sentences(one, here, remote)]);
    }),
  }));
}

interface Remote {
  readonly cluster: string;
  /** `undefined` when that cluster was not looked at, or has no gateway for this one. */
  readonly end: TunnelEnd | undefined;
  readonly problems: readonly Problem[];
  /** Those of that cluster that are about no peer. */
  readonly own: readonly Problem[];
}

/** What a Tenant at the other end, or a NamespaceOffloading there, may be the cause of. */
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
    case 'drift/mtu':
      if (end === undefined) yield `"${cluster}" was not compared, so its MTU is not known`;
      else if (disagreements(here, end).mtu)
        yield `"${cluster}" has ${end.mtu ?? 0}: the two ends differ, and large packets are lost`;
      else yield `"${cluster}" has the same MTU: both ends agree, and git is behind`;
      return;
    case 'drift/port':
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

/** The gateway of a cluster for a peer, as it runs. */
interface TunnelEnd extends GatewayEnd {
  readonly connection: string | null;
}

/** By peer; without peers that have no gateway. */
const endsHere = ({ peers }: ClusterCase): ReadonlyMap<string, TunnelEnd> =>
  new Map(
    [...peers.values()].flatMap(({ peer, facts: { gateways, connections } }) =>
      gateways
        .slice(0, 1)
        .map((it) => [peer, { ...gatewayEnd(it), connection: connections[0]?.value ?? null }] as const),
    ),
  );

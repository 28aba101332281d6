import { by } from '../../base/core/order.ts';
import type { AddressedCluster, AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import type { LiveCluster } from '../dumps/live-cluster.ts';
import { configurations } from './causes/configurations.ts';
import { connected } from './causes/connection.ts';
import { extraPeer } from './causes/extra-peer.ts';
import { gateways } from './causes/gateways.ts';
import { halfUpgrade } from './causes/half-upgrade.ts';
import { installation } from './causes/installation.ts';
import { keys } from './causes/keys.ts';
import { offloadings, remoteNamespaces, tenantCondition } from './causes/loans.ts';
import { namespaces } from './causes/namespaces.ts';
import { translated } from './causes/nat-rules.ts';
import { notes } from './causes/notes.ts';
import { beingDeleted, labels } from './causes/objects-of-peer.ts';
import { otherView } from './causes/other-view.ts';
import { restOfCluster, restOfPeer } from './causes/rest.ts';
import { secondObjects } from './causes/second-objects.ts';
import { templates } from './causes/templates.ts';
import { type ClusterCase, clusterCase, type PeerCase } from './cluster-case.ts';
import { withCreationOrder } from './creation-order.ts';
import type { ClusterDrift } from './drift.ts';
import { endsHere, type LiveEnd } from './live-ends.ts';
import type { Problem } from './problem.ts';
import type { PromisedObjects } from './promised-objects.ts';
import { type Rollout, rolloutOf } from './rollout.ts';

/** A cluster that was looked at: what differs, why, and how far its rollout is. */
export interface ExplainedCluster {
  readonly drift: ClusterDrift;
  /** Those about no peer, then those of each peer, by name, then notes. Every finding is in exactly one of them. */
  readonly problems: readonly Problem[];
  readonly rollout: Rollout;
  /** What the ends of its links are, for the clusters at their other ends; by peer. */
  readonly ends: ReadonlyMap<string, LiveEnd>;
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

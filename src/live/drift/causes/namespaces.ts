import { TENANT_NAMESPACE_LABEL } from '../../../base/releases/labels.ts';
import { isTenantNamespace } from '../../dumps/kubernetes-object.ts';
import { type ClusterCase, LOAN_KINDS, namespaceOf, ofKind, type PeerCase } from '../cluster-case.ts';
import { type Problem, problem } from '../problem.ts';

/** A peer of which nothing is there, and one whose objects are in another namespace, or in two. */
export function* namespaces(it: ClusterCase, peer: PeerCase): Iterable<Problem> {
  const promised = namespaceOf(peer);
  if (promised === undefined) return;
  const others = peer.live.filter((one) => isTenantNamespace(one) && one.metadata.name !== promised);
  const [other] = others.map((one) => one.metadata.name);
  // A dump may have objects of a namespace without the namespace itself.
  const isMissing =
    other === undefined && peer.live.length > 0
      ? []
      : peer.pool.take(
          (one) => one.kind === 'missing' && one.object.kind === 'Namespace' && one.object.name === promised,
        );
  const common = { peer: peer.peer, at: peer.at } as const;
  if (other !== undefined && isMissing.length > 0) {
    yield problem('drift/namespace', {
      ...common,
      message: `the namespace of "${peer.peer}" in "${it.cluster.name}" is "${other}", and git has "${promised}"`,
      hint:
        ofKind(peer.live, ...LOAN_KINDS).length > 0
          ? 'set the name of the namespace in the topology: a loan uses it, and its pods end with it'
          : 'set the name of the namespace in the topology, or apply the bundle and delete the other one: its gateway and its views are then made again',
      findings: isMissing,
      effects: peer.pool.take(
        (one) => one.object.namespace === promised || one.object.namespace === other || one.object.name === other,
      ),
    });
    return;
  }
  if (other !== undefined) {
    const names = new Set(others.map((one) => one.metadata.name));
    const extra = peer.pool.take((one) => one.object.kind === 'Namespace' && names.has(one.object.name));
    yield problem('drift/second-namespace', {
      ...common,
      message: `"${it.cluster.name}" has two namespaces for "${peer.peer}": "${promised}" and "${other}"`,
      hint: `remove the label "${TENANT_NAMESPACE_LABEL}" from the one that git does not have, and delete it once nothing in it is in use: with two, Liqo finds neither`,
      findings: extra,
      effects: peer.pool.take((one) => one.kind === 'extra' && names.has(one.object.namespace ?? '')),
    });
    return;
  }
  if (isMissing.length === 0) return;
  const isWaiting = it.reachedWave === Number.NEGATIVE_INFINITY;
  yield problem('drift/peer-missing', {
    ...common,
    message: `"${it.cluster.name}" has nothing of its peering with "${peer.peer}"`,
    hint: isWaiting ? 'apply the bundle' : 'apply the bundle, or remove the peering from the topology',
    isWaiting,
    findings: isMissing,
    effects: peer.pool.take(() => true),
  });
}

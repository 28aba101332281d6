import { POD_SECURITY_LABELS } from '../../../base/releases/labels.ts';
import { type ClusterCase, namespaceOf, type PeerCase } from '../cluster-case.ts';
import { byObject } from '../finding-pool.ts';
import { named, objectsIn, valueIn } from '../object-words.ts';
import { type Problem, problem } from '../problem.ts';

/** Objects on their way out. What is missing besides is deleted already. With the tenant namespace all of the peering goes. */
export function* beingDeleted(it: ClusterCase, peer: PeerCase): Iterable<Problem> {
  const tenant = namespaceOf(peer);
  const leaving = peer.pool.take(
    (one) => one.kind === 'being-deleted' && (one.object.kind !== 'Namespace' || one.object.name === tenant),
  );
  if (leaving.length === 0) return;
  const names = new Set(leaving.map((one) => one.object.namespace ?? one.object.name));
  const isWhole = leaving.some((one) => one.object.kind === 'Namespace');
  yield problem('drift/being-deleted', {
    peer: peer.peer,
    at: peer.at,
    message: isWhole
      ? `the peering of "${it.cluster.name}" with "${peer.peer}" is being deleted, with its namespace`
      : `${objectsIn(leaving)} in "${it.cluster.name}" (peer "${peer.peer}") ${leaving.length === 1 ? 'is' : 'are'} being deleted`,
    hint: 'find out who deleted it; once it is gone, apply the bundle: views are then asked for again',
    findings: leaving,
    effects: isWhole
      ? peer.pool.take((one) => names.has(one.object.namespace ?? one.object.name) || one.kind === 'being-deleted')
      : [],
  });
}

/** Labels by which Liqo finds objects. */
export function* labels({ cluster }: ClusterCase, peer: PeerCase): Iterable<Problem> {
  const found = peer.pool.take((one) => one.kind === 'different' && one.path[1] === 'labels');
  for (const ofObject of byObject(found)) {
    const [first] = ofObject;
    if (first?.kind !== 'different') continue;
    const object = named(first.object);
    const label = first.path[2] ?? '';
    yield problem('drift/label', {
      peer: peer.peer,
      at: peer.at,
      message:
        first.live === undefined
          ? `${object} in "${cluster.name}" (peer "${peer.peer}") has no label "${label}"`
          : `the label "${label}" of ${object} in "${cluster.name}" (peer "${peer.peer}") is "${valueIn(first.live)}", and git has "${valueIn(first.promised)}"`,
      hint: label.startsWith(POD_SECURITY_LABELS)
        ? 'apply the bundle again: where Pod Security is enforced, Kubernetes refuses the next pod of the gateway'
        : 'apply the bundle again: Liqo finds its objects by their labels',
      findings: ofObject,
    });
  }
}

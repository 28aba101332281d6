import { type ClusterCase, ofKind, type PeerCase } from '../cluster-case.ts';
import { objectsIn } from '../object-words.ts';
import { type Problem, problem } from '../problem.ts';

/** `milan-pod` up to Liqo 1.1, `milan-pod-10-200-0-0-16` since 1.2. */
const NEW_NAME = /-(pod|external)-\d+-\d+-\d+-\d+-\d+$/;
const OLD_NAME = /-(pod|external)$/;

/**
 * Networks of a peer under the names of another release. An upgraded Liqo asks for every view again under the new names and
 * deletes the old Networks, in any order. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/networking/external-network/configuration/network.go.
 */
export function* halfUpgrade({ cluster }: ClusterCase, peer: PeerCase): Iterable<Problem> {
  const isNew = cluster.traits.namesPeerNetworksByCIDR;
  const other = isNew ? OLD_NAME : NEW_NAME;
  const extra = peer.pool.take(
    (one) => one.kind === 'extra' && one.object.kind === 'Network' && other.test(one.object.name),
  );
  if (extra.length === 0) return;
  const missing = peer.pool.take((one) => one.kind === 'missing' && one.object.kind === 'Network');
  const ours = ofKind(peer.live, 'Network').filter((it) => !other.test(it.metadata.name)).length;
  const release = isNew ? 'before 1.2' : 'since 1.2';
  yield problem('drift/half-upgrade', {
    peer: peer.peer,
    at: peer.at,
    message:
      ours > 0
        ? `"${cluster.name}" has Networks of "${peer.peer}" under the names of two releases: ${objectsIn(extra)} of Liqo ${release} besides those of git`
        : `the Networks of "${cluster.name}" for "${peer.peer}" have the names of Liqo ${release}: ${objectsIn(extra)}`,
    hint: 'let the upgrade of Liqo end, then compare again: every view is asked for again, and may come out otherwise',
    findings: [...extra, ...missing],
  });
}

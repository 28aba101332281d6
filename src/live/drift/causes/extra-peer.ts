import { listOf } from '../../../base/core/words.ts';
import { printPrefix } from '../../../base/net/text.ts';
import { type ClusterCase, LOAN_KINDS, ofKind, type PeerCase } from '../cluster-case.ts';
import { objectsIn } from '../object-words.ts';
import { type Problem, problem } from '../problem.ts';

/** A peer that git does not have. Its networks are taken, so the views of later peers come out otherwise. */
export function* extraPeer(it: ClusterCase, peer: PeerCase): Iterable<Problem> {
  if (peer.declared !== undefined || peer.promised.length > 0) return;
  const findings = peer.pool.take(() => true);
  if (findings.length === 0) return;
  const views = it.networks.liveViewsOf(peer.peer).flatMap((one) => (one.seenAs ? [printPrefix(one.seenAs)] : []));
  const isPeering = ofKind(peer.live, 'Configuration', 'GatewayServer', 'GatewayClient').length > 0;
  yield problem('drift/extra-peer', {
    peer: peer.peer,
    at: it.at,
    message: isPeering
      ? `"${it.cluster.name}" has a peering with "${peer.peer}", which git does not have`
      : `"${it.cluster.name}" still has ${objectsIn(findings)} of "${peer.peer}", which is no peer of it in git`,
    hint:
      ofKind(peer.live, ...LOAN_KINDS).length > 0
        ? 'add the peering and its loan to the topology: the pods of the loan end with the objects of it'
        : 'add the peering to the topology, or delete its gateways, then its Configuration, then its namespace',
    details: [
      ...(it.model.clusters.has(peer.peer) ? [] : [`no cluster of the fleet is called "${peer.peer}"`]),
      ...(views.length > 0 ? [`it uses ${listOf(views)} in "${it.cluster.name}"`] : []),
    ],
    findings,
  });
}

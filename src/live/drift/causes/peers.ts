import { listOf } from '../../../base/core/words.ts';
import { printPrefix } from '../../../base/net/text.ts';
import { POD_SECURITY_LABELS, TENANT_NAMESPACE_LABEL } from '../../../base/releases/labels.ts';
import { gatewayKind } from '../../facts/peer.ts';
import { type ClusterCase, LOAN_KINDS, namespaceOf, ofKind, type PeerCase } from '../cluster-case.ts';
import {
  byObject,
  type Finding,
  GATEWAY_KINDS,
  objectName,
  objectsIn,
  type Problem,
  problem,
  valueIn,
} from '../drift.ts';

const DELETED = 'find out who deleted it; once it is gone, apply the bundle: views are then asked for again';

/** Reports a peering whose tenant namespace is being deleted, with everything in it. */
export function* deletedPeering(it: ClusterCase, peer: PeerCase): Iterable<Problem> {
  const tenant = namespaceOf(peer);
  const isTenant = (one: Finding): boolean => one.object.kind === 'Namespace' && one.object.name === tenant;
  const findings = peer.pool.take((one) => one.kind === 'being-deleted' && isTenant(one));
  if (findings.length === 0) return;
  yield problem('drift/being-deleted', {
    peer: peer.peer,
    at: peer.at,
    message: `the peering of "${it.cluster.name}" with "${peer.peer}" is being deleted, with its namespace`,
    hint: DELETED,
    findings,
    effects: peer.pool.take((one) => one.object.namespace === tenant || isTenant(one) || one.kind === 'being-deleted'),
  });
}

/** Reports single objects that are being deleted. Remote namespaces are problems of loans. */
export function* deletedObjects(it: ClusterCase, peer: PeerCase): Iterable<Problem> {
  const findings = peer.pool.take((one) => one.kind === 'being-deleted' && one.object.kind !== 'Namespace');
  if (findings.length === 0) return;
  yield problem('drift/being-deleted', {
    peer: peer.peer,
    at: peer.at,
    message: `${objectsIn(findings)} in "${it.cluster.name}" (peer "${peer.peer}") ${findings.length === 1 ? 'is' : 'are'} being deleted`,
    hint: DELETED,
    findings,
  });
}

/** Reports changed labels, by which Liqo finds objects. */
export function* labels({ cluster }: ClusterCase, peer: PeerCase): Iterable<Problem> {
  const found = peer.pool.take((one) => one.kind === 'different' && one.path[1] === 'labels');
  for (const ofObject of byObject(found)) {
    const [first] = ofObject;
    if (first?.kind !== 'different') continue;
    const object = objectName(first.object);
    const label = first.path[2] ?? '';
    yield problem('drift/label', {
      peer: peer.peer,
      at: peer.at,
      message:
        first.live === undefined
          ? `${object} in "${cluster.name}" (peer "${peer.peer}") has no ${labelsText(ofObject)}`
          : `the label "${label}" of ${object} in "${cluster.name}" (peer "${peer.peer}") is "${valueIn(first.live)}", and git has "${valueIn(first.promised)}"`,
      hint: label.startsWith(POD_SECURITY_LABELS)
        ? 'apply the bundle again: where Pod Security is enforced, Kubernetes refuses the next pod of the gateway'
        : 'apply the bundle again: Liqo finds its objects by their labels',
      findings: ofObject,
    });
  }
}

function labelsText(found: readonly Finding[]): string {
  const names = found.flatMap((it) =>
    it.kind === 'different' && it.live === undefined ? [`"${it.path[2] ?? ''}"`] : [],
  );
  return `${names.length === 1 ? 'label' : 'labels'} ${listOf(names)}`;
}

/** Reports a peer without any objects, and one whose objects are in another namespace, or in two. */
export function* namespaces(it: ClusterCase, peer: PeerCase): Iterable<Problem> {
  const promised = namespaceOf(peer);
  if (promised === undefined) return;
  const others = new Set(peer.facts.namespaces.filter((one) => one !== promised));
  const [other] = others;
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
    const extra = peer.pool.take((one) => one.object.kind === 'Namespace' && others.has(one.object.name));
    yield problem('drift/second-namespace', {
      ...common,
      message: `"${it.cluster.name}" has two namespaces for "${peer.peer}": "${promised}" and "${other}"`,
      hint: `remove the label "${TENANT_NAMESPACE_LABEL}" from the one that git does not have, and delete it once nothing in it is in use: with two, Liqo finds neither`,
      findings: extra,
      effects: peer.pool.take((one) => one.kind === 'extra' && others.has(one.object.namespace ?? '')),
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

/**
 * Reports a gateway with the other role, and a second gateway or Configuration. Liqo expects exactly one of each per
 * remote cluster. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/external-network/route/k8s.go.
 */
export function* secondObjects(it: ClusterCase, peer: PeerCase): Iterable<Problem> {
  if (peer.promised.length === 0) return;
  yield* secondGateway(it, peer);
  yield* secondConfiguration(it, peer);
}

function* secondGateway({ cluster }: ClusterCase, { peer, at, pool, facts }: PeerCase): Iterable<Problem> {
  const extra = pool.take((one) => one.kind === 'extra' && GATEWAY_KINDS.includes(one.object.kind));
  const [second] = extra;
  if (second === undefined) return;
  const connections = new Set(extra.map((one) => `${one.object.namespace ?? ''}/gw-${one.object.name}`));
  const effects = pool.take(
    (one) => one.kind === 'extra' && connections.has(`${one.object.namespace ?? ''}/${one.object.name}`),
  );
  const missing = pool.take((one) => one.kind === 'missing' && GATEWAY_KINDS.includes(one.object.kind));
  const [promised] = missing;
  if (promised !== undefined) {
    yield problem('drift/gateway-role', {
      peer,
      at,
      message:
        promised.object.kind === second.object.kind
          ? `the gateway of "${cluster.name}" for "${peer}" is called "${second.object.name}", and git has "${promised.object.name}"`
          : `"${cluster.name}" has a ${second.object.kind} for "${peer}", and git has a ${promised.object.kind}`,
      hint: 'change the topology to what runs, or delete this gateway, wait until it is gone, and apply the bundle',
      findings: [...missing, ...extra],
      effects: [...effects, ...pool.take((one) => one.kind === 'missing' && one.object.kind === 'Connection')],
    });
    return;
  }
  const first = facts.gateways.find((one) => one.name !== second.object.name);
  yield problem('drift/second-gateway', {
    peer,
    at,
    message: `"${cluster.name}" has two gateways for "${peer}": ${first === undefined ? 'one' : gatewayKind(first.role)} "${first?.name ?? peer}" of git, and ${second.object.kind} "${second.object.name}"`,
    hint: 'delete the one that git does not have: with two, Liqo makes no routes',
    findings: extra,
    effects,
  });
}

function* secondConfiguration({ cluster }: ClusterCase, { peer, at, pool }: PeerCase): Iterable<Problem> {
  const extra = pool.take((one) => one.kind === 'extra' && one.object.kind === 'Configuration');
  const [second] = extra;
  if (second === undefined) return;
  const missing = pool.take((one) => one.kind === 'missing' && one.object.kind === 'Configuration');
  const isOnly = missing.length > 0;
  yield problem('drift/second-configuration', {
    peer,
    at,
    message: isOnly
      ? `the Configuration of "${cluster.name}" for "${peer}" is "${second.object.name}", and git has "${missing[0]?.object.name ?? ''}"`
      : `"${cluster.name}" has two Configurations for "${peer}": the one of git, and "${second.object.name}"`,
    hint: 'delete the one that git does not have: with two, Liqo uses neither',
    findings: [...missing, ...extra],
    effects: pool.take(
      (one) =>
        one.object.kind === 'Network' &&
        ((one.kind === 'extra' && extra.some((it) => one.object.name.startsWith(`${it.object.name}-`))) || isOnly),
    ),
  });
}

/** Reports a peer that is not in git. Its networks are taken, so later peers get other views. */
export function* extraPeer(it: ClusterCase, peer: PeerCase): Iterable<Problem> {
  if (peer.declared !== undefined || peer.promised.length > 0) return;
  const findings = peer.pool.take(() => true);
  if (findings.length === 0) return;
  const views = it.networks.liveViewsOf(peer.peer).flatMap((one) => (one.seenAs ? [printPrefix(one.seenAs)] : []));
  const isPeering = peer.facts.configurations.length + peer.facts.gateways.length > 0;
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

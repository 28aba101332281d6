import { quotedNames } from '../../../base/core/words.ts';
import { ORIGINAL_NAME_ANNOTATION } from '../../../base/releases/labels.ts';
import { type ClusterCase, namespaceOf, ofKind, type PeerCase } from '../cluster-case.ts';
import { byObject, type DifferentField, type Finding, type Problem, problem, valueIn } from '../drift.ts';

/** Objects that Liqo creates in a provider for a consumer, and removes when the consumer is drained. */
const OF_TENANT = [
  'Tenant',
  'RoleBinding',
  'ClusterRoleBinding',
  'ResourceSlice',
  'NamespaceMap',
  'Namespace',
  'Quota',
];

/** Objects that Liqo marks when the consumer is cordoned: it removes none then. */
const MARKED = ['Tenant', 'ResourceSlice', 'Quota'];

/**
 * Reports a Tenant that was cordoned, drained or activated. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/authentication/tenant-controller/tenant_controller.go.
 */
export function* tenantCondition(it: ClusterCase, peer: PeerCase): Iterable<Problem> {
  const found = peer.pool.takeFields(['Tenant'], 'spec', 'tenantCondition');
  const [first] = found;
  if (first === undefined) return;
  const tenant = namespaceOf(peer);
  const isEffect = ({ kind: what, object: { kind, name } }: Finding): boolean =>
    first.live === 'Cordoned'
      ? what === 'different' && MARKED.includes(kind)
      : OF_TENANT.includes(kind) && (kind !== 'Namespace' || name !== tenant);
  yield problem('drift/tenant-condition', {
    peer: peer.peer,
    at: peer.at,
    message: `the Tenant of "${peer.peer}" in "${it.cluster.name}" is ${valueIn(first.live)}, and git has ${valueIn(first.promised)}`,
    hint: 'if it is meant, set `condition` of the loan in the topology; otherwise apply the bundle again',
    details:
      first.live === 'Drained'
        ? [
            `nothing of "${peer.peer}" runs in "${it.cluster.name}" any more: slices and offloaded namespaces are deleted there`,
          ]
        : [],
    findings: found,
    effects: peer.pool.take(isEffect),
  });
}

/** Reports a NamespaceOffloading that was edited or deleted, with its effects on the NamespaceMaps. */
export function* offloadings({ cluster, at, pool, peers, reachedWave }: ClusterCase): Iterable<Problem> {
  const edited = pool.take(
    (one) =>
      one.object.kind === 'NamespaceOffloading' &&
      (one.kind === 'being-deleted' ||
        (one.kind === 'missing' && one.wave <= reachedWave) ||
        (one.kind === 'different' && one.path[0] === 'spec')),
  );
  for (const findings of byObject(edited)) {
    const [first] = findings;
    const namespace = first?.object.namespace ?? '';
    const results = pool.take((one) => one.object.kind === 'NamespaceOffloading' && one.object.namespace === namespace);
    const maps = [...peers.values()].flatMap((it) => it.pool.take((one) => isOfMap(one, namespace)));
    const left = results.flatMap((one) => (isDeselected(one) ? [one.path[2] ?? ''] : []));
    yield problem('drift/offloading', {
      peer: null,
      at,
      message: `the NamespaceOffloading of "${namespace}" in "${cluster.name}" ${whatOf(first)}`,
      hint: 'apply the bundle again, or change `offloading` in the topology',
      details:
        left.length === 0
          ? []
          : [`no longer selected: ${quotedNames(left)}; Liqo deletes the namespace there, with everything in it`],
      findings,
      effects: [...results, ...maps],
    });
  }
}

function whatOf(it: Finding | undefined): string {
  if (it?.kind !== 'different') return it?.kind === 'missing' ? 'is missing' : 'is being deleted';
  return `was edited: ${it.path.slice(1).join('.')} is ${valueIn(it.live)}, and git has ${valueIn(it.promised)}`;
}

/** True for a provider that is no longer selected in the status of a NamespaceOffloading. */
const isDeselected = (it: Finding): it is DifferentField =>
  it.kind === 'different' &&
  it.path[1] === 'remoteNamespacesConditions' &&
  it.path.slice(3).join('.') === 'OffloadingRequired.status' &&
  it.live === 'False';

/** True for the entry of a consumer's namespace in a NamespaceMap, or for all entries. */
const isOfMap = (it: Finding, namespace: string): it is DifferentField =>
  it.kind === 'different' && it.object.kind === 'NamespaceMap' && (it.path[2] ?? namespace) === namespace;

/** Reports a provider's namespace for the pods of a consumer that is missing, or being deleted. */
export function* remoteNamespaces({ cluster }: ClusterCase, it: PeerCase): Iterable<Problem> {
  const { peer, at, pool, promised, live } = it;
  const tenant = namespaceOf(it);
  const isMapped = ofKind(live, 'NamespaceMap').length > 0;
  const gone = pool.take(
    ({ kind, object }) =>
      object.kind === 'Namespace' &&
      object.name !== tenant &&
      (kind === 'being-deleted' || (kind === 'missing' && isMapped)),
  );
  for (const found of gone) {
    const { name } = found.object;
    const origin = ofKind(promised, 'Namespace').find((one) => one.metadata.name === name);
    const original = origin?.metadata.annotations?.[ORIGINAL_NAME_ANNOTATION] ?? name;
    const maps = pool.take((one) => isOfMap(one, original)).filter((one) => one.kind === 'different');
    const inside = pool.take(({ object }) => object.namespace === name || object.name === name);
    yield problem('drift/offloading', {
      peer,
      at,
      message: `"${cluster.name}" ${found.kind === 'missing' ? 'has no' : 'is deleting the'} namespace "${name}", into which "${peer}" offloads "${original}"`,
      hint: maps.some((one) => one.path[0] === 'spec')
        ? `look at the NamespaceOffloading of "${original}" in "${peer}", which no longer asks for it`
        : 'find out who deleted it: Liqo makes it again, without what was in it',
      findings: [found],
      effects: [...maps, ...inside],
    });
  }
}

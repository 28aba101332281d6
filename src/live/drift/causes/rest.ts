import { countOf } from '../../../base/core/words.ts';
import { POD_SECURITY_LABELS, PREINSTALLED_ANNOTATION } from '../../../base/releases/labels.ts';
import { PROBER_NAMESPACE } from '../../../fleet/model/network-model.ts';
import type { Json } from '../../dumps/json.ts';
import { isFence } from '../../facts/boundaries.ts';
import { type ClusterCase, LOAN_KINDS, type PeerCase } from '../cluster-case.ts';
import { isBeforeAnswer } from '../compare-objects.ts';
import {
  byObject,
  type DifferentField,
  type Finding,
  nameKey,
  objectName,
  objectsIn,
  type Problem,
  problem,
  valueIn,
} from '../drift.ts';

/** Reports a peer's findings that no other cause explains: missing and extra objects, other fields, other states. */
export function* restOfPeer(it: ClusterCase, peer: PeerCase): Iterable<Problem> {
  const whose = (objects: string): string => `${objects} in "${it.cluster.name}" (peer "${peer.peer}")`;
  yield* restProblems(it, { pool: peer.pool, peer: peer.peer, at: peer.at, whose });
}

/** Reports the remaining findings that are not about a peer. */
export function* restOfCluster(it: ClusterCase): Iterable<Problem> {
  const whose = (objects: string): string => `${objects} in "${it.cluster.name}"`;
  const unready = it.pool.take((one) => one.object.namespace === PROBER_NAMESPACE && isReadiness(one));
  if (unready.length > 0)
    yield problem('drift/not-there-yet', {
      peer: null,
      at: it.at,
      message: `the prober of "${it.cluster.name}" has no ready pod`,
      hint: `wait for it; if nothing changes, run \`kubectl describe pods -n ${PROBER_NAMESPACE}\` there: the node must be able to pull its image`,
      isWaiting: true,
      findings: unready,
    });
  yield* restProblems(it, { pool: it.pool, peer: null, at: it.at, whose });
}

interface Rest extends Pick<PeerCase, 'pool' | 'at'> {
  readonly peer: string | null;
  readonly whose: (objects: string) => string;
}

function* restProblems(it: ClusterCase, { pool, peer, at, whose }: Rest): Iterable<Problem> {
  const first = pool.take((one) => isNotThereYet(it, one));
  // Liqo creates the rest of a peering once the missing objects exist.
  const follows = (one: Finding): boolean =>
    one.kind === 'missing' ? !one.isApplied : one.kind === 'different' && isBeforeAnswer(one.object.kind, one);
  const waiting = first.length === 0 ? first : [...first, ...pool.take(follows)];
  if (waiting.length > 0)
    yield problem('drift/not-there-yet', {
      peer,
      at,
      message: `${whose(objectsIn(waiting))} ${isOne(waiting) ? 'is' : 'are'} not complete yet`,
      hint: 'wait for the rollout; if nothing changes, look at what applies the bundle and at the logs of Liqo',
      isWaiting: true,
      findings: waiting,
    });
  const missing = pool.take((one) => one.kind === 'missing');
  if (missing.length > 0)
    yield problem('drift/missing', {
      peer,
      at,
      message: `${whose(objectsIn(missing))} ${isOne(missing) ? 'is' : 'are'} missing`,
      hint: missing.some((one) => one.kind === 'missing' && one.isApplied)
        ? 'apply the bundle again; find out what deleted it'
        : 'find out what deleted it; Liqo makes it of other objects, so read its logs if it does not come back',
      findings: missing,
    });
  const extra = pool.take((one) => one.kind === 'extra');
  if (extra.length > 0)
    yield problem('drift/extra', {
      peer,
      at,
      message: `${whose(objectsIn(extra))} ${isOne(extra) ? 'is' : 'are'} not in git`,
      hint: extra.some((one) => LOAN_KINDS.includes(one.object.kind))
        ? 'leave it where a loan uses it, since its pods end with it: add the loan to the topology, and the key of its consumer to the keys file'
        : extra.some((one) => isFence(one.object))
          ? 'delete it, and restart the pod of the gateway: until then it keeps the rules of a fence that is deleted'
          : 'find out what made it, and delete it if nothing uses it',
      findings: extra,
    });
  for (const found of byObject(pool.take(() => true))) yield otherFields(found, { peer, at, whose });
}

const isReadiness = (it: Finding): boolean => it.kind === 'different' && it.path.join('.') === 'status.readyReplicas';

const isOne = (findings: readonly Finding[]): boolean => byObject(findings).length === 1;

/** True for an object of a wave that is not reached, and for a state that Liqo has not written. */
function isNotThereYet({ reachedWave }: ClusterCase, it: Finding): boolean {
  if (it.kind === 'missing') return it.isApplied && it.wave > reachedWave;
  return it.kind === 'different' && (it.path[0] === 'status' || it.path[1] === 'local') && it.live === undefined;
}

function otherFields(found: readonly Finding[], { peer, at, whose }: Omit<Rest, 'pool'>): Problem {
  const fields = found.flatMap((it) => (it.kind === 'different' ? [it] : []));
  const isStatus = fields.every((it) => it.path[0] === 'status');
  const object = found[0] === undefined ? '' : objectName(found[0].object);
  const isOfFence = found.some((it) => isFence(it.object));
  const what = isOfFence
    ? fields.flatMap(fenceWords)
    : fields.map((it) => `${it.path.join('.')} is ${valueIn(it.live)}, and git has ${valueIn(it.promised)}`);
  return problem(isStatus ? 'drift/other-status' : 'drift/other-spec', {
    peer,
    at,
    message: isStatus
      ? `${whose(object)} is in another state: ${what[0] ?? ''}`
      : `${whose(object)} was edited: ${what[0] ?? ''}`,
    hint: isStatus
      ? 'look at the conditions and events of the object'
      : 'apply the bundle again, or change the topology',
    details: what.slice(1),
    findings: found,
  });
}

/** The rules of a fence that only one side has; all of it when the chain that refuses the rest differs. */
function fenceWords({ path, promised, live }: DifferentField): readonly string[] {
  if (path[1] !== 'allow') return ['it does not refuse the rest as git does'];
  const linesOf = (value: Json | undefined): readonly string[] =>
    (Array.isArray(value) ? (value as readonly Json[]) : [value]).filter((it) => typeof it === 'string');
  const [git, there] = [linesOf(promised), linesOf(live)];
  return [
    ...there.filter((it) => !git.includes(it)).map((it) => `it lets in ${flowOf(it)}`),
    ...git.filter((it) => !there.includes(it)).map((it) => `it does not let in ${flowOf(it)}`),
  ];
}

/** `10.202.0.0/16 to 10.203.0.0/16 on tcp 5432`, from a rule as a line. */
function flowOf(line: string): string {
  const [source, destination, protocol, ports] = [
    / saddr (\S+)/,
    / daddr (\S+)/,
    /"proto":\{"value":"(\w+)"/,
    /"port":\{[^}]*"value":"([^"]+)"/,
  ].map((pattern) => pattern.exec(line)?.[1]);
  const on = [protocol, ports].filter((it) => it !== undefined).join(' ');
  return `${source ?? 'everything'} to ${destination ?? 'everything'}${on === '' ? '' : ` on ${on}`}`;
}

/** Reports differences without an effect on the network. Runs first, over all peers, so that no cause claims them. */
export function* notes(it: ClusterCase): Iterable<Problem> {
  const { cluster, at } = it;
  const annotations = [it.pool, ...[...it.peers.values()].map((one) => one.pool)].flatMap((one) =>
    one.take(isForTools),
  );
  if (annotations.length > 0)
    yield problem('drift/tool-annotation', {
      peer: null,
      at,
      message: `${countOf(byObject(annotations).length, 'object')} of "${cluster.name}" ${byObject(annotations).length === 1 ? 'has' : 'have'} other annotations for GitOps tools than git: ${objectsIn(annotations)}`,
      hint: 'they decide in which order objects are applied and whether they are deleted; the network does not read them',
      findings: annotations,
    });
  const chosen = [it.pool, ...[...it.peers.values()].map((one) => one.pool)].flatMap((one) =>
    one.take((finding) => isChosen(finding, it)),
  );
  if (chosen.length > 0)
    yield problem('drift/chosen-already', {
      peer: null,
      at,
      message: `${countOf(byObject(chosen).length, 'object')} of "${cluster.name}" ${byObject(chosen).length === 1 ? 'leaves' : 'leave'} to Liqo and Kubernetes what git writes down, with the same result: ${objectsIn(chosen)}`,
      hint: 'apply the bundle when you take the objects over: it adds the Secret and the node port that are in use, and labels; nothing moves',
      findings: chosen,
    });
  const foreign = it.pool.take((one) => one.kind === 'extra' && isOfNoPeer(it, one));
  if (foreign.length > 0)
    yield problem('drift/not-of-fleet', {
      peer: null,
      at,
      message: `"${cluster.name}" has ${countOf(byObject(foreign).length, 'object')} of Liqo that ${byObject(foreign).length === 1 ? 'is' : 'are'} about no peer and not in git: ${objectsIn(foreign)}`,
      hint: 'leave them if they are meant: weft takes what they use for nothing else only if the topology reserves it',
      findings: foreign,
    });
}

/** True for a network object that the chart did not create. Shortcuts count only if the fleet has the operator. */
function isOfNoPeer({ live, model }: ClusterCase, { object }: Finding): boolean {
  const found = live.objects.get(nameKey(object));
  if (found?.metadata.annotations?.[PREINSTALLED_ANNOTATION] === 'true') return false;
  if (object.kind === 'ForeignClusterConnection') return !model.fleet.shortcutOperator;
  return /\.(networking|ipam)\.liqo\.io$/.test(object.key);
}

/** liqoctl of older releases sets no Pod Security labels: the running pods were admitted without them. */
const isChosen = (it: Finding, { cluster }: ClusterCase): boolean =>
  it.kind === 'different' &&
  (it.isChosen ||
    (it.live === undefined &&
      it.object.kind === 'Namespace' &&
      !cluster.traits.labelsNamespacesForPodSecurity &&
      (it.path[2] ?? '').startsWith(POD_SECURITY_LABELS)));

const isForTools = (it: Finding): boolean =>
  it.kind === 'different' &&
  it.path[1] === 'annotations' &&
  /^([a-z0-9.-]*(argoproj\.io|fluxcd\.io)|liqo-weft)\//.test(it.path[2] ?? '');

import { countOf } from '../../../base/core/words.ts';
import { POD_SECURITY_LABELS, PREINSTALLED_ANNOTATION } from '../../../base/releases/labels.ts';
import type { ClusterCase } from '../cluster-case.ts';
import type { Finding } from '../drift.ts';
import { byObject, keyOf } from '../finding-pool.ts';
import { objectsIn } from '../object-words.ts';
import { type Problem, problem } from '../problem.ts';

/** What differs without a meaning for the network. Taken first, from all peers, so that no cause has it. */
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

/** Of the network, and not made by the chart. Shortcuts concern the fleet where its operator acts on them. */
function isOfNoPeer({ live, model }: ClusterCase, { object }: Finding): boolean {
  const found = live.objects.get(keyOf(object));
  if (found?.metadata.annotations?.[PREINSTALLED_ANNOTATION] === 'true') return false;
  if (object.kind === 'ForeignClusterConnection') return !model.fleet.shortcutOperator;
  return /\.(networking|ipam)\.liqo\.io$/.test(object.key);
}

/** liqoctl of older releases sets no labels for Pod Security: what runs was admitted without them. */
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

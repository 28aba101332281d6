import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { REMOTE_CLUSTER_LABEL } from '../../base/releases/labels.ts';
import type { Span } from '../../base/source/source.ts';
import { CLUSTER_ID_CONFIG_MAP } from './cluster-id.ts';
import { textAt } from './json.ts';
import { groupOf, type KubernetesObject, kindKey, objectKey } from './kubernetes-object.ts';
import { oneClusterTwice, oneIdTwice } from './live-diagnostics.ts';

/** What is the same in all dumps of one cluster: an API server gives each object an ID once. */
interface ClusterMarks {
  /** By `objectKey`: of what is there from the beginning. */
  readonly lasting: ReadonlyMap<string, string>;
  /** Of one peering. A copy of a virtual machine has the first ones in common with its original, but no peering. */
  readonly peering: { readonly uid: string; readonly name: string } | undefined;
  /** IDs of its peers. */
  readonly remotes: ReadonlySet<string>;
}

/** The clusters that were seen so far, and those that they have as peers. */
interface SeenClusters {
  /** Returns the mistakes in saying that some objects are of a cluster, after what was said before. */
  readonly add: (cluster: string, at: Span, objects: Iterable<KubernetesObject>) => readonly Diagnostic[];
  readonly has: (cluster: string) => boolean;
}

/** Finds clusters that have one ID, and clusters that were dumped under two names. */
export function seenClusters(): SeenClusters {
  const names = new Set<string>();
  const lasting = new Map<string, string>();
  const peerings = new Map<string, string>();
  const add: SeenClusters['add'] = (cluster, at, objects) => {
    const marks = marksOf(objects);
    for (const it of [cluster, ...marks.remotes]) names.add(it);
    const twice = [...marks.lasting].find(([key, uid]) => (lasting.get(`${cluster} ${key}`) ?? uid) !== uid);
    for (const [key, uid] of marks.lasting) lasting.set(`${cluster} ${key}`, uid);
    if (twice !== undefined) return [oneIdTwice(at, cluster, twice[0])];
    if (marks.peering === undefined) return [];
    const { uid, name } = marks.peering;
    const other = peerings.get(uid) ?? cluster;
    peerings.set(uid, cluster);
    return other === cluster ? [] : [oneClusterTwice(at, [other, cluster], name)];
  };
  return { add, has: (cluster) => names.has(cluster) };
}

function marksOf(objects: Iterable<KubernetesObject>): ClusterMarks {
  const lasting = new Map<string, string>();
  let peering: ClusterMarks['peering'];
  const remotes = new Set<string>();
  for (const it of objects) {
    const { uid, labels } = it.metadata;
    const remote = textAt(labels, REMOTE_CLUSTER_LABEL);
    if (remote !== undefined) remotes.add(remote);
    if (typeof uid !== 'string' || uid === '') continue;
    const kind = kindKey(groupOf(it.apiVersion), it.kind);
    if (LASTING.get(kind) === it.metadata.name) lasting.set(objectKey(it), uid);
    if (kind === CONFIGURATION && (peering === undefined || uid < peering.uid)) peering = { uid, name: objectKey(it) };
  }
  return { lasting, peering, remotes };
}

const LASTING = new Map([
  ['Namespace', 'kube-system'],
  ['ConfigMap', CLUSTER_ID_CONFIG_MAP],
]);

const CONFIGURATION = 'Configuration.networking.liqo.io';

import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Span } from '../../base/source/source.ts';
import { type Json, listAt, textAt } from './json.ts';
import { type KubernetesObject, kindKeyOf, type LiveObject, objectKey, remoteOf } from './kubernetes-object.ts';
import { anotherCluster, oneClusterTwice, oneIdTwice, twoClusters, whoseDump } from './live-diagnostics.ts';

interface AnonymousDump {
  /** The cluster that the user assigned to the dump. */
  readonly named: string | null;
  /** The name of its file without the extension. */
  readonly stem: string | null;
  readonly at: Span;
  readonly objects: readonly LiveObject[];
}

type Owner =
  | {
      readonly ok: true;
      readonly cluster: string;
      /** The file has the name of another cluster, which is a mistake if that cluster exists. */
      readonly unless: { readonly cluster: string; readonly problem: Diagnostic } | null;
    }
  | { readonly ok: false; readonly problem: Diagnostic };

/** Source: liqotech/liqo@v1.2.0 apis/core/v1beta1/foreigncluster_types.go. */
const CLUSTER_ID = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** Returns the cluster with the name of a file. While no clusters are known, any valid ID counts. */
export const namedAfter = (stem: string | null, clusters: ReadonlySet<string> | null): string | null =>
  stem !== null && (clusters === null ? CLUSTER_ID.test(stem) : clusters.has(stem)) ? stem : null;

/**
 * Finds the cluster of a dump: the assigned one, the one whose ID it contains, or the one with the name of its file.
 * These must not contradict each other, except for the file name while no clusters are known.
 */
export function ownerOf(dump: AnonymousDump, clusters: ReadonlySet<string> | null): Owner {
  const { named, stem, at } = dump;
  const [found, another] = clusterIdsIn(dump.objects);
  const after = namedAfter(stem, clusters);
  const given = named ?? after;
  if (found === undefined)
    return given === null ? refused(whoseDump(at, [...(clusters ?? [])])) : { ok: true, cluster: given, unless: null };
  if (another !== undefined)
    return refused(twoClusters({ at: found.from.at(), id: found.id }, { at: another.from.at(), id: another.id }));
  if (given === null || given === found.id) return { ok: true, cluster: found.id, unless: null };
  const problem = anotherCluster(found.from.at(), given, found.id);
  return named === null && clusters === null
    ? { ok: true, cluster: found.id, unless: { cluster: given, problem } }
    : refused(problem);
}

const refused = (problem: Diagnostic): Owner => ({ ok: false, problem });

/** The ConfigMap with the cluster ID. Source: liqotech/liqo@v1.2.0 pkg/consts/liqo.go, deployments/liqo/templates. */
export const CLUSTER_ID_CONFIG_MAP = 'liqo-clusterid-configmap';
const CLUSTER_ID_KEY = 'CLUSTER_ID';

/**
 * Programs of Liqo with the argument that contains the ID of their own cluster. In the chart, the controller manager's
 * is a reference to the ConfigMap. Source: liqotech/liqo@v1.2.0 deployments/liqo/templates, pkg/vkMachinery/forge.
 */
const ARGUMENTS = new Map([
  ['/usr/bin/liqo-controller-manager', '--cluster-id='],
  ['/usr/bin/virtual-kubelet', '--home-cluster-id='],
]);

/** A dump's own cluster ID, with the object that contains it. */
interface ClusterIdWitness {
  readonly id: string;
  readonly from: LiveObject;
}

/** Returns the cluster IDs in a dump, each with its first object: one if the dump is of one cluster. */
function clusterIdsIn(objects: readonly LiveObject[]): readonly ClusterIdWitness[] {
  const found = new Map<string, ClusterIdWitness>();
  for (const from of objects) {
    for (const id of clusterIdsOf(from.object)) if (id !== '' && !found.has(id)) found.set(id, { id, from });
  }
  return [...found.values()];
}

function clusterIdsOf({ kind, metadata, data, spec }: KubernetesObject): readonly string[] {
  if (kind === 'ConfigMap' && metadata.name === CLUSTER_ID_CONFIG_MAP) {
    const id = textAt(data, CLUSTER_ID_KEY);
    return id === undefined ? [] : [id];
  }
  const containers = kind === 'Deployment' ? listAt(spec, 'template', 'spec', 'containers') : [];
  return containers.flatMap((it) => idsInArguments(listAt(it, 'command'), listAt(it, 'args')));
}

function idsInArguments([program]: readonly Json[], args: readonly Json[]): readonly string[] {
  const flag = typeof program === 'string' ? ARGUMENTS.get(program) : undefined;
  if (flag === undefined) return [];
  const given = args.flatMap((it) => (typeof it === 'string' && it.startsWith(flag) ? [it.slice(flag.length)] : []));
  return given.filter((it) => !it.includes('$('));
}

/** Object UIDs that are identical in all dumps of one cluster, because an API server never assigns one twice. */
interface ClusterMarks {
  /** UIDs of objects that exist since the installation, by `objectKey`. */
  readonly lasting: ReadonlyMap<string, string>;
  /** The UID of one peering. A copy of a virtual machine shares the lasting UIDs with its original, but no peering. */
  readonly peering: { readonly uid: string; readonly name: string } | undefined;
  readonly remotes: ReadonlySet<string>;
}

/** The clusters of all dumps so far, and their peers. */
interface SeenClusters {
  /** Adds the objects of a cluster. Returns the contradictions to what was added before. */
  readonly add: (cluster: string, at: Span, objects: Iterable<KubernetesObject>) => readonly Diagnostic[];
  readonly has: (cluster: string) => boolean;
}

/** Detects clusters that share an ID, and clusters that were dumped under two names. */
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
    const { uid } = it.metadata;
    const remote = remoteOf(it);
    if (remote !== null) remotes.add(remote);
    if (typeof uid !== 'string' || uid === '') continue;
    const kind = kindKeyOf(it);
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

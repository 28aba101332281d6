import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { startOf } from '../../base/source/source.ts';
import type { ComparedKind } from '../../live/drift/compared-kinds.ts';
import { CLUSTER_ID_CONFIG_MAP } from '../../live/dumps/cluster-id.ts';
import { groupOf, type KubernetesObject, kindKey } from '../../live/dumps/kubernetes-object.ts';
import type { LiveCluster } from '../../live/dumps/live-cluster.ts';
import { newestByKey } from '../../live/dumps/newest-by-key.ts';
import { seenClusters } from '../../live/dumps/seen-clusters.ts';
import { ownerOf } from '../../live/dumps/whose-dump.ts';
import type { DumpFiles } from './list-dumps.ts';
import type { LivePorts } from './live-ports.ts';
import { OperationRefused } from './operation-refused.ts';
import { type ContextRequest, readContext } from './read-context.ts';
import { type DumpReader, readDumpFiles } from './read-dump-files.ts';

export interface WantedObjects {
  /** Clusters of the fleet; `null` before there is a topology. */
  readonly known: ReadonlySet<string> | null;
  readonly kinds: readonly ComparedKind[];
}

/** Reads clusters part by part, and remembers of them only what is needed to find mistakes. */
interface LiveReader {
  /** What some files show of their cluster; `null` if it is not certain which one it is. */
  readonly dump: (files: DumpFiles) => Promise<LiveCluster | null>;
  readonly context: (request: ContextRequest) => Promise<LiveCluster | null>;
  /** How many mistakes there are at least. */
  readonly mistakes: () => number;
  /** Every mistake so far. */
  readonly problems: () => readonly Diagnostic[];
}

export function liveReader(ports: LivePorts & DumpReader, { known, kinds }: WantedObjects): LiveReader {
  const wanted = new Set(kinds.map((it) => it.key));
  const seen = seenClusters();
  const problems: Diagnostic[] = [];
  const ifThere: { readonly cluster: string; readonly problem: Diagnostic }[] = [];
  const isWanted = (apiVersion: string, kind: string): boolean => wanted.has(kindKey(groupOf(apiVersion), kind));
  return {
    dump: async (files) => {
      const read = await readDumpFiles(
        ports,
        files,
        (version, kind) => kind === 'ConfigMap' || isWanted(version, kind),
      );
      problems.push(...read.problems);
      const owner = ownerOf(read.dump, known);
      if (!owner.ok) {
        problems.push(owner.problem);
        return null;
      }
      const { cluster, unless } = owner;
      if (known !== null && !known.has(cluster))
        throw new OperationRefused({ kind: 'unknown-cluster', name: cluster, known: [...known] });
      const objects = read.dump.objects.map((it) => it.object);
      problems.push(...seen.add(cluster, read.dump.at, objects));
      if (unless !== null) ifThere.push(unless);
      return dumped(
        cluster,
        objects.filter((it) => isWanted(it.apiVersion, it.kind)),
        objects.some(isOwnId),
      );
    },
    context: async (request) => {
      const { cluster, context } = request;
      const read = await readContext(ports, request, kinds);
      problems.push(...read.diagnostics);
      if (!read.ok) return null;
      const objects = read.value.objects.map((it) => it.object);
      problems.push(...seen.add(cluster, startOf({ path: `context ${context}`, text: '' }), objects));
      return { ...read.value, cluster, isCertain: true, objects: newestByKey(objects, (it) => it) };
    },
    mistakes: () => problems.length,
    problems: () => [...problems, ...ifThere.flatMap((it) => (seen.has(it.cluster) ? [it.problem] : []))],
  };
}

const isOwnId = ({ kind, metadata }: KubernetesObject): boolean =>
  kind === 'ConfigMap' && metadata.name === CLUSTER_ID_CONFIG_MAP;

const dumped = (cluster: string, objects: readonly KubernetesObject[], isCertain: boolean): LiveCluster => ({
  cluster,
  isCertain,
  objects: newestByKey(objects, (it) => it),
  // What a dump contains of a kind are all of that kind: nothing in it shows whether somebody left some out.
  listed: new Set(objects.map((it) => kindKey(groupOf(it.apiVersion), it.kind))),
  forbidden: new Set(),
});

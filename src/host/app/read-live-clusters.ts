import { addAll, byCodeUnit, groupBy } from '../../base/core/collections.ts';
import { once } from '../../base/core/once.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { type Span, startOf } from '../../base/source/source.ts';
import type { ComparedKind } from '../../live/drift/compare-objects.ts';
import {
  groupOf,
  isAskedFor,
  type KubernetesObject,
  kindKey,
  type LiveCluster,
  liveTogether,
  newestByKey,
} from '../../live/dumps/kubernetes-object.ts';
import { CLUSTER_ID_CONFIG_MAP, namedAfter, ownerOf, seenClusters } from '../../live/dumps/whose-dump.ts';
import {
  AT_ONCE,
  beginContext,
  type ContextRequest,
  type DumpFiles,
  type DumpReader,
  type LiveRequest,
  limitedLists,
  listDumps,
  readDumpFiles,
} from './live-sources.ts';
import type { LivePorts } from './ports.ts';
import { OperationRefused } from './refusal.ts';

/** The number of mistakes after which no further dump is read. */
const MOST = 100;

/**
 * Calls `reduce` for each cluster in dumps and contexts; returns the results by cluster name. All dumps of a cluster
 * are combined, each object in its newest state. One dump is in memory at a time, and what some contexts answer, so
 * `reduce` should keep little of it. If a file turns out to belong to a cluster that was read before, that cluster is read again, and `reduce` is
 * called again.
 */
export async function readLiveClusters<T>(
  ports: LivePorts & DumpReader,
  { dumps, contexts }: LiveRequest,
  wanted: WantedObjects,
  reduce: (live: LiveCluster) => T,
): Promise<Outcome<ReadonlyMap<string, T>>> {
  const reader = liveReader(ports, wanted);
  const listing = await listDumps(ports, dumps);
  const inContexts = groupBy(contexts, (it) => [it.cluster]);
  const found = new Map<string, T>();
  const owned: { readonly cluster: string; readonly files: DumpFiles }[] = [];
  const toReadTogether = new Set(inContexts.keys());
  const groups = [...namedAlike(listing.files, wanted)];
  for (const [index, alike] of groups.entries()) {
    ports.progress?.([index, groups.length + inContexts.size]);
    if (reader.mistakes() >= MOST) break;
    const parts: LiveCluster[] = [];
    for (const files of alike) {
      const part = await reader.dump(files);
      if (part === null) continue;
      parts.push(part);
      owned.push({ cluster: part.cluster, files });
    }
    if (reader.mistakes() > 0) continue;
    for (const [cluster, some] of groupBy(parts, (it) => [it.cluster])) {
      if (found.has(cluster)) toReadTogether.add(cluster);
      else if (!inContexts.has(cluster)) found.set(cluster, reduce(liveTogether(cluster, some)));
    }
  }
  const mayGoOn = [...listing.problems, ...reader.problems()].length === 0;
  const filesOf = groupBy(owned, (it) => [it.cluster]);
  const together = mayGoOn ? [...toReadTogether] : [];
  const begun = together.map((cluster) => once(() => (inContexts.get(cluster) ?? []).map((it) => reader.begin(it))));
  for (const [index, cluster] of together.entries()) {
    ports.progress?.([groups.length + index, groups.length + together.length]);
    for (const begin of begun.slice(index, index + AT_ONCE)) begin();
    const parts: (LiveCluster | null)[] = [];
    for (const { files } of filesOf.get(cluster) ?? []) parts.push(await reader.dump(files));
    for (const end of begun[index]?.() ?? []) parts.push(await end());
    found.set(
      cluster,
      reduce(
        liveTogether(
          cluster,
          parts.filter((it) => it !== null),
        ),
      ),
    );
  }
  const names = [...found.keys()].sort(byCodeUnit);
  return outcome(new Map(names.map((it) => [it, found.get(it) as T])), [...listing.problems, ...reader.problems()]);
}

/** Groups files that are named after the same cluster, which are read together. Other files are read separately. */
function namedAlike(files: readonly DumpFiles[], { known }: WantedObjects): Iterable<readonly DumpFiles[]> {
  return groupBy(files, (it) => {
    const name = it.named ?? namedAfter(it.stem, known);
    return [name === null ? it.paths.join('\0') : `=${name}`];
  }).values();
}

interface WantedObjects {
  /** The clusters of the fleet; `null` before there is a topology. */
  readonly known: ReadonlySet<string> | null;
  readonly kinds: readonly ComparedKind[];
}

/** Reads clusters in parts, and keeps only what is needed to find mistakes. */
interface LiveReader {
  /** Reads the cluster of some files; `null` if the cluster is ambiguous. */
  readonly dump: (files: DumpFiles) => Promise<LiveCluster | null>;
  /** Begins to read a cluster; the returned function waits for it. */
  readonly begin: (request: ContextRequest) => () => Promise<LiveCluster | null>;
  /** A lower bound of the number of mistakes. */
  readonly mistakes: () => number;
  /** All mistakes so far. */
  readonly problems: () => readonly Diagnostic[];
}

function liveReader(ports: LivePorts & DumpReader, { known, kinds }: WantedObjects): LiveReader {
  const wanted = new Set(kinds.map((it) => it.key));
  const limited = limitedLists(ports);
  const seen = seenClusters();
  const problems: Diagnostic[] = [];
  const ifThere: { readonly cluster: string; readonly problem: Diagnostic }[] = [];
  const isWanted = (apiVersion: string, kind: string): boolean => wanted.has(kindKey(groupOf(apiVersion), kind));
  return {
    dump: async (files) => {
      const read = await readDumpFiles(
        ports,
        files,
        (version, kind) => kind === 'ConfigMap' || isAskedFor(version, kind) || isWanted(version, kind),
      );
      addAll(problems, read.problems);
      const owner = ownerOf(read.dump, known);
      if (!owner.ok) {
        // A dump without any object names no cluster either; its files were reported.
        if (read.problems.length === 0 || read.dump.objects.length > 0) problems.push(owner.problem);
        return null;
      }
      const { cluster, unless } = owner;
      if (known !== null && !known.has(cluster))
        throw new OperationRefused({ kind: 'unknown-cluster', name: cluster, known: [...known] });
      const objects = read.dump.objects.map((it) => it.object);
      addAll(problems, seen.add(cluster, read.dump.at, objects));
      if (unless !== null) ifThere.push(unless);
      const asked = new Set(objects.flatMap((it) => (isAskedFor(it.apiVersion, it.kind) ? [it.metadata.name] : [])));
      const own = objects.filter((it) => isWanted(it.apiVersion, it.kind));
      return {
        cluster,
        from: placeOf(files, read.dump.at),
        isCertain: objects.some(isOwnId),
        objects: newestByKey(own, (it) => it),
        // Without a word about it, a dump is assumed to contain all objects of its kinds.
        listed: new Set([
          ...own.map((it) => kindKey(groupOf(it.apiVersion), it.kind)),
          ...kinds.flatMap((it) => (asked.has(it.resource) ? [it.key] : [])),
        ]),
        isListedOnly: asked.size > 0,
        forbidden: new Set(),
      };
    },
    begin: (request) => {
      const { cluster, context } = request;
      const reading = beginContext(limited, request, kinds);
      return async () => {
        const read = await reading;
        addAll(problems, read.diagnostics);
        if (!read.ok) return null;
        const objects = read.value.objects.map((it) => it.object);
        const from = `context ${context}`;
        addAll(problems, seen.add(cluster, startOf({ path: from, text: '' }), objects));
        return {
          ...read.value,
          cluster,
          from,
          isCertain: true,
          isListedOnly: true,
          objects: newestByKey(objects, (it) => it),
        };
      };
    },
    mistakes: () => problems.length,
    problems: () => [...problems, ...ifThere.flatMap((it) => (seen.has(it.cluster) ? [it.problem] : []))],
  };
}

/** The file of a dump, or the folder of several. */
const placeOf = ({ paths }: DumpFiles, { source: { path } }: Span): string =>
  paths.length > 1 ? path.replace(/[/\\][^/\\]*$/, '') : path;

const isOwnId = ({ kind, metadata }: KubernetesObject): boolean =>
  kind === 'ConfigMap' && metadata.name === CLUSTER_ID_CONFIG_MAP;

import { groupBy } from '../../base/core/group-by.ts';
import { byCodeUnit } from '../../base/core/order.ts';
import { type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import type { LiveCluster } from '../../live/dumps/live-cluster.ts';
import { liveTogether } from '../../live/dumps/live-together.ts';
import { namedAfter } from '../../live/dumps/whose-dump.ts';
import { type DumpFiles, listDumps } from './list-dumps.ts';
import type { LivePorts } from './live-ports.ts';
import { liveReader, type WantedObjects } from './live-reader.ts';
import type { LiveRequest } from './live-request.ts';
import type { DumpReader } from './read-dump-files.ts';

/** After so many mistakes no other dump is read. */
const MOST = 100;

/**
 * What a function makes of each cluster that dumps and contexts show, by name. Of several dumps of a cluster all objects
 * count, each in its newest state. One cluster is in memory at a time, so the function should keep little of it. If a file
 * turns out to be of a cluster that was read before, all of that is read again, and the function is called again.
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
  const again = new Set(inContexts.keys());
  for (const alike of namedAlike(listing.files, wanted)) {
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
      if (found.has(cluster)) again.add(cluster);
      else if (!inContexts.has(cluster)) found.set(cluster, reduce(liveTogether(cluster, some)));
    }
  }
  const mayGoOn = [...listing.problems, ...reader.problems()].length === 0;
  const filesOf = groupBy(owned, (it) => [it.cluster]);
  for (const cluster of mayGoOn ? again : []) {
    const parts: (LiveCluster | null)[] = [];
    for (const { files } of filesOf.get(cluster) ?? []) parts.push(await reader.dump(files));
    for (const it of inContexts.get(cluster) ?? []) parts.push(await reader.context(it));
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

/** Files that their names give to one cluster are read together. Without such a name each is read alone. */
function namedAlike(files: readonly DumpFiles[], { known }: WantedObjects): Iterable<readonly DumpFiles[]> {
  return groupBy(files, (it) => {
    const name = it.named ?? namedAfter(it.stem, known);
    return [name === null ? it.paths.join('\0') : `=${name}`];
  }).values();
}

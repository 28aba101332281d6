import { by } from '../core/order.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { type Outcome, outcome } from '../diagnostics/outcome.ts';
import type { ComparedKind } from '../drift/compared-kinds.ts';
import { groupOf, type KubernetesObject, kindKey, type LiveObject } from '../live/kubernetes-object.ts';
import type { LiveCluster } from '../live/live-cluster.ts';
import { newestByKey } from '../live/newest-by-key.ts';
import { ownerOf } from '../live/whose-dump.ts';
import type { LivePorts } from './live-ports.ts';
import { OperationRefused } from './operation-refused.ts';
import { type ContextRequest, readContext } from './read-context.ts';
import { type DumpReader, type DumpRequest, readDumps } from './read-dumps.ts';

interface LiveRequest {
  readonly dumps: readonly DumpRequest[];
  readonly contexts: readonly ContextRequest[];
}

interface Wanted {
  /** Clusters of the fleet; `null` before there is a topology. */
  readonly known: readonly string[] | null;
  readonly kinds: readonly ComparedKind[];
}

/** The clusters that dumps and contexts show, by name; of several dumps of a cluster all objects count, each in its newest state. */
export async function readLiveClusters(
  ports: LivePorts & DumpReader,
  { dumps, contexts }: LiveRequest,
  { known, kinds }: Wanted,
): Promise<Outcome<readonly LiveCluster[]>> {
  const wanted = new Set(kinds.map((it) => it.key));
  const read = await readDumps(ports, dumps, (apiVersion, kind) => {
    const key = kindKey(groupOf(apiVersion), kind);
    return wanted.has(key) || key === 'ConfigMap';
  });
  const problems: Diagnostic[] = [...read.diagnostics];
  const parts: LiveCluster[] = [];
  for (const dump of read.ok ? read.value : []) {
    const owner = ownerOf(dump, known);
    if (!owner.ok) problems.push(owner.problem);
    else if (known !== null && !known.includes(owner.cluster))
      throw new OperationRefused({ kind: 'unknown-cluster', name: owner.cluster, known });
    else parts.push(partOf(owner.cluster, objectsOf(dump)));
  }
  for (const request of problems.length > 0 ? [] : contexts) {
    const context = await readContext(ports, request, kinds);
    problems.push(...context.diagnostics);
    if (context.ok)
      parts.push({ ...context.value, cluster: request.cluster, objects: byKey(objectsOf(context.value)) });
  }
  return outcome<readonly LiveCluster[]>(together(parts), problems);
}

const objectsOf = ({ objects }: { readonly objects: readonly LiveObject[] }): readonly KubernetesObject[] =>
  objects.map((it) => it.object);

const partOf = (cluster: string, objects: readonly KubernetesObject[]): LiveCluster => ({
  cluster,
  objects: byKey(objects),
  // What a dump contains of a kind are all of that kind: nothing in it shows whether somebody left some out.
  listed: new Set(objects.map((it) => kindKey(groupOf(it.apiVersion), it.kind))),
  forbidden: new Set(),
});

function together(parts: readonly LiveCluster[]): readonly LiveCluster[] {
  const clusters = new Map<string, LiveCluster>();
  for (const it of parts) {
    const earlier = clusters.get(it.cluster);
    clusters.set(it.cluster, {
      cluster: it.cluster,
      objects: byKey([...(earlier?.objects.values() ?? []), ...it.objects.values()]),
      listed: new Set([...(earlier?.listed ?? []), ...it.listed]),
      forbidden: new Set([...(earlier?.forbidden ?? []), ...it.forbidden]),
    });
  }
  return [...clusters.values()].sort(by((it) => it.cluster));
}

const byKey = (objects: Iterable<KubernetesObject>): ReadonlyMap<string, KubernetesObject> =>
  newestByKey(objects, (it) => it);

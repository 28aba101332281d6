import { addAll } from '../../base/core/collections.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { type Span, startOf } from '../../base/source/source.ts';
import { groupOf, kindKey, type LiveObject, newestByKey } from '../../live/dumps/kubernetes-object.ts';
import { ownerOf } from '../../live/dumps/whose-dump.ts';
import {
  beginContext,
  type ContextRequest,
  type DumpReader,
  type ListedKind,
  type LiveRequest,
  limitedLists,
  listDumps,
  readDumpFiles,
} from './live-sources.ts';
import type { LivePorts } from './ports.ts';
import { OperationRefused } from './refusal.ts';

/** The objects to read, and their clusters. */
interface ObjectsToRead {
  /** The clusters of the topology. */
  readonly known: readonly string[];
  readonly kind: ListedKind;
  /** The cluster of a dump that does not name it, if its objects show it. */
  readonly guess: (objects: readonly LiveObject[]) => string | undefined;
}

interface ClusterObjects {
  readonly cluster: string;
  readonly at: Span;
  readonly objects: readonly LiveObject[];
}

/** The objects of one kind in dumps and contexts, by cluster. The newer one of two states of an object is used. */
export async function readNewest(
  ports: LivePorts & DumpReader,
  { dumps, contexts }: LiveRequest,
  { known, kind, guess }: ObjectsToRead,
): Promise<Outcome<readonly ClusterObjects[]>> {
  const listing = await listDumps(ports, dumps);
  const problems: Diagnostic[] = [...listing.problems];
  const found = new Map<string, Omit<ClusterObjects, 'cluster'>>();
  const names = new Set(known);
  const add = (cluster: string, at: Span, objects: readonly LiveObject[]): void => {
    if (!names.has(cluster)) throw new OperationRefused({ kind: 'unknown-cluster', name: cluster, known });
    const earlier = found.get(cluster);
    found.set(cluster, { at: earlier?.at ?? at, objects: [...(earlier?.objects ?? []), ...objects] });
  };
  for (const files of listing.files) {
    const { dump, problems: unread } = await readDumpFiles(ports, files, (apiVersion, name) =>
      [kind.key, 'ConfigMap'].includes(kindKey(groupOf(apiVersion), name)),
    );
    addAll(problems, unread);
    const owner = ownerOf(dump, names);
    const guessed = !owner.ok && owner.problem.code === 'live/whose-dump' ? guess(dump.objects) : undefined;
    if (owner.ok) add(owner.cluster, dump.at, dump.objects);
    else if (guessed !== undefined) add(guessed, dump.at, dump.objects);
    else problems.push(owner.problem);
  }
  const limited = limitedLists(ports);
  const begun = (problems.length > 0 ? [] : contexts).map((it) => [it, beginContext(limited, it, [kind])] as const);
  for (const [request, reading] of begun) {
    const context = await reading;
    addAll(problems, context.diagnostics);
    if (!context.ok) continue;
    if (context.value.forbidden.size > 0) throw new OperationRefused(forbidden(request, kind));
    add(request.cluster, startOf({ path: `context ${request.context}`, text: '' }), context.value.objects);
  }
  return outcome(
    [...found].map(([cluster, { at, objects }]) => ({ cluster, at, objects: newest(objects) })),
    problems,
  );
}

const forbidden = ({ cluster, context }: ContextRequest, { resource }: ListedKind) => ({
  ...({ kind: 'cluster-not-read', cluster, context, resource } as const),
  failure: { kind: 'forbidden', message: 'the user of that context may not list them' } as const,
});

const newest = (objects: readonly LiveObject[]): readonly LiveObject[] => [
  ...newestByKey(objects, (it) => it.object).values(),
];

import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { startOf } from '../../base/source/source.ts';
import { COMPARED_KINDS, type ComparedKind } from '../../live/drift/compared-kinds.ts';
import type { LiveObject } from '../../live/dumps/kubernetes-object.ts';
import { PUBLIC_SECRETS, printDumpScript } from '../../live/dumps/print-dump-script.ts';
import { readDump } from '../../live/dumps/read-dump.ts';
import { CLUSTER_ID_CONFIG_MAP, ownerOf } from '../../live/dumps/whose-dump.ts';
import type { ListRequest } from '../kubectl/list-objects.ts';
import type { LivePorts } from './ports.ts';
import { OperationRefused } from './refusal.ts';

/** A context of the user's kubeconfig, and its cluster. */
export interface ContextRequest {
  readonly cluster: string;
  readonly context: string;
}

/** The number of concurrent lists: each is a process, and the API servers of a fleet may be far away. */
const AT_ONCE = 4;

/** The objects that were read through a context. */
interface ContextObjects {
  readonly objects: readonly LiveObject[];
  /** The keys of kinds that were listed completely, and of kinds that may not be listed. */
  readonly listed: ReadonlySet<string>;
  readonly forbidden: ReadonlySet<string>;
}

/** A kind of object, and the arguments with which kubectl lists it. */
type ListedKind = Pick<ComparedKind, 'key' | 'resource' | 'selector'>;

/** Reads the objects of some kinds from a cluster, after checking that the context leads to the named cluster. */
export async function readContext(
  ports: Pick<LivePorts, 'list'>,
  request: ContextRequest,
  kinds: readonly ListedKind[],
): Promise<Outcome<ContextObjects>> {
  const own = await list(ports, request, { resource: 'configmaps', name: CLUSTER_ID_CONFIG_MAP });
  const problems: Diagnostic[] = [...own.diagnostics];
  const at = startOf({ path: request.context, text: '' });
  const owner = ownerOf({ named: request.cluster, stem: null, at, objects: own.objects }, new Set());
  if (!owner.ok) problems.push(owner.problem);
  const objects: LiveObject[] = [];
  const [listed, forbidden] = [new Set<string>(), new Set<string>()];
  for (let from = 0; problems.length === 0 && from < kinds.length; from += AT_ONCE) {
    const some = kinds.slice(from, from + AT_ONCE);
    const found = await Promise.all(some.map((it) => listKind(ports, request, it)));
    for (const [index, it] of found.entries()) {
      const key = some[index]?.key ?? '';
      (it.isForbidden ? forbidden : listed).add(key);
      objects.push(...it.objects);
      problems.push(...it.diagnostics);
    }
  }
  return outcome({ objects, listed, forbidden }, problems);
}

/**
 * Lists the objects of a kind. Secrets are listed by name first, then those with public values in full; of two states
 * of an object the last one is used.
 */
async function listKind(ports: Pick<LivePorts, 'list'>, request: ContextRequest, kind: ListedKind): Promise<Listed> {
  if (kind.resource !== 'secrets') return list(ports, request, kind);
  const names = await list(ports, request, { ...kind, namesOnly: true });
  if (names.isForbidden) return names;
  const open = await list(ports, request, { ...kind, selector: PUBLIC_SECRETS });
  return {
    isForbidden: false,
    objects: [...names.objects, ...open.objects],
    diagnostics: [...names.diagnostics, ...open.diagnostics],
  };
}

interface Listed {
  readonly isForbidden: boolean;
  readonly objects: readonly LiveObject[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Lists objects; a kind that is not installed has none. */
async function list(
  ports: Pick<LivePorts, 'list'>,
  { cluster, context }: ContextRequest,
  { resource, selector, name, namesOnly }: Omit<ListRequest, 'context'>,
): Promise<Listed> {
  const result = await ports.list({ context, resource, selector, name, namesOnly });
  if (result.kind === 'listed') {
    const read = readDump({ path: `${resource} of ${cluster}`, text: result.text });
    return { isForbidden: false, objects: read.ok ? read.value : [], diagnostics: read.diagnostics };
  }
  const { kind } = result;
  if (kind === 'no-such-kind' || kind === 'forbidden')
    return { isForbidden: kind === 'forbidden', objects: [], diagnostics: [] };
  throw new OperationRefused({ kind: 'cluster-not-read', cluster, context, resource, failure: result });
}

/** A script that dumps the objects that weft reads, for given clusters or as arguments. */
export const dumpCommands = (clusters: readonly ContextRequest[]): string => printDumpScript(clusters, COMPARED_KINDS);

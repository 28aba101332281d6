import { addAll, groupBy } from '../../base/core/collections.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { failure, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { type Source, type Span, startOf } from '../../base/source/source.ts';
import { COMPARED_KINDS, type ComparedKind } from '../../live/drift/compare-objects.ts';
import type { WantedKind } from '../../live/dumps/json.ts';
import type { LiveObject } from '../../live/dumps/kubernetes-object.ts';
import { emptyFolder } from '../../live/dumps/live-diagnostics.ts';
import { PUBLIC_SECRETS, printDumpScript } from '../../live/dumps/print-dump-script.ts';
import { PUBLIC_HALVES } from '../../live/dumps/public-halves.ts';
import { readDump } from '../../live/dumps/read-dump.ts';
import { CLUSTER_ID_CONFIG_MAP, ownerOf } from '../../live/dumps/whose-dump.ts';
import type { ListRequest, ListResult } from '../kubectl/list-objects.ts';
import { type CompiledTopology, compileTopology, type TopologyRequest } from './compile-topology.ts';
import { nearMiss } from './find-topology.ts';
import type { FileReader, LivePorts } from './ports.ts';
import { OperationRefused, type Refusal } from './refusal.ts';
import { requireReadable } from './topology-files.ts';

/** A dump as a user names it. */
interface DumpRequest {
  /** The cluster in front of the path; `null` if none is named. */
  readonly cluster: string | null;
  /** A file, a folder with files, or `-` for stdin. */
  readonly path: string;
}

/** The files of one cluster, grouped by their names. */
export interface DumpFiles {
  /** The cluster that the user names; `null` if none is named. */
  readonly named: string | null;
  /** The name of the file or folder without its extension; `null` for stdin. */
  readonly stem: string | null;
  /** At least one path; `-` for stdin. */
  readonly paths: readonly string[];
}

const isDumpFile = (path: string): boolean => /\.(json|ya?ml)$/.test(path);

const dumpStem = (path: string): string => (path.split(/[/\\]/).at(-1) ?? '').replace(/\.(json|ya?ml)$/, '');

interface ListedDumps {
  readonly files: readonly DumpFiles[];
  readonly problems: readonly Diagnostic[];
}

/** Lists the files of dumps without reading them. */
export async function listDumps(
  ports: Pick<LivePorts, 'listFolder'>,
  requests: readonly DumpRequest[],
): Promise<ListedDumps> {
  const files: DumpFiles[] = [];
  const problems: Diagnostic[] = [];
  for (const it of requests) {
    const found = await dumpFilesAt(ports, it);
    if (found.length === 0) problems.push(emptyFolder(startOf({ path: it.path, text: '' })));
    else addAll(files, found);
  }
  return { files, problems };
}

/**
 * The files of a dump. Files below a folder belong to the named cluster; without a name, each file or folder in it
 * belongs to a separate cluster.
 */
async function dumpFilesAt(
  ports: Pick<LivePorts, 'listFolder'>,
  { cluster, path }: DumpRequest,
): Promise<readonly DumpFiles[]> {
  if (path === '-') return [{ named: cluster, stem: null, paths: [path] }];
  const listing = await ports.listFolder(path, isDumpFile);
  if (listing.kind !== 'listed') return [{ named: cluster, stem: dumpStem(path), paths: [path] }];
  const root = path.replace(/(?<=.)\/+$/, '');
  const placed = (names: readonly string[]): readonly string[] => names.map((it) => `${root}/${it}`);
  const byStem = groupBy(listing.paths, (it) => [cluster === null ? dumpStem(it.split('/')[0] ?? '') : dumpStem(root)]);
  return [...byStem].map(([stem, names]) => ({ named: cluster, stem, paths: placed(names) }));
}

/** The dumps and contexts from which a user lets weft read live clusters. */
export interface LiveRequest {
  readonly dumps: readonly DumpRequest[];
  readonly contexts: readonly ContextRequest[];
}

/** The clusters that a user names with dumps and contexts. Refuses a request without a source. */
export function namedClusters(
  { dumps, contexts }: LiveRequest,
  command: Extract<Refusal, { kind: 'no-live-cluster' }>['command'],
): readonly string[] {
  if (dumps.length + contexts.length === 0) throw new OperationRefused({ kind: 'no-live-cluster', command });
  return [...dumps.flatMap((it) => it.cluster ?? []), ...contexts.map((it) => it.cluster)];
}

/**
 * Compiles the topology with which live clusters are compared. Refuses a request without live clusters, and names that
 * the topology does not have.
 */
export async function compileForLive(
  files: FileReader,
  request: TopologyRequest & LiveRequest,
  command: 'drift' | 'conformance' = 'drift',
): Promise<CompiledTopology> {
  const clusters = namedClusters(request, command);
  return compileTopology(files, request, { only: null, clusters, withoutAssertions: true });
}

/** The dump of one cluster, in one file or several. */
interface Dump extends Omit<DumpFiles, 'paths'> {
  readonly at: Span;
  /** The objects of the files that can be read. */
  readonly objects: readonly LiveObject[];
}

interface DumpReading {
  readonly dump: Dump;
  readonly problems: readonly Diagnostic[];
}

export interface DumpReader extends Pick<LivePorts, 'readDump' | 'readPipedDump'> {
  readonly files: FileReader;
}

/** Reads the objects of the wanted kinds from some files, and reports the mistakes of all files. */
export async function readDumpFiles(
  ports: DumpReader,
  { named, stem, paths }: DumpFiles,
  isWanted: WantedKind,
): Promise<DumpReading> {
  const objects: LiveObject[] = [];
  const problems: Diagnostic[] = [];
  // Files are read one after the other, because their texts together may exceed the memory.
  for (const path of paths) {
    const source = await dumpSource(ports, path);
    const read = source.ok ? readDump(source.value, isWanted) : source;
    addAll(problems, read.diagnostics);
    if (read.ok) for (const it of read.value) objects.push(it);
  }
  const [first = '-'] = paths;
  const at = startOf({ path: first === '-' ? 'stdin' : first, text: '' });
  return { dump: { named, stem, at, objects }, problems };
}

export async function dumpSource(ports: DumpReader, name: string): Promise<Outcome<Source>> {
  const isPiped = name === '-';
  const path = isPiped ? 'stdin' : name;
  const read = requireReadable(path, await (isPiped ? ports.readPipedDump() : ports.readDump(path)));
  const at = startOf({ path, text: '' });
  switch (read.kind) {
    case 'ok':
      return outcome({ path, text: read.text });
    case 'missing':
      throw new OperationRefused({ kind: 'no-file', path, suggestion: await nearMiss(ports.files, path) });
    case 'not-utf8':
      return failure([
        diagnostic('source/not-text', at, 'the dump is not UTF-8 text', {
          hint: 'in PowerShell, write it with "kubectl ... | Out-File -Encoding utf8 FILE"',
        }),
      ]);
    case 'too-large':
      return failure([
        diagnostic('source/too-large', at, `the dump has more than ${read.limitBytes / (1024 * 1024)} MiB`, {
          hint: 'write the dump of this cluster into a folder that is named after it, one kind of object into each file, and only the kinds that are needed',
        }),
      ]);
  }
}

/** A context of the user's kubeconfig, and its cluster. */
export interface ContextRequest {
  readonly cluster: string;
  readonly context: string;
}

/** The objects that were read through a context. */
interface ContextObjects {
  readonly objects: readonly LiveObject[];
  /** The keys of kinds that were listed completely, and of kinds that may not be listed. */
  readonly listed: ReadonlySet<string>;
  readonly forbidden: ReadonlySet<string>;
}

/** A kind of object, and the arguments with which kubectl lists it. */
export interface ListedKind extends Pick<ComparedKind, 'key' | 'resource' | 'selector'> {
  /** Lists only objects of this namespace; by default those of all. */
  readonly namespace?: string;
  /** True for the public halves of key pairs in Secrets, and nothing else of them. */
  readonly publicHalves?: true;
}

/** The number of clusters that are read at once, and of processes: each is a login, and the servers may be far away. */
export const AT_ONCE = 8;

/** A kubectl of which at most `AT_ONCE` processes run at a time. */
export const limitedLists = (ports: Pick<LivePorts, 'list'>): Pick<LivePorts, 'list'> => ({
  list: atMost(AT_ONCE, ports.list),
});

/** Runs at most some calls of a function at a time; the others wait for their turn. */
export function atMost<Request, Result>(
  most: number,
  call: (request: Request) => Promise<Result>,
): (request: Request) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (request) => {
    if (running === most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await call(request);
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}

/** Begins to read a cluster, like `readContext`. A failure is thrown where it is awaited, in the order of the requests. */
export function beginContext(...request: Parameters<typeof readContext>): ReturnType<typeof readContext> {
  const reading = readContext(...request);
  reading.catch(() => undefined);
  return reading;
}

/** Reads the objects of some kinds from a cluster, after checking that the context leads to the named cluster. */
async function readContext(
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
  if (problems.length > 0) return outcome({ objects, listed, forbidden }, problems);
  // Secrets are listed by themselves, as a table.
  const groups = groupBy(kinds, (it) => [`${it.resource === 'secrets'} ${it.selector ?? ''} ${it.namespace ?? ''}`]);
  const found = await Promise.all([...groups.values()].map((it) => listTogether(ports, request, it)));
  for (const { kind, ...it } of found.flat()) {
    (it.isForbidden ? forbidden : listed).add(kind.key);
    addAll(objects, it.objects);
    addAll(problems, it.diagnostics);
  }
  return outcome({ objects, listed, forbidden }, problems);
}

interface ListedObjects extends Listed {
  readonly kind: ListedKind;
}

/** The number of kinds that a list may be repeated without, before each is listed on its own. */
const MOST_REPEATED = 4;

/**
 * Lists kinds with the same selector in one call, for one process and one login instead of dozens. A kind that is not
 * installed, or may not be listed, fails the whole call, so it is repeated without that kind.
 */
async function listTogether(
  ports: Pick<LivePorts, 'list'>,
  request: ContextRequest,
  kinds: readonly ListedKind[],
): Promise<readonly ListedObjects[]> {
  const without: ListedObjects[] = [];
  let rest = kinds;
  while (rest.length > 1 && without.length < MOST_REPEATED) {
    const resource = rest.map((it) => it.resource).join(',');
    const [{ selector, namespace } = {}] = rest;
    const result = await ports.list({ context: request.context, resource, selector, namespace });
    if (result.kind === 'listed') {
      const all = { isForbidden: false, objects: answered(request, 'objects', result.text), diagnostics: [] };
      return [...without, ...rest.map((kind, index) => ({ kind, ...(index === 0 ? all : NOTHING) }))];
    }
    const refused = rest.filter((it) => isNamedIn(result, it));
    if (refused.length === 0) break;
    const isForbidden = result.kind === 'forbidden';
    addAll(
      without,
      refused.map((kind) => ({ kind, ...NOTHING, isForbidden })),
    );
    rest = rest.filter((it) => !refused.includes(it));
  }
  const alone: ListedObjects[] = [];
  for (const kind of rest) alone.push({ kind, ...(await listKind(ports, request, kind)) });
  return [...without, ...alone];
}

const NOTHING: Listed = { isForbidden: false, objects: [], diagnostics: [] };

/**
 * True when kubectl refuses a list because of this kind. Source: kubernetes, v1.28 to v1.35: `the server doesn't have a
 * resource type "networks"`, `networks.ipam.liqo.io is forbidden: User ...`.
 */
function isNamedIn({ kind, message }: Extract<ListResult, { failure: true }>, { resource }: ListedKind): boolean {
  if (kind === 'forbidden') return message.includes(`: ${resource} is forbidden`);
  return kind === 'no-such-kind' && message.includes(`"${resource.split('.')[0]}"`);
}

/**
 * Lists the objects of a kind: all Secrets by name and, at the same time, those with public values in full, of which
 * the state is used.
 */
async function listKind(ports: Pick<LivePorts, 'list'>, request: ContextRequest, kind: ListedKind): Promise<Listed> {
  if (kind.publicHalves) return list(ports, request, { ...kind, template: PUBLIC_HALVES });
  if (kind.resource !== 'secrets') return list(ports, request, kind);
  const [byName, inFull] = [
    list(ports, request, { ...kind, namesOnly: true }),
    list(ports, request, { ...kind, selector: PUBLIC_SECRETS }),
  ];
  // The names decide whether Secrets may be listed, whatever the other list answers.
  inFull.catch(() => undefined);
  const names = await byName;
  if (names.isForbidden) return names;
  const open = await inFull;
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
  { resource, namespace, selector, name, namesOnly, template }: Omit<ListRequest, 'context'>,
): Promise<Listed> {
  const result = await ports.list({ context, resource, namespace, selector, name, namesOnly, template });
  if (result.kind === 'listed')
    return { isForbidden: false, objects: answered({ cluster, context }, resource, result.text), diagnostics: [] };
  const { kind } = result;
  if (kind === 'no-such-kind' || kind === 'forbidden')
    return { isForbidden: kind === 'forbidden', objects: [], diagnostics: [] };
  throw new OperationRefused({ kind: 'cluster-not-read', cluster, context, resource, failure: result });
}

/** The objects of an answer. Refuses any answer that is not a complete list of objects. */
function answered({ cluster, context }: ContextRequest, resource: string, text: string): readonly LiveObject[] {
  const read = readDump({ path: `${resource} of ${cluster}`, text });
  const [problem] = read.diagnostics;
  if (read.ok && problem === undefined) return read.value;
  const failure = { kind: 'unusable', message: problem?.message ?? 'it is no list of objects' } as const;
  throw new OperationRefused({ kind: 'cluster-not-read', cluster, context, resource, failure });
}

/** A script that dumps the objects that weft reads, for given clusters or as arguments. */
export const dumpCommands = (clusters: readonly ContextRequest[]): string => printDumpScript(clusters, COMPARED_KINDS);

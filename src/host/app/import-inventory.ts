import { basename, dirname, join, resolve } from 'node:path';
import type { InventoryReport } from '../../answers/report/imported/print-imported.ts';
import { addAll } from '../../base/core/collections.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { documentDiagnostics } from '../../base/diagnostics/document-diagnostics.ts';
import { andThen, failure, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { readDocument } from '../../base/source/read-document.ts';
import { type Source, startOf } from '../../base/source/source.ts';
import type { InventoryCluster } from '../../live/inventory/inventory.ts';
import { readInventory } from '../../live/inventory/read-inventory.ts';
import { includedEntry, starterTopology, type WrittenYaml, withInclude } from '../../live/inventory/update-clusters.ts';
import { updateInventory } from '../../live/inventory/update-inventory.ts';
import type { PreparedFile } from '../disk/write-files.ts';
import type { Answered, Unanswered } from './compile-topology.ts';
import { schemaText } from './editor-schema-text.ts';
import { findTopology } from './find-topology.ts';
import { fleetNameOf, schemaFor } from './import-fleet.ts';
import { dumpSource } from './live-sources.ts';
import { type FileReader, type LivePorts, TOPOLOGIES } from './ports.ts';
import { OperationRefused } from './refusal.ts';
import { readIncluded } from './topology-files.ts';

interface InventoryRequest {
  /** Files, folders, or - for stdin. */
  readonly sources: readonly string[];
  /** Contexts in which kubectl lists the clusters. */
  readonly contexts: readonly string[];
  /** The path of the topology; `undefined` for the only one, or a new one. */
  readonly topology: string | undefined;
  /** The name of a new fleet; `null` for one after the file or the folder. */
  readonly name: string | null;
  /** True to write nothing. */
  readonly check: boolean;
}

interface InventoryPorts extends LivePorts {
  /** Writes the next content of a file beside it; creates its folder. */
  readonly replaceFile: (path: string, text: string) => Promise<PreparedFile>;
}

type UpdatedInventory = Answered<'updated'> & Omit<InventoryReport, 'isCheck'>;

/** Writes the clusters of inventories into a file that the topology includes, and keeps everything else in it. */
export async function importInventory(
  ports: InventoryPorts,
  request: InventoryRequest,
): Promise<Unanswered | UpdatedInventory> {
  const { sources, contexts, check } = request;
  if (sources.length + contexts.length === 0)
    return { kind: 'refused', refusal: { kind: 'no-live-cluster', command: 'import --clusters' } };
  const path = request.topology ?? (await topologyPath(ports.files));
  if (!/\.ya?ml$/.test(path)) return { kind: 'refused', refusal: { kind: 'topology-without-ending', path } };
  const read = await readInventories(ports, request);
  const fleet = read.ok ? await readFleet(ports.files, { path, name: request.name }) : read;
  if (!read.ok || !fleet.ok)
    return { kind: 'errors', diagnostics: [...read.diagnostics, ...(read.ok ? fleet.diagnostics : [])] };
  const { files, isNew, schema, entry } = fleet.value;
  const updated = updateInventory(read.value, files);
  const diagnostics = [...read.diagnostics, ...updated.diagnostics];
  if (!updated.ok) return { kind: 'errors', diagnostics };
  const { text, ...update } = updated.value;
  const included = isNew ? files.topology.source.text : withInclude(files.topology, entry);
  const names = [...read.value.map((it) => it.name.value), ...update.gone];
  const wanted = [
    ...(text === files.file?.source.text ? [] : [{ path: files.path, text }]),
    ...(isNew && schema !== null ? [{ path: schema, text: schemaText(names) }] : []),
    // The topology is written last: before, it does not include the file.
    ...(included === null ? [] : [{ path, text: included }]),
  ];
  if (!check) await replaceTogether(ports.replaceFile, wanted);
  return {
    kind: 'updated',
    ...update,
    topology: path,
    file: files.path,
    topologyChange: isNew ? 'new' : included === null ? 'none' : 'includes-file',
    written: wanted.map((it) => it.path),
    diagnostics,
  };
}

/** The only topology, or the path of a new one. */
async function topologyPath(files: FileReader): Promise<string> {
  try {
    return (await findTopology(files, undefined, undefined)).topology;
  } catch (error) {
    const isNew =
      error instanceof OperationRefused && ['no-topologies', 'no-topology-in-folder'].includes(error.refusal.kind);
    if (!isNew) throw error;
    return join(TOPOLOGIES, 'topology.yaml');
  }
}

/** Reads every inventory. One without a cluster is a mistake: it was exported in vain, or of something else. */
async function readInventories(
  ports: InventoryPorts,
  { sources, contexts }: InventoryRequest,
): Promise<Outcome<readonly InventoryCluster[]>> {
  const clusters: InventoryCluster[] = [];
  const found: Diagnostic[] = [];
  const groups = [
    ...sources.map((it) => ({ path: it === '-' ? 'stdin' : it, texts: () => textsAt(ports, it) })),
    ...contexts.map((it) => ({ path: `context ${it}`, texts: () => textsInContext(ports, it) })),
  ];
  for (const { path, texts } of groups) {
    const before = clusters.length;
    let isBroken = false;
    for (const it of await texts()) {
      const reading = it.ok ? readInventory(it.value) : { clusters: [], found: it.diagnostics };
      addAll(clusters, reading.clusters);
      addAll(found, reading.found);
      isBroken ||= reading.found.some(({ severity }) => severity === 'error');
    }
    if (clusters.length === before && !isBroken) found.push(emptyInventory(path));
  }
  return outcome(clusters, found);
}

const emptyInventory = (path: string): Diagnostic =>
  diagnostic('inventory/empty', startOf({ path, text: '' }), 'this inventory has no cluster', {
    hint: 'check where it comes from; "weft explain inventory/empty" lists what is read. The clusters that are known stay as they are',
  });

async function textsAt(ports: InventoryPorts, path: string): Promise<readonly Outcome<Source>[]> {
  const listing = path === '-' ? undefined : await ports.listFolder(path, (it) => /\.(csv|tsv|json|ya?ml)$/i.test(it));
  const root = path.replace(/(?<=.)\/+$/, '');
  const paths = listing?.kind === 'listed' ? listing.paths.map((it) => `${root}/${it}`) : [path];
  const texts: Outcome<Source>[] = [];
  for (const it of paths) texts.push(await dumpSource(ports, it));
  return texts;
}

/** Objects that describe clusters. Source: as for `readInventory`. */
const LISTED = [
  { resource: 'clusters.cluster.x-k8s.io' },
  { resource: 'secrets', selector: 'argocd.argoproj.io/secret-type=cluster' },
] as const;

/** Lists the objects in a context. A kind that is not installed has none; one that may not be listed counts if there is no other. */
async function textsInContext(ports: InventoryPorts, context: string): Promise<readonly Outcome<Source>[]> {
  const texts: Outcome<Source>[] = [];
  for (const request of LISTED) {
    const result = await ports.list({ context, ...request });
    if (result.kind === 'listed') texts.push(outcome({ path: `${request.resource} of ${context}`, text: result.text }));
    else if (result.kind === 'forbidden' ? texts.length === 0 : result.kind !== 'no-such-kind')
      throw new OperationRefused({
        kind: 'cluster-not-read',
        cluster: context,
        context,
        resource: request.resource,
        failure: result,
      });
  }
  return texts;
}

/** The files of the fleet as they are, and its topology as it will be if there is none yet. */
async function readFleet(reader: FileReader, { path, name }: { readonly path: string; readonly name: string | null }) {
  const read = await reader.readText(path);
  const isNew = read.kind === 'missing';
  const entry = includedEntry(basename(path).replace(/\.ya?ml$/, ''));
  const file = join(dirname(path), entry);
  const schema = isNew ? await schemaFor(reader, path) : undefined;
  const text = isNew
    ? starterTopology({ name: name ?? fleetNameOf(path, reader.folder), entry, schema: schema?.line ?? null })
    : read.kind === 'ok'
      ? read.text
      : null;
  if (text === null) throw new OperationRefused({ kind: 'file-is-folder', path });
  const topology = { path, text };
  const included = isNew ? outcome<readonly Source[]>([]) : await readIncluded(withFile(reader, file), topology);
  const there = await reader.readText(file);
  const own = there.kind === 'ok' ? { path: file, text: there.text } : undefined;
  const others = andThen(included, (all) => allWritten(all.filter((it) => resolve(it.path) !== resolve(file))));
  const written = allWritten([topology, ...(own === undefined ? [] : [own])]);
  if (!others.ok || !written.ok) return failure<ReadFleet>([...written.diagnostics, ...others.diagnostics]);
  const [first, second] = written.value;
  if (first === undefined) return failure<ReadFleet>([]);
  const modeline = /^#\s+yaml-language-server\s*:.*\$schema=([^\s#/][^\s#:]*)/m.exec(text)?.[1];
  const forIncluded = modeline === undefined ? null : `../${modeline}#/$defs/included`;
  return outcome<ReadFleet>({
    files: { topology: first, path: file, file: second, others: others.value, schema: forIncluded },
    isNew,
    schema: schema?.missing ?? null,
    entry,
  });
}

interface ReadFleet {
  readonly files: Parameters<typeof updateInventory>[1];
  readonly isNew: boolean;
  /** The path of a schema for editors to write; null if there is one. */
  readonly schema: string | null;
  readonly entry: string;
}

/** A reader for which the file of the inventory is there: it is included before it is written again. */
const withFile = (reader: FileReader, file: string): FileReader => ({
  ...reader,
  readTexts: async (paths) =>
    (await reader.readTexts(paths)).map((it, index) =>
      it.kind === 'missing' && paths[index] === file ? { kind: 'ok', text: '' } : it,
    ),
});

function allWritten(sources: readonly Source[]): Outcome<readonly WrittenYaml[]> {
  const reads = sources.map((source) => ({ source, read: readDocument(source, { language: 'yaml' }) }));
  return outcome(
    reads.flatMap(({ source, read }) => (read.ok ? [{ source, root: read.root }] : [])),
    reads.flatMap(({ read }) => (read.ok ? [] : documentDiagnostics(read.problems))),
  );
}

/** Writes all files or none, except for a failure between two renames. */
async function replaceTogether(
  prepare: InventoryPorts['replaceFile'],
  files: readonly { readonly path: string; readonly text: string }[],
): Promise<void> {
  const prepared: PreparedFile[] = [];
  try {
    for (const { path, text } of files) prepared.push(await prepare(path, text));
  } catch (error) {
    for (const it of prepared) await it.discard();
    throw error;
  }
  for (const it of prepared) await it.commit();
}

import { basename, dirname, join, resolve } from 'node:path';
import type { ImportReport } from '../../answers/report/imported/print-imported.ts';
import { VIRTUAL_NODE_LABEL } from '../../base/releases/labels.ts';
import type { Source } from '../../base/source/source.ts';
import type { Compiled } from '../../compile.ts';
import { clusterNamed } from '../../fleet/ipam/addressed-model.ts';
import { behindUnknownKeys, compareCluster, renewingPeers } from '../../live/drift/compare-cluster.ts';
import { COMPARED_KINDS } from '../../live/drift/compare-objects.ts';
import type { ClusterDrift } from '../../live/drift/drift.ts';
import { promisedObjects } from '../../live/drift/promised-objects.ts';
import type { LiveCluster } from '../../live/dumps/kubernetes-object.ts';
import { observeCluster } from '../../live/facts/cluster.ts';
import { groupChanges, tunnelPauses } from '../../live/import/changes.ts';
import type { NewFile } from '../disk/write-files.ts';
import { compileObserved } from './compile-live.ts';
import type { Answered, Unanswered } from './compile-topology.ts';
import { SCHEMA_PATH } from './editor-schema.ts';
import { schemaText } from './editor-schema-text.ts';
import { filesOf, type TopologyFiles } from './find-topology.ts';
import { type LiveRequest, namedClusters } from './live-sources.ts';
import { type FileReader, type LivePorts, TOPOLOGIES, TOPOLOGY } from './ports.ts';
import { readLiveClusters } from './read-live-clusters.ts';

interface ImportRequest extends LiveRequest {
  /** The path of the topology to write; `undefined` for the default one. */
  readonly topology: string | undefined;
  /** The name of the fleet; `null` for one after the file or the folder. */
  readonly name: string | null;
  /** True to write nothing. */
  readonly check: boolean;
}

interface SchemaForEditors {
  /** The path from the topology to the schema; `null` where there is none. */
  readonly line: string | null;
  /** Its path if it is missing. */
  readonly missing: string | null;
}

interface ImportPorts extends LivePorts {
  /** Writes a new file beside its path; creates its folder. */
  readonly prepareFile: (path: string, text: string) => Promise<NewFile>;
}

type ImportResult = Unanswered | ImportedFiles;

interface ImportedFiles extends Answered<'imported'>, Omit<ImportReport, 'isCheck' | 'names'> {
  readonly files: TopologyFiles;
}

/** Writes the topology, the keys and the lock that describe live clusters. No existing file is replaced. */
export async function importFleet(ports: ImportPorts, request: ImportRequest): Promise<ImportResult> {
  const topology = request.topology ?? (await defaultTarget(ports.files));
  const files = filesOf(topology, undefined, false);
  namedClusters(request, 'import');
  if (!/\.ya?ml$/.test(topology))
    return { kind: 'refused', refusal: { kind: 'topology-without-ending', path: topology } };
  const existing = request.check ? [] : await existingFiles(ports.files, files);
  if (existing.length > 0)
    return { kind: 'refused', refusal: { kind: 'files-exist', paths: existing, command: 'import' } };
  const read = await readLiveClusters(ports, request, { known: null, kinds: COMPARED_KINDS }, observed);
  if (!read.ok) return { kind: 'unreadable', diagnostics: read.diagnostics };
  const live = [...read.value.values()];
  const name = request.name ?? fleetNameOf(topology, ports.files.folder);
  const schema = await schemaFor(ports.files, files.topology);
  const fleet = compileObserved(
    live.map((it) => it.observed),
    { name, files, schema: schema.line },
  );
  if (!fleet.ok) return { kind: 'errors', diagnostics: fleet.diagnostics };
  const { compiled, sources } = fleet.value;
  const { lock, keys, identities } = sources;
  const present = (texts: readonly (Source | undefined)[]) => texts.filter((it) => it !== undefined);
  const names = [...compiled.model.clusters.keys()];
  const forEditors = schema.missing === null ? undefined : { path: schema.missing, text: schemaText(names) };
  // The topology is written last: without its lock it would compile to other addresses.
  const inOrder = present([lock, keys, identities, forEditors, sources.topology]);
  const found = request.check ? undefined : await writeTogether(ports.prepareFile, inOrder);
  if (found !== undefined)
    return { kind: 'refused', refusal: { kind: 'files-exist', paths: [found], command: 'import' } };
  const changes = live.map((it) => driftOf(compiled, it.live));
  return {
    kind: 'imported',
    files,
    written: present([sources.topology, keys, identities, lock, forEditors]).map((it) => it.path),
    diagnostics: fleet.diagnostics,
    clusters: compiled.model.clusters.size,
    links: compiled.model.links.length,
    changes,
    pauses: tunnelPauses(compiled.model.links, new Set(changes.map((it) => it.cluster))),
    ...groupChanges(changes),
  };
}

/**
 * The observed cluster, and the objects that are still needed afterwards: without Deployments that no bundle promises.
 */
function observed(live: LiveCluster) {
  const objects = [...live.objects].filter(
    ([, { kind, metadata }]) => kind !== 'Deployment' || metadata.labels?.[VIRTUAL_NODE_LABEL] !== undefined,
  );
  return { observed: observeCluster(live), live: { ...live, objects: new Map(objects) } };
}

async function existingFiles(
  reader: FileReader,
  { topology, keys, identities, lock }: TopologyFiles,
): Promise<readonly string[]> {
  const targets = [topology, keys, identities, lock];
  const reads = await Promise.all(targets.map((it) => reader.readText(it)));
  return targets.filter((_, index) => reads[index]?.kind !== 'missing');
}

/** The default path of the topology to write: the one that commands find in this folder. */
const defaultTarget = async (reader: FileReader): Promise<string> =>
  (await reader.readText(TOPOLOGY)).kind === 'missing' ? join(TOPOLOGIES, TOPOLOGY) : TOPOLOGY;

/** The schema for editors where `weft init` writes it: the line that names it, and the file if it is missing. */
export async function schemaFor(reader: FileReader, topology: string): Promise<SchemaForEditors> {
  const place = resolve(reader.folder, topology);
  const isBelow = basename(dirname(place)) === TOPOLOGIES;
  if (!isBelow && place !== resolve(reader.folder, TOPOLOGY)) return { line: null, missing: null };
  const line = isBelow ? `../${SCHEMA_PATH}` : SCHEMA_PATH;
  const path = join(dirname(topology), line);
  const isThere = (await reader.readText(path)).kind !== 'missing';
  return { line, missing: isThere ? null : path };
}

/** The differences between one cluster and its bundle, without their reasons. */
export function driftOf({ model, bundle }: Compiled, live: LiveCluster): ClusterDrift {
  const cluster = clusterNamed(model, live.cluster);
  const promised = promisedObjects(live.cluster, { bundle, root: 'out' });
  const [renewing, unknownKeys] = [renewingPeers(cluster, model), behindUnknownKeys(cluster, model)];
  return compareCluster({ promised, renewing, unknownKeys }, live);
}

/** Generic names, which do not identify a fleet. */
const GENERAL = ['topology', 'topologies', 'fleet'];

/** The default name of a fleet: that of its file, or of the working folder. */
export function fleetNameOf(topology: string, folder: string): string {
  const [file, place] = [basename(topology).replace(/\.ya?ml$/, ''), basename(folder)].map(asName);
  return [file, place].find((it) => it !== undefined && it !== '' && !GENERAL.includes(it)) ?? 'fleet';
}

/** Converts a text to lowercase letters, digits and dashes; 40 characters leave room for suffixes in object names. */
const asName = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');

interface ImportedFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Writes all files or none: each is complete on disk before the first gets its name, in the given order. If a file has
 * appeared at one of the paths meanwhile, it stays, nothing is written, and its path is returned.
 */
async function writeTogether(
  prepare: (path: string, text: string) => Promise<NewFile>,
  files: readonly ImportedFile[],
): Promise<string | undefined> {
  const prepared: { readonly path: string; readonly file: NewFile }[] = [];
  const discard = async (): Promise<void> => {
    for (const { file } of prepared.reverse()) await file.discard();
  };
  try {
    for (const { path, text } of files) prepared.push({ path, file: await prepare(path, text) });
    for (const { path, file } of prepared) {
      if (await file.commit()) continue;
      await discard();
      return path;
    }
    return undefined;
  } catch (error) {
    await discard();
    throw error;
  }
}

import { dirname, join } from 'node:path';
import { addAll, sortedUnique } from '../../base/core/collections.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Source, Span } from '../../base/source/source.ts';
import { EnvironmentError } from '../disk/disk-error.ts';
import type { SchemaCopy } from './editor-schema-text.ts';
import { topologiesBeside, topologiesOfFleet } from './find-topology.ts';
import type { FileReader } from './ports.ts';
import type { Refusal } from './refusal.ts';
import { namesAsWritten } from './schema-names.ts';
import { clusterNames } from './topology-files.ts';

interface RefreshPorts {
  readonly files: FileReader;
  /** Writes a file and creates missing parent folders. */
  readonly writeFile: (path: string, text: string) => Promise<void>;
}

type RefreshResult =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'refreshed'; readonly written: readonly string[]; readonly current: readonly string[] };

/** Writes the schema for editors to the paths that topologies name. Replaces only schemas of weft. */
export async function refreshSchema({ files, writeFile }: RefreshPorts, folder: string): Promise<RefreshResult> {
  const outdated = new Map<string, string>();
  const current: string[] = [];
  for (const [path, names] of await schemasOf(files, folder)) {
    const read = await files.readText(path);
    if (read.kind !== 'missing' && (read.kind !== 'ok' || (await copyIn(read.text)) === 'foreign'))
      return { kind: 'refused', refusal: { kind: 'not-a-schema-of-weft', path } };
    if (read.kind === 'ok' && (await hasNames(read.text, names))) current.push(path);
    else outdated.set(path, await textWith(names));
  }
  for (const [path, text] of outdated) await writeFile(path, text);
  return { kind: 'refreshed', written: [...outdated.keys()], current };
}

/** The schema paths in the topologies of a fleet, with the names of their clusters; without any, the path for a new fleet. */
async function schemasOf(files: FileReader, folder: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const topologies = await topologiesOfFleet(files, folder);
  const found = await schemasNamedIn(files, topologies);
  return found.size > 0 ? found : new Map([[join(folder, SCHEMA_PATH), await namesInTopologies(files, topologies)]]);
}

/** The schemas that topologies name, each with the names of all clusters of these topologies. */
async function schemasNamedIn(
  files: FileReader,
  topologies: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  for (const path of topologies) {
    const read = await files.readText(path);
    const named = read.kind === 'ok' ? namedSchema(files, { path, text: read.text }) : undefined;
    if (named === undefined) continue;
    const names = found.get(named.path) ?? [];
    addAll(names, await clusterNames(files, path));
    found.set(named.path, names);
  }
  return found;
}

/** The names of the clusters of some topologies. */
const namesInTopologies = async (files: FileReader, topologies: readonly string[]): Promise<readonly string[]> =>
  (await Promise.all(topologies.map((it) => clusterNames(files, it)))).flat();

/** The names of the clusters of all topologies of a fleet. */
export const namesOfFleet = async (files: FileReader, folder: string): Promise<readonly string[]> =>
  namesInTopologies(files, await topologiesOfFleet(files, folder));

/** A schema for editors that lacks clusters of the fleet, or has others. */
interface OutdatedSchema {
  readonly path: string;
  /** The names of the clusters of the fleet. */
  readonly names: readonly string[];
}

/**
 * The schema that a topology names, if its clusters are not those of the fleet; `undefined` for one that is current, missing, or
 * of another version of weft.
 */
export async function outdatedNames(files: FileReader, topology: Source): Promise<OutdatedSchema | undefined> {
  const path = namedSchema(files, topology)?.path;
  const read = path === undefined ? undefined : await files.readText(path);
  if (path === undefined || read?.kind !== 'ok' || (await copyIn(read.text)) !== 'current') return undefined;
  const beside = await topologiesBeside(files, topology.path);
  const names = (await schemasNamedIn(files, [...new Set([topology.path, ...beside])])).get(path) ?? [];
  return (await hasNames(read.text, names)) ? undefined : { path, names };
}

/**
 * Keeps the names of clusters in the schema that a topology names, after it was compiled. Nothing that is compiled depends on
 * that file: a missing one is not made, one of another version of weft stays, and one that cannot be written, too.
 */
export async function keepClusterNames({ files, writeFile }: RefreshPorts, topology: Source): Promise<void> {
  const outdated = await outdatedNames(files, topology);
  if (outdated === undefined) return;
  try {
    await writeFile(outdated.path, await textWith(outdated.names));
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
  }
}

/** A schema that a topology names for editors. */
interface NamedSchema {
  /** The path, relative to the same folder as that of the topology. */
  readonly path: string;
  readonly at: Span;
}

/**
 * Matches the comment of the YAML language server that names a schema. Source:
 * redhat-developer/yaml-language-server@1.25.0 src/languageservice/services/modelineUtil.ts.
 */
const MODELINE = /^(#\s+yaml-language-server\s*:.*\$schema=)([^\s#]+)/m;

/** True for a topology that names no schema, or the one at its place before it was moved out of `topologies/`. */
export const lacksSchema = (text: string): boolean =>
  [undefined, `../${SCHEMA_PATH}`].includes(MODELINE.exec(text)?.[2]);

/** The file that a topology names as its schema; `undefined` for a URL, and for a path out of the repository. */
function namedSchema(
  { folderInRepository }: Pick<FileReader, 'folderInRepository'>,
  source: Source,
): NamedSchema | undefined {
  const [, before = '', path = ''] = MODELINE.exec(source.text) ?? [];
  if (path === '' || /^([a-z]+:|\/)/i.test(path)) return undefined;
  const folder = dirname(source.path);
  if (join(folderInRepository(folder) ?? folder, path).startsWith('..')) return undefined;
  const start = source.text.search(MODELINE) + before.length;
  return { path: join(folder, path), at: { source, start, end: start + path.length } };
}

/** A note when editors use a schema of another version of weft. Nothing that is compiled depends on it. */
export async function schemaNotes(
  files: Pick<FileReader, 'folderInRepository' | 'readText'>,
  topology: Source,
): Promise<readonly Diagnostic[]> {
  const named = namedSchema(files, topology);
  if (named === undefined) return [];
  const read = await files.readText(named.path);
  if (read.kind !== 'ok' || (await copyIn(read.text)) !== 'other-version') return [];
  const message = `editors check this topology with ${named.path}, which is the schema of another version of weft, or was edited`;
  return [diagnostic('topology/other-schema', named.at, message, { hint: 'run "weft init --schema"' })];
}

/** The path of the schema for editors, relative to the folder of the fleet. */
export const SCHEMA_PATH = 'schemas/topology.schema.json';

// Few files differ from what weft writes, so the schema to compare them with is loaded on demand.
async function copyIn(text: string): Promise<SchemaCopy> {
  if (namesAsWritten(text) !== undefined) return 'current';
  const { schemaCopyOf } = await import('./editor-schema-text.ts');
  return schemaCopyOf(text);
}

/** True for the schema of this version with these names, in any indentation. */
async function hasNames(text: string, names: readonly string[]): Promise<boolean> {
  const written = namesAsWritten(text);
  if (written !== undefined && names.length > 0) return written.join('\n') === sortedUnique(names).join('\n');
  const { isSchemaWith } = await import('./editor-schema-text.ts');
  return isSchemaWith(text, names);
}

async function textWith(names: readonly string[]): Promise<string> {
  const { schemaText } = await import('./editor-schema-text.ts');
  return schemaText(names);
}

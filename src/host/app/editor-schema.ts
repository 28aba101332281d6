import { dirname, join } from 'node:path';
import schema from '../../../schemas/topology.editor.schema.json' with { type: 'json' };
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Source, Span } from '../../base/source/source.ts';
import { topologiesOfFleet } from './find-topology.ts';
import type { FileReader } from './ports.ts';
import type { Refusal } from './refusal.ts';

interface RefreshPorts {
  readonly files: FileReader;
  /** Writes a file and creates missing parent folders. */
  readonly writeFile: (path: string, text: string) => Promise<void>;
}

type RefreshResult =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'refreshed'; readonly written: readonly string[]; readonly current: readonly string[] };

/** Writes the schema for editors to the paths that topologies name. Replaces only schemas of other weft versions. */
export async function refreshSchema({ files, writeFile }: RefreshPorts, folder: string): Promise<RefreshResult> {
  const outdated: string[] = [];
  const current: string[] = [];
  for (const path of await schemasOf(files, folder)) {
    const read = await files.readText(path);
    const copy = read.kind === 'missing' ? 'other-version' : read.kind === 'ok' ? schemaCopyOf(read.text) : 'foreign';
    if (copy === 'foreign') return { kind: 'refused', refusal: { kind: 'not-a-schema-of-weft', path } };
    (copy === 'current' ? current : outdated).push(path);
  }
  for (const path of outdated) await writeFile(path, schemaText());
  return { kind: 'refreshed', written: outdated, current };
}

/** The schema paths in the topologies of a fleet; without any, the path for a new fleet. */
async function schemasOf(files: FileReader, folder: string): Promise<readonly string[]> {
  const paths = new Set<string>();
  for (const path of await topologiesOfFleet(files, folder)) {
    const read = await files.readText(path);
    const named = read.kind === 'ok' ? namedSchema(files, { path, text: read.text }) : undefined;
    if (named !== undefined) paths.add(named.path);
  }
  return paths.size > 0 ? [...paths] : [join(folder, SCHEMA_PATH)];
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
  if (read.kind !== 'ok' || schemaCopyOf(read.text) !== 'other-version') return [];
  const message = `editors check this topology with ${named.path}, which is the schema of another version of weft, or was edited`;
  return [diagnostic('topology/other-schema', named.at, message, { hint: 'run "weft init --schema"' })];
}

/** The path of the schema for editors, relative to the folder of the fleet. */
export const SCHEMA_PATH = 'schemas/topology.schema.json';
export const schemaText = (): string => `${JSON.stringify(schema, null, 2)}\n`;

/** Matches the `$id` of every schema that weft has ever written there. */
const ID = /^https:\/\/weft\.dev\/schemas\/topology(\.editor)?\.schema\.json$/;

/**
 * The kind of a file: this version's schema, in any indentation; another or edited schema of weft; or any other file.
 */
type SchemaCopy = 'current' | 'other-version' | 'foreign';

export function schemaCopyOf(text: string): SchemaCopy {
  const document = documentIn(text);
  if (typeof document !== 'object' || document === null || !('$id' in document)) return 'foreign';
  if (typeof document.$id !== 'string' || !ID.test(document.$id)) return 'foreign';
  return JSON.stringify(document) === JSON.stringify(schema) ? 'current' : 'other-version';
}

function documentIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

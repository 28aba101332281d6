import { join } from 'node:path';
import { isTopologyName, TOPOLOGIES } from './find-topology.ts';
import { SCHEMA_PATH, schemaCopyOf, schemaText } from './init/schema-copy.ts';
import { namedSchema } from './named-schema.ts';
import type { FileReader } from './ports.ts';
import type { Refusal } from './refusal.ts';

interface RefreshPorts {
  readonly files: FileReader;
  /** Creates its parent folders as well. */
  readonly writeFile: (path: string, text: string) => Promise<void>;
}

type RefreshResult =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'refreshed'; readonly written: readonly string[]; readonly current: readonly string[] };

/** Writes the schema for editors where the topologies of a fleet name it, over that of another weft, and nothing else. */
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

/** The schemas that the topologies of a fleet name; without any, the one that a new fleet gets. */
async function schemasOf(files: FileReader, folder: string): Promise<readonly string[]> {
  const around = join(folder, TOPOLOGIES);
  const paths = new Set<string>();
  for (const name of ((await files.namesIn(around)) ?? []).filter(isTopologyName)) {
    const path = join(around, name);
    const read = await files.readText(path);
    const named = read.kind === 'ok' ? namedSchema(files, { path, text: read.text }) : undefined;
    if (named !== undefined) paths.add(named.path);
  }
  return paths.size > 0 ? [...paths] : [join(folder, SCHEMA_PATH)];
}

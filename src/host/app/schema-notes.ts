import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Source } from '../../base/source/source.ts';
import { schemaCopyOf } from './init/schema-copy.ts';
import { namedSchema } from './named-schema.ts';
import type { FileReader } from './ports.ts';

/** A note where editors check a topology with a schema of another weft. Nothing that is compiled depends on it. */
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

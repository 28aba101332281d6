import { dirname, join } from 'node:path';
import type { Source, Span } from '../../base/source/source.ts';
import type { FileReader } from './ports.ts';

/** A schema that a topology names for editors. */
interface NamedSchema {
  /** As the path of the topology. */
  readonly path: string;
  readonly at: Span;
}

/** The comment is that of the language server for YAML: redhat-developer/yaml-language-server@1.25.0 src/languageservice/services/modelineUtil.ts. */
const MODELINE = /^(#\s+yaml-language-server\s*:.*\$schema=)([^\s#]+)/m;

/** The file that a topology names as its schema; `undefined` for a URL, and for a path out of the repository. */
export function namedSchema(
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

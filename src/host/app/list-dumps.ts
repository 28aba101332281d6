import { groupBy } from '../../base/core/collections.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { startOf } from '../../base/source/source.ts';
import { emptyFolder } from '../../live/dumps/live-diagnostics.ts';
import type { LivePorts } from './live-ports.ts';
import type { ContextRequest } from './read-context.ts';

/** A dump as a user names it. */
export interface DumpRequest {
  /** The cluster in front of the path; `null` if there is none. */
  readonly cluster: string | null;
  /** A file, a folder with files, or `-` for stdin. */
  readonly path: string;
}

/** The files of one cluster, as far as their names show. */
export interface DumpFiles {
  /** The cluster that the user names. */
  readonly named: string | null;
  /** The name of the file or folder, without the ending; `null` for stdin. */
  readonly stem: string | null;
  /** At least one; `-` for stdin. */
  readonly paths: readonly string[];
}

const isDumpFile = (path: string): boolean => /\.(json|ya?ml)$/.test(path);

const stemOf = (path: string): string => (path.split(/[/\\]/).at(-1) ?? '').replace(/\.(json|ya?ml)$/, '');

interface ListedDumps {
  readonly files: readonly DumpFiles[];
  readonly problems: readonly Diagnostic[];
}

/** The files of some dumps. None of them is read. */
export async function listDumps(
  ports: Pick<LivePorts, 'listFolder'>,
  requests: readonly DumpRequest[],
): Promise<ListedDumps> {
  const files: DumpFiles[] = [];
  const problems: Diagnostic[] = [];
  for (const it of requests) {
    const found = await filesOf(ports, it);
    if (found.length === 0) problems.push(emptyFolder(startOf({ path: it.path, text: '' })));
    else files.push(...found);
  }
  return { files, problems };
}

/** Everything below a folder is of the named cluster; without a name each file or folder in it is of one cluster. */
async function filesOf(
  ports: Pick<LivePorts, 'listFolder'>,
  { cluster, path }: DumpRequest,
): Promise<readonly DumpFiles[]> {
  if (path === '-') return [{ named: cluster, stem: null, paths: [path] }];
  const listing = await ports.listFolder(path, isDumpFile);
  if (listing.kind !== 'listed') return [{ named: cluster, stem: stemOf(path), paths: [path] }];
  const root = path.replace(/(?<=.)\/+$/, '');
  const placed = (names: readonly string[]): readonly string[] => names.map((it) => `${root}/${it}`);
  const byStem = groupBy(listing.paths, (it) => [cluster === null ? stemOf(it.split('/')[0] ?? '') : stemOf(root)]);
  return [...byStem].map(([stem, names]) => ({ named: cluster, stem, paths: placed(names) }));
}

/** Where a user says that live clusters can be read. */
export interface LiveRequest {
  readonly dumps: readonly DumpRequest[];
  readonly contexts: readonly ContextRequest[];
}

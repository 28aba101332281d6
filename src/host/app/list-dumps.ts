import { groupBy } from '../../base/core/collections.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { startOf } from '../../base/source/source.ts';
import { emptyFolder } from '../../live/dumps/live-diagnostics.ts';
import type { LivePorts } from './ports.ts';
import type { ContextRequest } from './read-context.ts';

/** A dump as a user names it. */
export interface DumpRequest {
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
    else files.push(...found);
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

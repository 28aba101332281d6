import { type BundlePath, printBundlePath } from '../../base/core/bundle-path.ts';
import type { FolderFiles } from '../../base/core/folder-files.ts';
import { bug } from '../../base/diagnostics/outcome.ts';

/** Files of a bundle by path below `out/`. A folder is printed on demand. */
export type Bundle = FolderFiles;

export interface BundleFile {
  readonly path: BundlePath;
  readonly text: string;
}

/**
 * The files of a folder by path. Two files with one path are a bug: one would be lost, and GitOps tools would prune its
 * objects.
 */
export function filesByPath(files: Iterable<BundleFile>): ReadonlyMap<string, string> {
  const byPath = new Map<string, string>();
  for (const { path, text } of files) {
    const printed = printBundlePath(path);
    if (byPath.has(printed)) bug(`two files of the bundle have the path ${printed}`);
    byPath.set(printed, text);
  }
  return byPath;
}

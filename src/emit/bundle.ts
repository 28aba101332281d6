import { type BundlePath, printBundlePath } from '../core/bundle-path.ts';
import { bug } from '../diagnostics/bug.ts';

/** Path below `out/` to text. */
export type Bundle = ReadonlyMap<string, string>;

export interface BundleFile {
  readonly path: BundlePath;
  readonly text: string;
}

/**
 * The files as a bundle. Two files at one path are a bug: one would be lost, and GitOps tools would prune its objects.
 */
export function bundleOf(files: Iterable<BundleFile>): Bundle {
  const bundle = new Map<string, string>();
  for (const { path, text } of files) {
    const printed = printBundlePath(path);
    if (bundle.has(printed)) bug(`two files of the bundle have the path ${printed}`);
    bundle.set(printed, text);
  }
  return bundle;
}

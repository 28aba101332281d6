import { normalize } from 'node:path';
import { isBundleFile } from '../../base/core/bundle-path.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Compiled } from '../../compile.ts';
import { verifyBundle } from '../../proof/verify/verify-bundle.ts';
import type { FolderResult } from '../disk/read-folder.ts';
import type { FileReader, Ports } from './ports.ts';

type VerifiedOut =
  | { readonly kind: 'missing' | 'not-a-folder' }
  /** `files` is the number of files that were read. */
  | { readonly kind: 'verified'; readonly diagnostics: readonly Diagnostic[]; readonly files: number };

/**
 * Reads the bundles in a folder and proves their promises.
 *
 * @param compiled the full result, not limited to some clusters.
 */
export async function verifyOut(files: FileReader, { inputs, bundle }: Compiled, out: string): Promise<VerifiedOut> {
  const read: FolderResult = await files.readFolder(out, isBundleFile);
  if (read.kind !== 'read') return { kind: read.kind };
  const given = { files: read.files, root: rootOf(out), sources: inputs, compiled: bundle };
  return { kind: 'verified', diagnostics: verifyBundle(given), files: read.files.size };
}

/**
 * The broken promises that no comparison explains. A file that would change but was not edited by hand belongs to an
 * edit of the topology that is not compiled yet; its broken promises are not reported.
 *
 * @param differing the files that would change
 */
export async function verifyEdited(
  { files, tree }: Pick<Ports, 'files' | 'tree'>,
  compiled: Compiled,
  { out, differing }: { readonly out: string; readonly differing: readonly string[] },
): Promise<readonly Diagnostic[]> {
  const verified = await verifyOut(files, compiled, out);
  if (verified.kind !== 'verified') return [];
  const isAsWritten = tree.writtenByWeft(out);
  const stale = new Set(differing);
  return verified.diagnostics.filter(({ span: { source } }) => {
    const path = source.path.slice(rootOf(out).length + 1);
    return !(stale.has(path) && (source.text === '' || isAsWritten(path, source.text)));
  });
}

/** The folder in the form that messages use. */
export const rootOf = (out: string): string =>
  normalize(out)
    .replaceAll('\\', '/')
    .replace(/(?<=.)\/$/, '');

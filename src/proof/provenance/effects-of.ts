import { isBundleFile } from '../../base/core/bundle-path.ts';
import { groupBy, sortedUnique } from '../../base/core/collections.ts';
import { asFolderFiles, type FolderFiles, folderFiles, folderOf } from '../../base/core/folder-files.ts';
import type { Code } from '../../base/diagnostics/codes.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { VerifySources } from '../verify/expectation.ts';
import { verifyBundle } from '../verify/verify-bundle.ts';
import type { Finding } from './judge-files.ts';

/** The compiled bundle, and the inputs that it was made from. */
export interface Expected {
  readonly bundle: ReadonlyMap<string, string>;
  readonly inputs: VerifySources;
  /** `out`, as in messages. */
  readonly root: string;
}

/** Largest size of a file that is verified, in characters. A larger file is not one of weft. */
const LARGEST = 1 << 22;

/** Codes that only report that a file is not the compiled one, which is already known. */
const WITHOUT_EFFECT: readonly Code[] = [
  'verify/differs',
  'verify/foreign-file',
  'verify/missing-file',
  'verify/unasked-path',
];

/**
 * The effects of the findings on the network, by path below `out/`: the checks that fail for the compiled files with
 * these edits applied. Files that are only stale are excluded, so that each effect is that of an edit.
 */
export function effectsOf(
  findings: readonly Finding[],
  { bundle, inputs, root }: Expected,
): ReadonlyMap<string, readonly Diagnostic[]> {
  const files = withEdits(asFolderFiles(bundle), findings);
  const found = verifyBundle({ files, root, sources: inputs, compiled: bundle });
  return groupBy(
    found.filter((it) => !WITHOUT_EFFECT.includes(it.code)),
    (it) => [it.span.source.path.slice(root.length + 1)],
  );
}

/** The compiled files with the edits of the findings. */
function withEdits(compiled: FolderFiles, findings: readonly Finding[]): FolderFiles {
  const edits = groupBy(findings.filter(isProven), (it) => [folderOf(it.path)]);
  const edited = (folder: string) => (): ReadonlyMap<string, string> => {
    const files = new Map(compiled.inFolder(folder));
    for (const { path, how, head } of edits.get(folder) ?? []) {
      if (how === 'removed') files.delete(path);
      else files.set(path, head?.text ?? '');
    }
    return files;
  };
  return folderFiles(new Map(sortedUnique([...compiled.folders, ...edits.keys()]).map((it) => [it, edited(it)])));
}

function isProven({ path, how, head }: Finding): boolean {
  if (path === '') return false;
  if (how === 'removed') return true;
  return head?.text != null && head.kind !== 'link' && head.text.length <= LARGEST && isBundleFile(path);
}

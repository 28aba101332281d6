import { asFolderFiles } from '../../../base/core/folder-files.ts';
import { type FolderFinding, type FolderSurroundings, inspectFolder } from './inspect-folder.ts';
import type { TreeProblem, TreeRequest } from './tree-request.ts';
import { turns } from './turns.ts';
import { wantedFolders } from './wanted-folder.ts';

type Found =
  | { readonly kind: 'inspected'; readonly findings: readonly FolderFinding[] }
  | { readonly kind: 'bad-paths'; readonly problems: readonly TreeProblem[] };

/** Compares all files of a request, folder by folder, since their texts are never all in memory; then files that are left over. */
export async function inspectFolders(request: TreeRequest, around: FolderSurroundings): Promise<Found> {
  const files = asFolderFiles(request.files);
  const leftOver = [...around.known.folders()].filter((it) => it === '' || around.covered(it));
  const findings: FolderFinding[] = [];
  const badPaths: TreeProblem[] = [];
  const turn = turns();
  const open = wantedFolders(files, around);
  let { staging } = around;
  for (const folder of new Set([...files.folders, ...leftOver])) {
    const wanted = open(folder);
    badPaths.push(...wanted.badPaths);
    if (badPaths.length > 0) continue;
    const finding = inspectFolder(wanted, { ...around, staging });
    // Nothing will be written, so nothing more is staged.
    if (finding.problems.length > 0) staging = null;
    findings.push(finding);
    await turn(wanted.paths.length);
  }
  return badPaths.length > 0 ? { kind: 'bad-paths', problems: badPaths } : { kind: 'inspected', findings };
}

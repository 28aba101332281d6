import { asFolderFiles, type FolderFiles } from '../../core/folder-files.ts';
import { bug } from '../../diagnostics/bug.ts';
import { type FolderFinding, type FolderSurroundings, inspectFolder } from './inspect-folder.ts';
import { packFolder } from './packed-folder.ts';
import { pathProblems } from './request-problems.ts';
import { foldersOver } from './tree-path.ts';
import type { TreeProblem, TreeRequest } from './tree-request.ts';
import { turns } from './turns.ts';

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
  let { staging } = around;
  let buffer: Buffer = Buffer.allocUnsafeSlow(FIRST_BUFFER_BYTES);
  for (const folder of new Set([...files.folders, ...leftOver])) {
    const its = files.inFolder(folder);
    badPaths.push(...pathProblems(its.keys()));
    if (badPaths.length > 0) continue;
    assertSound(its, files, around);
    const packed = packFolder(folder, its, buffer);
    buffer = packed.bytes;
    const finding = inspectFolder(packed, { ...around, staging });
    // Nothing will be written, so nothing more is staged.
    if (finding.problems.length > 0) staging = null;
    findings.push(finding);
    await turn(its.size);
  }
  return badPaths.length > 0 ? { kind: 'bad-paths', problems: badPaths } : { kind: 'inspected', findings };
}

/** Of a folder of a large cluster; a larger one is allocated when it is needed. */
const FIRST_BUFFER_BYTES = 1 << 20;

/** Faults that no topology can cause, so they are bugs. */
function assertSound(its: ReadonlyMap<string, string>, files: FolderFiles, { covered }: FolderSurroundings): void {
  for (const path of its.keys()) {
    if (!covered(path)) bug(`"${path}" is outside the scope of what is written`);
    const folder = foldersOver(path).find((it) => its.has(it));
    if (folder !== undefined) bug(`"${folder}" is both a file and the folder of "${path}"`);
    if (!path.includes('/') && files.inFolder(path).size > 0) bug(`"${path}" is both a file and the folder of others`);
  }
}

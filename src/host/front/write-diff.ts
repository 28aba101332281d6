import { isAbsolute, relative, resolve } from 'node:path';
import type { PlannedFleet } from '../app/plan-fleet.ts';
import { inFolder, writeOwnFiles } from '../disk/write-own-files.ts';
import type { Host } from './host.ts';
import { refused } from './refused.ts';

/** The files with the diff of a plan. */
export interface WrittenDiff {
  /** The paths as the user writes them. */
  readonly markdown: string;
  readonly html: string;
  /** The counts: `+3 −2 lines to read in 4 files of 2 clusters, nothing folded away`. */
  readonly words: string;
}

interface DiffPlace {
  readonly folder: string;
  /** The folder of the bundles. */
  readonly out: string;
}

const NAMES = { markdown: 'weft-diff.md', html: 'weft-diff.html' } as const;

/**
 * Writes the diff of a plan into a folder, for `--diff`. Returns `null` when nothing changes, and removes the files of
 * an earlier run, which describe another plan.
 */
export async function writeDiff(
  { cwd }: Pick<Host, 'cwd'>,
  { folder, out }: DiffPlace,
  planned: Pick<PlannedFleet, 'plan' | 'sides' | 'topology'>,
): Promise<WrittenDiff | null> {
  const below = relative(resolve(cwd, out), resolve(cwd, folder));
  // The path is absolute for a folder on another drive.
  if (!isAbsolute(below) && !/^\.\.(?:[\\/]|$)/.test(below)) {
    const reason = `only compiled files belong in ${out}/, and GitOps tools apply each folder in it`;
    throw refused({ kind: 'no-place-for-diff', path: folder, reason });
  }
  // Loaded here, because few runs write a diff.
  const { manifestDiff, HTML_DIFF_START, MARKDOWN_DIFF_START } = await import('../app/manifest-diff.ts');
  const diff = manifestDiff(planned);
  const blocked = await writeOwnFiles(cwd, folder, [
    { name: NAMES.markdown, start: MARKDOWN_DIFF_START, text: diff?.markdown ?? null },
    { name: NAMES.html, start: HTML_DIFF_START, text: diff?.html ?? null },
  ]);
  if (blocked !== undefined) throw refused({ kind: 'no-place-for-diff', ...blocked });
  if (diff === null) return null;
  return { markdown: inFolder(folder, NAMES.markdown), html: inFolder(folder, NAMES.html), words: diff.words };
}

/** The sentence that names the files, for the terminal. */
export const writtenWords = (diff: WrittenDiff | null): string =>
  diff === null ? 'nothing changes, so there is no diff' : `wrote ${diff.markdown} and ${diff.html}: ${diff.words}`;

import { isAbsolute, join, relative, resolve } from 'node:path';
import { BASE_STAGE } from '../../plan/stages/draft-stages.ts';
import type { PlannedFleet } from '../app/plan-fleet.ts';
import type { StagedChange } from '../app/stage-change.ts';
import { pathExists } from '../disk/repository.ts';
import { makeFolder, type PreparedFile, prepareFile } from '../disk/write-files.ts';
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

interface StagesPlace {
  readonly folder: string;
  /** The folder of the bundles. */
  readonly out: string;
}

/** Writes the base and the states of a change into a new folder, each into one of its own, with a list of all of them. */
export async function writeStages(
  { cwd }: Pick<Host, 'cwd'>,
  { folder, out }: StagesPlace,
  { base, stages }: Pick<StagedChange, 'base' | 'stages'>,
  list: string,
): Promise<void> {
  const below = relative(resolve(cwd, out), resolve(cwd, folder));
  if (!isAbsolute(below) && !/^\.\.(?:[\\/]|$)/.test(below)) {
    const reason = `only compiled files belong in ${out}/, and GitOps tools apply each folder in it`;
    throw refused({ kind: 'no-place-for-steps', path: folder, reason });
  }
  if (pathExists(resolve(cwd, folder)))
    throw refused({ kind: 'no-place-for-steps', path: folder, reason: 'it exists' });
  const files = [
    ['steps.md', list] as const,
    ...[{ name: BASE_STAGE, files: base }, ...stages].flatMap(({ name, files: texts }) =>
      [...texts].map(([path, text]) => [join(name, path), text] as const),
    ),
  ];
  const prepared: PreparedFile[] = [];
  try {
    for (const [path, text] of files) {
      const target = resolve(cwd, folder, path);
      await makeFolder(join(target, '..'));
      prepared.push(await prepareFile(target, text));
    }
  } catch (error) {
    for (const it of prepared) await it.discard();
    throw error;
  }
  for (const it of prepared) await it.commit();
}

import { isAbsolute, join, relative, resolve } from 'node:path';
import { BASE_STAGE } from '../../plan/stages/draft-stages.ts';
import type { StagedChange } from '../app/stage-change.ts';
import { pathExists } from '../disk/repository.ts';
import { makeFolder, type PreparedFile, prepareFile } from '../disk/write-files.ts';
import type { Host } from './host.ts';
import { refused } from './refused.ts';

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

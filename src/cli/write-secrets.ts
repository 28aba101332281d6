import { existsSync, realpathSync } from 'node:fs';
import { mkdir, open, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { asDiskError, errorCode } from './disk-error.ts';
import { Refusal } from './refusal.ts';

/** A folder for Secrets, as the user typed it and as the file system knows it. */
export interface SecretsFolder {
  readonly typed: string;
  readonly path: string;
}

/** Where the Secrets may go: not into a git repository that the topology is in, whichever way the path leads there. */
export function checkSecretsFolder(cwd: string, typed: string, topology: string): SecretsFolder {
  const path = resolve(cwd, typed);
  const repository = repositoryOf(realPath(resolve(cwd, topology)));
  const real = realPath(path);
  if (repository !== undefined && (real === repository || real.startsWith(`${repository}/`))) {
    throw new Refusal(
      `${typed} is inside the repository of ${topology}: private keys would be one git add away from everybody`,
      'choose a folder outside of it, or pipe the Secrets to what encrypts them',
    );
  }
  return { typed, path };
}

/** One file a cluster, readable by its owner alone, and none overwritten. All of them, or none. */
export async function writeSecrets(
  folder: SecretsFolder,
  secrets: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const written: string[] = [];
  try {
    await mkdir(folder.path, { recursive: true, mode: 0o700 });
    for (const [cluster, text] of secrets) {
      const name = `${cluster}.yaml`;
      const path = join(folder.path, name);
      const file = await open(path, 'wx', 0o600);
      written.push(path);
      try {
        await file.writeFile(text);
        // The public half is recorded next, and must not outlive this one.
        await file.sync();
      } finally {
        await file.close();
      }
    }
    return written.map((it) => join(folder.typed, it.slice(folder.path.length + 1)));
  } catch (error) {
    for (const it of written) await unlink(it);
    if (errorCode(error) === 'EEXIST') throw overwriteRefusal(folder, error);
    throw asDiskError(error, folder.typed);
  }
}

function overwriteRefusal({ typed }: SecretsFolder, error: unknown): Refusal {
  const path = error instanceof Error && 'path' in error ? String(error.path) : '';
  const what = path === '' ? typed : join(typed, path.slice(path.lastIndexOf('/') + 1));
  return new Refusal(
    `${what} is there already, and may hold keys that are nowhere else; nothing is written`,
    'deliver what is in it and move it away, or choose another folder',
  );
}

/** The work tree that a file is in. `.git` is a file in submodules and linked work trees. */
function repositoryOf(path: string): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Without symbolic links, as far as the path exists. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || path === dirname(path)) throw asDiskError(error, path);
    return join(realPath(dirname(path)), path.slice(dirname(path).length).replace(/^\/+/, ''));
  }
}

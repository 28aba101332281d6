import { realpathSync } from 'node:fs';
import { mkdir, open, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { asDiskError, errorCode } from './disk-error.ts';
import { repositoryRoot } from './repository-root.ts';

/** A folder for Secrets, as the user typed it and as an absolute path. */
export interface SecretsFolder {
  readonly typed: string;
  readonly path: string;
}

/** `null` for a folder in the git repository of the topology, also if symbolic links lead there. */
export function secretsFolder(cwd: string, typed: string, topology: string): SecretsFolder | null {
  const path = resolve(cwd, typed);
  const repository = repositoryRoot(dirname(realPath(resolve(cwd, topology))));
  const real = realPath(path);
  const isInside = repository !== undefined && (real === repository || real.startsWith(`${repository}/`));
  return isInside ? null : { typed, path };
}

export type SecretsResult =
  /** The files, as the user would type them. */
  | { readonly kind: 'written'; readonly paths: readonly string[] }
  /** A file that may contain other keys already exists; nothing was written. */
  | { readonly kind: 'exists'; readonly path: string };

/** Writes one file per cluster, readable only by its owner. No file is overwritten; all files are written, or none. */
export async function writeSecrets(
  folder: SecretsFolder,
  secrets: ReadonlyMap<string, string>,
): Promise<SecretsResult> {
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
        // The public half is recorded next and must not exist without this file.
        await file.sync();
      } finally {
        await file.close();
      }
    }
    return { kind: 'written', paths: written.map((it) => join(folder.typed, it.slice(folder.path.length + 1))) };
  } catch (error) {
    for (const it of written) await unlink(it);
    if (errorCode(error) === 'EEXIST') return { kind: 'exists', path: failedPath(folder, error) };
    throw asDiskError(error, folder.typed);
  }
}

function failedPath({ typed }: SecretsFolder, error: unknown): string {
  const path = error instanceof Error && 'path' in error ? String(error.path) : '';
  return path === '' ? typed : join(typed, path.slice(path.lastIndexOf('/') + 1));
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

import { randomBytes as draw, generateKeyPairSync } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { asDiskError, errorCode } from './disk-error.ts';
import { repositoryAround } from './repository.ts';
import { cleanUpUnlessDone } from './tree/process-lock.ts';
import { makeFolder } from './write-files.ts';

/** A folder for Secrets, as the user typed it and as an absolute path. */
export interface SecretsFolder {
  readonly typed: string;
  readonly path: string;
  /** The git repository that contains the folder, where private keys could be committed by mistake. */
  readonly repository: string | undefined;
}

export function secretsFolder(cwd: string, typed: string): SecretsFolder {
  const path = resolve(cwd, typed);
  return { typed, path, repository: repositoryAround(path) };
}

export type SecretsResult =
  | {
      readonly kind: 'written';
      /** The paths of the files, as the user would type them. */
      readonly paths: readonly string[];
      /** Keeps the files. Without this call they are removed when the process ends. */
      readonly keep: () => void;
      /** Removes the files, because their public keys are not recorded. */
      readonly remove: () => void;
    }
  /** A file that may contain other keys already exists; nothing was written. */
  | { readonly kind: 'exists'; readonly path: string };

/** Writes one file per cluster, readable only by its owner: all of them or none. No file is overwritten. */
export async function writeSecrets(
  folder: SecretsFolder,
  secrets: ReadonlyMap<string, string>,
): Promise<SecretsResult> {
  const written: string[] = [];
  const remove = () => {
    keep();
    for (const it of written.splice(0)) removeSecret(it);
  };
  const keep = cleanUpUnlessDone(remove);
  try {
    await makeFolder(folder.path, 0o700);
    for (const [cluster, text] of secrets) {
      const path = join(folder.path, `${cluster}.yaml`);
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
    const paths = written.map((it) => join(folder.typed, it.slice(folder.path.length + 1)));
    return { kind: 'written', paths, keep, remove };
  } catch (error) {
    remove();
    if (errorCode(error) === 'EEXIST') return { kind: 'exists', path: failedPath(folder, error) };
    throw asDiskError(error, folder.typed);
  }
}

function removeSecret(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

function failedPath({ typed }: SecretsFolder, error: unknown): string {
  const path = error instanceof Error && 'path' in error ? String(error.path) : '';
  return path === '' ? typed : join(typed, path.slice(path.lastIndexOf('/') + 1));
}

/** Both keys in base64, as WireGuard writes them. */
interface NewKeyPair {
  readonly privateKey: string;
  readonly publicKey: string;
}

/** X25519 keys have 32 bytes, and both DER forms end in them. Source: RFC 8410, section 7 and 10.1. */
const KEY_BYTES = 32;

export function newKeyPair(): NewKeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('x25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  });
  return { privateKey: lastBytes(privateKey), publicKey: lastBytes(publicKey) };
}

const lastBytes = (der: Buffer): string => der.subarray(der.length - KEY_BYTES).toString('base64');

/** Random bytes from the generator that is used for keys. */
export const randomBytes = (count: number): readonly number[] => [...draw(count)];

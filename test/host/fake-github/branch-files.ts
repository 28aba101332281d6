import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ID = /^[0-9a-f]{40}$/;

/** The commit at a ref, by its full name. Source: git, Documentation/gitrepository-layout. */
export function readRef(repository: string, ref: string): string | null {
  const file = join(repository, ref);
  if (!/\.\.|\0|^\/|\/$/.test(ref) && existsSync(file) && statSync(file).isFile()) {
    const text = readFileSync(file, 'utf8').trim();
    const target = /^ref: (.*)$/.exec(text)?.[1];
    return target !== undefined ? readRef(repository, target) : ID.test(text) ? text : null;
  }
  // A clone begins with all its refs in one file.
  const packed = join(repository, 'packed-refs');
  const lines = existsSync(packed) ? readFileSync(packed, 'utf8').split('\n') : [];
  return lines.find((it) => it.endsWith(` ${ref}`) && !it.startsWith('#'))?.slice(0, 40) ?? null;
}

/** All refs of a repository that is no clone, with what each is. */
export function readRefs(repository: string): string {
  const entries = readdirSync(join(repository, 'refs'), { recursive: true, withFileTypes: true });
  const files = entries.filter((it) => it.isFile()).map((it) => join(it.parentPath, it.name));
  return files
    .map((it) => `${it.slice(repository.length)} ${readFileSync(it, 'utf8')}`)
    .sort()
    .join('');
}

/** Moves a ref as git does; false where only git knows the answer, for instance where a folder has that name. */
export function writeRef(repository: string, ref: string, id: string): boolean {
  if (existsSync(join(repository, 'packed-refs'))) return false;
  try {
    mkdirSync(dirname(join(repository, ref)), { recursive: true });
    writeFileSync(join(repository, ref), `${id}\n`);
    return true;
  } catch {
    return false;
  }
}

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';

const TYPES = ['blob', 'tree', 'commit', 'tag'] as const;

export interface GitObject {
  readonly id: string;
  readonly type: (typeof TYPES)[number];
  readonly bytes: Buffer;
}

/** The objects of a repository without packs, which git reads and writes as well: a start of git takes longer than a hundred. */
export interface ObjectFiles {
  /** The object with an id, which may be in a repository that this one borrows from. */
  readonly read: (id: string) => GitObject | null;
  readonly write: (type: GitObject['type'], bytes: Buffer) => string;
}

/** Source: git, Documentation/gitformat-loose and gitrepository-layout. */
export function objectFiles(repository: string): ObjectFiles {
  const folders = [join(repository, 'objects')];
  const borrowed = join(repository, 'objects/info/alternates');
  if (existsSync(borrowed)) folders.push(...readFileSync(borrowed, 'utf8').split('\n').filter(Boolean));
  const find = (id: string): string | undefined =>
    folders.map((it) => join(it, id.slice(0, 2), id.slice(2))).find((it) => existsSync(it));
  return {
    read: (id) => {
      const file = find(id);
      if (file === undefined) return null;
      const whole = inflateSync(readFileSync(file));
      const end = whole.indexOf(0);
      const type = TYPES.find((it) => whole.toString('latin1', 0, end).startsWith(`${it} `));
      if (type === undefined) throw new Error(`${file} is no object`);
      return { id, type, bytes: whole.subarray(end + 1) };
    },
    write: (type, bytes) => {
      const whole = Buffer.concat([Buffer.from(`${type} ${bytes.length}\0`), bytes]);
      const id = createHash('sha1').update(whole).digest('hex');
      if (find(id) !== undefined) return id;
      const folder = join(folders[0] ?? '', id.slice(0, 2));
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, id.slice(2)), deflateSync(whole, { level: 1 }));
      return id;
    },
  };
}

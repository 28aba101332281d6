import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { GitError } from './disk-error.ts';
import { decodeName, PARTIAL_CLONE } from './git-objects.ts';
import { firstLine, LARGEST_OUTPUT_BYTES, outputTooLarge, startError, startGit } from './run-git.ts';

interface GitObject {
  readonly id: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** An entry of a tree. A tree has the mode `040000`. */
export interface GitEntry {
  /** Six octal digits: `100644` for a plain file. */
  readonly mode: string;
  readonly id: string;
}

/** An entry with its path below the folder that was listed, with `/`. */
export interface PathEntry extends GitEntry {
  readonly path: string;
}

/** Reads objects of the repository around a folder, with one process of git for all of them. */
export interface GitReader {
  /** The object that git finds by a name; `undefined` when there is none. */
  readonly find: (name: string) => Promise<GitObject | undefined>;
  /** The entries of a tree by name. Trees are read once. */
  readonly tree: (id: string) => Promise<ReadonlyMap<string, GitEntry>>;
  /** The entry at a path of a tree; a link is not followed. */
  readonly entryAt: (tree: string, path: string) => Promise<GitEntry | undefined>;
  /** All files at or below an entry, in git's order of paths; an entry that is no tree has the empty path. */
  readonly filesBelow: (entry: GitEntry) => Promise<readonly PathEntry[]>;
  /** The bytes of blobs by path. */
  readonly blobs: (wanted: readonly Pick<PathEntry, 'path' | 'id'>[]) => Promise<ReadonlyMap<string, Buffer>>;
}

export const FOLDER_MODE = '040000';
const isTree = ({ mode }: GitEntry): boolean => mode === FOLDER_MODE;

export function gitReader(folder: string): GitReader {
  const ask = objectProcess(folder);
  const read = async (id: string, path: string): Promise<GitObject> => {
    const object = await ask(id);
    if (object === undefined) throw new GitError(`git has no object ${id} for ${path}`, PARTIAL_CLONE);
    return object;
  };
  const trees = new Map<string, Promise<ReadonlyMap<string, GitEntry>>>();
  const treeAt = (id: string, path: string): Promise<ReadonlyMap<string, GitEntry>> => {
    const known = trees.get(id) ?? read(id, path).then(parseTree);
    trees.set(id, known);
    return known;
  };
  const tree = (id: string) => treeAt(id, 'a folder');

  async function list(entry: GitEntry, path: string, room: Room): Promise<readonly PathEntry[]> {
    if (!isTree(entry)) return [{ path, mode: entry.mode, id: entry.id }];
    const entries = await treeAt(entry.id, path);
    const below = path === '' ? '' : `${path}/`;
    for (const name of entries.keys()) takeRoom(room, below.length + name.length);
    const lists = [...entries].map(([name, it]) =>
      isTree(it) ? list(it, below + name, room) : [{ path: below + name, mode: it.mode, id: it.id }],
    );
    return (await Promise.all(lists)).flat();
  }

  return {
    find: ask,
    tree,
    entryAt: async (root, path) => {
      let at: GitEntry | undefined = { mode: FOLDER_MODE, id: root };
      for (const name of path === '' ? [] : path.split('/')) {
        if (at === undefined || !isTree(at)) return undefined;
        at = (await tree(at.id)).get(name);
      }
      return at;
    },
    filesBelow: (entry) => list(entry, '', { bytes: 0 }),
    blobs: async (wanted) => {
      const room: Room = { bytes: 0 };
      const found = wanted.map(async ({ path, id }) => {
        const { bytes } = await read(id, path);
        takeRoom(room, bytes.length);
        return [path, bytes] as const;
      });
      return new Map(await Promise.all(found));
    },
  };
}

/** The bytes of an answer so far. */
interface Room {
  bytes: number;
}

/** A few trees that contain each other many times have more files than a computer can list. */
function takeRoom(room: Room, bytes: number): void {
  room.bytes += bytes;
  if (room.bytes > LARGEST_OUTPUT_BYTES) throw outputTooLarge();
}

/**
 * The entries of a tree. A tree with an impossible name is refused: a path would be read otherwise than git checks it
 * out. Source: git, tree-walk.c (decode_tree_entry, canon_mode) and fsck.c.
 */
function parseTree({ id: tree, type, bytes }: GitObject): ReadonlyMap<string, GitEntry> {
  const entries = new Map<string, GitEntry>();
  const idBytes = tree.length / 2;
  let at = 0;
  while (at < bytes.length) {
    const space = bytes.indexOf(0x20, at);
    const end = bytes.indexOf(0, space);
    const next = end + 1 + idBytes;
    const mode = bytes.toString('latin1', at, space);
    const name = decodeName(bytes.subarray(space + 1, end));
    const isWhole = space > at && end > space + 1 && next <= bytes.length && /^[0-7]{5,6}$/.test(mode);
    if (type !== 'tree' || !isWhole || name.includes('/') || entries.has(name))
      throw new GitError(`git has no valid tree ${tree}`, 'run "git fsck", and fetch the commit again');
    entries.set(name, { mode: canonicalMode(Number.parseInt(mode, 8)), id: bytes.toString('hex', end + 1, next) });
    at = next;
  }
  return entries;
}

/** Git knows one bit of the permissions of a file, and takes what it does not know for a submodule. */
function canonicalMode(mode: number): string {
  const kind = mode & 0o170000;
  if (kind === 0o100000) return (mode & 0o100) === 0 ? '100644' : '100755';
  return kind === 0o120000 ? '120000' : kind === 0o040000 ? FOLDER_MODE : '160000';
}

/** The time without a question after which the process is ended: a command asks again sooner, and `--watch` rarely. */
const IDLE_MILLISECONDS = 500;

interface ObjectQuestion {
  readonly resolve: (object: GitObject | undefined) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Asks `git cat-file --batch`, which is started by the first question. It ends when nothing was asked for a while, and
 * with weft, however that ends: git reads to the end of its input. Without a question it does not keep weft running.
 */
function objectProcess(folder: string): (name: string) => Promise<GitObject | undefined> {
  let running: { readonly ask: (name: string, question: ObjectQuestion) => void } | undefined;
  const start = () => {
    const child = startGit(folder, ['cat-file', '--batch']);
    const asked: ObjectQuestion[] = [];
    let errors = '';
    let idle: NodeJS.Timeout | undefined;
    const own = {
      ask: (name: string, question: ObjectQuestion) => {
        clearTimeout(idle);
        if (asked.push(question) === 1) keepRunning(child, true);
        child.stdin.write(`${name}\n`);
      },
    };
    const isOver = (): void => {
      clearTimeout(idle);
      if (running === own) running = undefined;
    };
    const fail = (error: Error): void => {
      isOver();
      for (const it of asked.splice(0)) it.reject(error);
    };
    const answer = (object: GitObject | undefined): void => {
      asked.shift()?.resolve(object);
      if (asked.length > 0) return;
      keepRunning(child, false);
      idle = setTimeout(() => {
        isOver();
        child.stdin.end();
      }, IDLE_MILLISECONDS).unref();
    };
    const parse = objectParser(answer);
    child.stdout.on('data', (part: Buffer) => {
      if (parse(part)) return;
      child.kill();
      fail(outputTooLarge());
    });
    child.stderr.on('data', (part: Buffer) => {
      errors += part.toString();
    });
    // If git has ended, its error output explains more than the failed write.
    child.stdin.on('error', () => {});
    child.on('error', (error) => fail(startError(error)));
    child.on('close', () => fail(new GitError(`git cannot read its objects: ${firstLine(errors)}`, PARTIAL_CLONE)));
    return own;
  };
  return (name) =>
    new Promise((resolve, reject) => {
      running ??= start();
      running.ask(name, { resolve, reject });
    });
}

/** Makes node wait for a process, or not. Its pipes are sockets, which count as well. */
function keepRunning(child: ChildProcessWithoutNullStreams, isAsked: boolean): void {
  const method = isAsked ? 'ref' : 'unref';
  for (const it of [child, child.stdin, child.stdout, child.stderr]) {
    const change: unknown = Reflect.get(it, method);
    if (typeof change === 'function') Reflect.apply(change, it, []);
  }
}

/**
 * Splits the output of `git cat-file --batch`: each object is a line `<id> <type> <size>`, its bytes, and a line break;
 * another line answers for an object that is missing. The parser returns false when an object is too large.
 */
function objectParser(answer: (object: GitObject | undefined) => void): (part: Buffer) => boolean {
  let parts: Buffer[] = [];
  let length = 0;
  let needed = 0;
  return (part) => {
    parts.push(part);
    length += part.length;
    // The bytes of a large object are put together once.
    if (length < needed) return true;
    const all = parts.length === 1 ? part : Buffer.concat(parts);
    let at = 0;
    needed = 0;
    for (let end = all.indexOf('\n'); end !== -1; end = all.indexOf('\n', at)) {
      const line = all.toString('latin1', at, end);
      const [, id, type, digits] = /^([0-9a-f]{40,64}) (blob|tree|commit|tag) (\d+)$/.exec(line) ?? [];
      const size = Number(digits);
      if (size > LARGEST_OUTPUT_BYTES) return false;
      const next = id === undefined ? end + 1 : end + 1 + size + 1;
      needed = next - at;
      if (next > all.length) break;
      answer(
        id === undefined || type === undefined ? undefined : { id, type, bytes: all.subarray(end + 1, end + 1 + size) },
      );
      [at, needed] = [next, 0];
    }
    parts = at === all.length ? [] : [all.subarray(at)];
    length = all.length - at;
    return true;
  };
}

import { createHash } from 'node:crypto';
import type { Comment, Commit, Comparison, Forge, Pull, TreeEdit, TreeEntry } from '../../src/github/forge.ts';

type Files = ReadonlyMap<string, TreeEntry>;

export interface MemorySettings {
  readonly login?: string | null;
  /** Every answer about a whole tree is cut off, as for very large repositories. */
  readonly truncated?: boolean;
}

const hash = (kind: string, value: unknown): string =>
  createHash('sha1')
    .update(kind === 'blob' ? `blob ${Buffer.byteLength(String(value))}\0${value}` : `${kind}${JSON.stringify(value)}`)
    .digest('hex');

/** A forge that only remembers. Trees are maps of all their files; folders exist because files do. */
export function memoryForge(start: Readonly<Record<string, string>>, settings: MemorySettings = {}) {
  const blobs = new Map<string, string>();
  const trees = new Map<string, Files>();
  const commits = new Map<string, Commit>();
  const branches = new Map<string, string>();
  const pulls: {
    number: number;
    url: string;
    title: string;
    body: string;
    base: string;
    author: string;
    head: string;
    open: boolean;
  }[] = [];
  const comments: (Comment & { readonly pull: number; body: string })[] = [];
  const calls: string[] = [];
  /** Called once before the next call of that name, as another process would come between. */
  const between = new Map<string, () => unknown>();

  const keepBlob = (text: string): string => {
    const id = hash('blob', text);
    blobs.set(id, text);
    return id;
  };
  const keepTree = (files: Files): string => {
    const sorted = new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
    const id = hash('tree', [...sorted]);
    trees.set(id, sorted);
    return id;
  };
  const keepCommit = (commit: Omit<Commit, 'id'>): string => {
    const id = hash('commit', commit);
    commits.set(id, { id, ...commit });
    return id;
  };
  const known = <T>(map: ReadonlyMap<string, T>, id: string): T => {
    const found = map.get(id);
    if (found === undefined) throw new Error(`there is no ${id}`);
    return found;
  };
  const ancestors = (id: string, seen = new Set<string>()): ReadonlySet<string> => {
    if (!seen.has(id)) {
      seen.add(id);
      for (const it of known(commits, id).parents) ancestors(it, seen);
    }
    return seen;
  };
  const filesIn = (tree: string): Files => known(trees, tree);
  const subtree = (tree: string, folder: string): Files =>
    new Map(
      [...filesIn(tree)].filter(([it]) => it.startsWith(folder)).map(([it, entry]) => [it.slice(folder.length), entry]),
    );

  function applied(base: string, edits: readonly TreeEdit[]): string {
    const files = new Map(filesIn(base));
    for (const edit of edits) {
      const below = [...files.keys()].filter((it) => it.startsWith(`${edit.path}/`));
      if (edit.kind === 'delete') {
        if (!files.has(edit.path) && below.length === 0)
          throw new Error(`${edit.path} cannot be deleted: it is not there`);
        for (const it of [edit.path, ...below]) files.delete(it);
      } else if (edit.kind === 'write') {
        files.set(edit.path, { mode: '100644', id: keepBlob(edit.text) });
      } else {
        for (const it of [edit.path, ...below]) files.delete(it);
        if (edit.entry.mode !== '040000') files.set(edit.path, edit.entry);
        else for (const [it, entry] of filesIn(edit.entry.id)) files.set(`${edit.path}/${it}`, entry);
      }
    }
    return keepTree(files);
  }

  /** A commit by somebody else, on a branch. */
  function pushForeign(branch: string, edits: Readonly<Record<string, string | null>>, message = 'by hand'): string {
    const head = known(branches, branch);
    const list = Object.entries(edits).map(
      ([path, text]): TreeEdit =>
        text === null ? { kind: 'delete', path, mode: '100644' } : { kind: 'write', path, text },
    );
    const commit = keepCommit({ tree: applied(known(commits, head).tree, list), parents: [head], message });
    branches.set(branch, commit);
    return commit;
  }

  const called = <A extends readonly unknown[], R>(name: string, run: (...args: A) => R) => {
    return async (...args: A): Promise<Awaited<R>> => {
      calls.push(name);
      const other = between.get(name);
      between.delete(name);
      await other?.();
      return await run(...args);
    };
  };

  const forge: Forge = {
    repository: { owner: 'acme', name: 'fleet' },
    defaultBranch: called('defaultBranch', () => 'main'),
    headOf: called('headOf', (branch: string) => branches.get(branch) ?? null),
    readCommit: called('readCommit', (id: string) => known(commits, id)),
    compare: called('compare', (base: string, head: string): Comparison => {
      const [inBase, inHead] = [ancestors(base), ancestors(head)];
      const only = [...inHead].filter((it) => !inBase.has(it)).reverse();
      const common = [...inHead].filter((it) => inBase.has(it));
      const mergeBase = common.find((it) => common.every((other) => ancestors(it).has(other))) ?? '';
      const behind = [...inBase].filter((it) => !inHead.has(it)).length;
      return { mergeBase, ahead: only.length, behind, commits: only.map((it) => known(commits, it)) };
    }),
    readFolder: called('readFolder', (tree: string) => {
      const found = new Map<string, TreeEntry>();
      for (const [path, entry] of filesIn(tree)) {
        const [name = '', ...rest] = path.split('/');
        found.set(name, rest.length === 0 ? entry : { mode: '040000', id: keepTree(subtree(tree, `${name}/`)) });
      }
      return found;
    }),
    listFiles: called('listFiles', (tree: string) => (settings.truncated ? null : filesIn(tree))),
    readText: called('readText', (blob: string) => known(blobs, blob)),
    writeBlob: called('writeBlob', keepBlob),
    writeTree: called('writeTree', applied),
    writeCommit: called('writeCommit', keepCommit),
    createBranch: called('createBranch', (branch: string, commit: string) => {
      if (branches.has(branch)) return 'exists';
      branches.set(branch, commit);
      return 'created';
    }),
    moveBranch: called(
      'moveBranch',
      (branch: string, { to, force }: { readonly to: string; readonly force: boolean }) => {
        const head = branches.get(branch);
        if (head === undefined) return 'missing';
        if (!force && !ancestors(to).has(head)) return 'not-a-fast-forward';
        branches.set(branch, to);
        return 'moved';
      },
    ),
    openPulls: called('openPulls', (branch: string): readonly Pull[] =>
      pulls.filter((it) => it.open && it.head === branch),
    ),
    createPull: called('createPull', ({ branch, base, title, body }) => {
      const number = pulls.length + 1;
      const pull = {
        number,
        url: `https://github.com/acme/fleet/pull/${number}`,
        title,
        body,
        base,
        author: settings.login ?? 'github-actions[bot]',
      };
      pulls.push({ ...pull, head: branch, open: true });
      return pull;
    }),
    updatePull: called('updatePull', (number: number, { state, ...texts }) => {
      const pull = pulls.find((it) => it.number === number);
      Object.assign(pull ?? {}, texts, state === 'closed' ? { open: false } : {});
    }),
    login: called('login', () => settings.login ?? null),
    listComments: called('listComments', (pull: number) => comments.filter((it) => it.pull === pull)),
    createComment: called('createComment', (pull: number, body: string) => {
      const id = comments.length + 1;
      const author = settings.login ?? 'github-actions[bot]';
      const comment = { id, url: `https://github.com/acme/fleet/pull/${pull}#${id}`, body, author, byBot: true };
      comments.push({ ...comment, pull });
      return comment;
    }),
    updateComment: called('updateComment', (id: number, body: string) => {
      const comment = comments.find((it) => it.id === id);
      if (comment) comment.body = body;
    }),
  };

  const files = new Map(Object.entries(start).map(([path, text]) => [path, { mode: '100644', id: keepBlob(text) }]));
  branches.set('main', keepCommit({ tree: keepTree(files), parents: [], message: 'start' }));
  return {
    forge,
    pulls,
    comments,
    branches,
    calls,
    between,
    pushForeign,
    pushComment: (pull: number, author: string, body: string, byBot = false) => {
      const id = comments.length + 1;
      comments.push({ id, url: `https://github.com/acme/fleet/pull/${pull}#${id}`, body, author, byBot, pull });
    },
    commitOf: (branch: string): Commit => known(commits, known(branches, branch)),
    /** Every commit that a branch has. */
    historyOf: (branch: string): ReadonlySet<string> => ancestors(known(branches, branch)),
    filesOf: (branch: string): Readonly<Record<string, string>> =>
      Object.fromEntries(
        [...filesIn(known(commits, known(branches, branch)).tree)].map(([path, { id }]) => [path, known(blobs, id)]),
      ),
    /** What GitHub's button does, without leaving the branch behind when asked. */
    merge: (number: number, how: 'merge' | 'squash', deleteBranch = false) => {
      const pull = pulls.find((it) => it.number === number);
      if (pull === undefined) throw new Error(`there is no #${number}`);
      const [base, head] = [known(branches, pull.base), known(branches, pull.head)];
      // Our tests merge only what main did not touch beside.
      const parents = how === 'merge' ? [base, head] : [base];
      branches.set(pull.base, keepCommit({ tree: known(commits, head).tree, parents, message: `merge #${number}` }));
      pull.open = false;
      if (deleteBranch) branches.delete(pull.head);
    },
  };
}

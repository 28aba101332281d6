import { dateOf, writeCommit } from './commit-object.ts';
import { editTree } from './edit-tree.ts';
import type { GitStore } from './git-store.ts';

export interface ImportedCommit {
  readonly branch: string;
  /** Its id; `null` for the first commit of a repository. */
  readonly parent: string | null;
  /** `at` in milliseconds since 1970. */
  readonly by: { readonly name: string; readonly email: string; readonly at: number };
  readonly message: string;
  /** path -> text; `null` takes the file out. */
  readonly files: Readonly<Record<string, string | null>>;
  /** The mode, if it is not 100644; the text of a link is its target. */
  readonly modes?: Readonly<Record<string, '100755' | '120000'>>;
}

/** Makes a commit at a branch without a clone; returns its id. */
export function importCommit(
  store: GitStore,
  { branch, parent, by, message, files, modes = {} }: ImportedCommit,
): string {
  const edits = Object.entries(files).map(([path, text]) => ({
    path: path.split('/'),
    entry: text === null ? null : { mode: modes[path] ?? '100644', id: store.writeBlob(Buffer.from(text)) },
  }));
  const tree = editTree(store, parent && (store.read(`${parent}^{tree}`)?.id ?? null), edits);
  const author = { name: by.name, email: by.email, date: dateOf(by.at) };
  const commit = { tree, parents: parent === null ? [] : [parent], author, committer: author, message };
  const id = writeCommit(store, commit);
  if (!store.moveRef(`refs/heads/${branch}`, id, store.headOf(branch))) throw new Error(`${branch} cannot be moved`);
  return id;
}

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { git, openStore } from './git-store.ts';
import { importCommit } from './import-commit.ts';
import type { Repository, World } from './world.ts';

/** A repository as a test asks for it. */
export interface NewRepository {
  readonly owner: string;
  readonly name: string;
  /** path -> text of the first commit; `null` for a repository without any. Not for forks. */
  readonly files?: Readonly<Record<string, string>> | null;
  readonly defaultBranch?: string;
  readonly isPrivate?: boolean;
  readonly actionsMayOpenPulls?: boolean;
  readonly teams?: readonly string[];
  /** Full name of the repository that it is a fork of, with all its branches. */
  readonly forkOf?: string;
}

/** Makes a bare repository below `folder`. */
export function openRepository(
  world: World,
  folder: string,
  wanted: NewRepository,
  parent: Repository | null,
): Repository {
  const { owner, name, files = { 'README.md': `# ${name}\n` } } = wanted;
  const defaultBranch = wanted.defaultBranch ?? parent?.defaultBranch ?? 'main';
  const bare = join(folder, owner, `${name}.git`);
  // A fork shares the objects of its parent, as on GitHub.
  if (parent !== null) git(folder, ['clone', '--quiet', '--bare', '--shared', parent.store.folder, bare]);
  else makeBare(bare, defaultBranch);
  const store = openStore(bare);
  if (parent === null && files !== null) {
    const by = { name: owner, email: `${owner}@example.com`, at: world.clock.now() };
    importCommit(store, { branch: defaultBranch, parent: null, by, message: 'first', files });
  }
  return {
    owner,
    name,
    formerNames: [],
    id: world.nextId(),
    isPrivate: wanted.isPrivate ?? false,
    defaultBranch,
    parent,
    store,
    pulls: [],
    comments: [],
    guards: new Map(),
    signed: new Set(),
    actionsMayOpenPulls: wanted.actionsMayOpenPulls ?? true,
    hasDrafts: true,
    teams: wanted.teams ?? [],
  };
}

/** The files of `git init --bare` that git needs; saves a process for each of many tests. */
function makeBare(bare: string, defaultBranch: string): void {
  for (const it of ['objects', 'refs']) mkdirSync(join(bare, it), { recursive: true });
  writeFileSync(join(bare, 'HEAD'), `ref: refs/heads/${defaultBranch}\n`);
  writeFileSync(join(bare, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n');
}

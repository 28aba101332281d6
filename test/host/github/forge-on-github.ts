import { onTestFinished } from 'vitest';
import type { Forge, Repository } from '../../../src/host/forge/forge.ts';
import { connectOctokit, openForge } from '../../../src/host/github/open-github.ts';
import { type FakeGitHub, fakeGitHub } from '../fake-github/fake-github.ts';
import { contentByGit, gitServerOf } from '../git-remote/content-by-git.ts';

/** The user who edits a pull request that is not weft's. */
const BRANCH_OF_OTHERS = 'edit';

interface ForgeSettings {
  /** Every answer about a whole tree is cut off, as for very large repositories. */
  readonly truncated?: boolean;
  /** The access to content: with calls of GitHub, or with git, as for forges without such calls. */
  readonly content?: 'GitHub' | 'git';
}

const FLEET: Repository = { owner: 'acme', name: 'fleet' };

/** The forge that weft makes, on the fake GitHub, with the token of GitHub Actions. */
export function forgeOf({ bot, clock, fetch }: FakeGitHub, repository = FLEET): Promise<Forge> {
  const notify = (): void => {};
  const connection = { token: bot.token, apiUrl: 'https://api.github.com', version: '0.0.0', clock, fetch, notify };
  return openForge({ octokit: connectOctokit(connection), repository, clock, notify });
}

/** A forge on the fake GitHub for tests of what uses one: it remembers its calls, and others may come between two of them. */
export async function forgeOnGitHub(
  files: Readonly<Record<string, string>>,
  { truncated = false, content = 'GitHub' }: ForgeSettings = {},
) {
  const isEmpty = Object.keys(files).length === 0;
  const fake = fakeGitHub({
    repositories: [
      { owner: 'acme', name: 'fleet', files: isEmpty ? { 'README.md': 'a fleet\n' } : files },
      { owner: 'acme', name: 'manifests' },
    ],
    settings: truncated ? { treeEntries: 0 } : {},
  });
  onTestFinished(() => fake.close());
  const calls: string[] = [];
  /** Called once before the next call of that name, as another process would come between. */
  const between = new Map<string, () => unknown>();
  const server = content === 'git' ? await gitServerOf(fake) : undefined;
  const connect = async ({ repository }: { readonly repository: Repository }): Promise<Forge> => {
    const byGit = server === undefined ? {} : contentByGit(fake, server, { repository });
    return watched({ ...(await forgeOf(fake, repository)), ...byGit }, calls, between);
  };
  return {
    fake,
    connect,
    forge: await connect({ repository: FLEET }),
    calls,
    between,
    /** A commit by another user. */
    pushForeign: (branch: string, edits: Readonly<Record<string, string | null>>) => fake.commit(branch, edits),
    /** A comment by a user; `weft` is the owner of the token. */
    pushComment: (pull: number, author: 'weft' | 'stranger', body: string) =>
      fake.comment(pull, author === 'weft' ? fake.bot : fake.user, body),
    /** A pull request with an edit of another user. */
    openPull: (number: number) => fake.openPull({ number, branch: BRANCH_OF_OTHERS, author: fake.user }),
    headOf: (branch: string): string => fake.headOf(branch) ?? '',
    /** Every commit that a branch has. */
    historyOf: (branch: string): readonly string[] => fake.historyOf(branch),
    filesOf: (branch: string): Readonly<Record<string, string>> => Object.fromEntries(fake.filesAt(branch)),
  };
}

/** A forge that records its calls; `between` has the actions of others just before the next call of a name. */
export function watched(forge: Forge, calls: string[], between: Map<string, () => unknown>): Forge {
  const wrap = (name: string, call: (...args: readonly unknown[]) => unknown) => {
    return async (...args: readonly unknown[]): Promise<unknown> => {
      calls.push(name);
      const other = between.get(name);
      between.delete(name);
      await other?.();
      return call(...args);
    };
  };
  const entries = Object.entries(forge).map(([name, it]) => [name, typeof it === 'function' ? wrap(name, it) : it]);
  return Object.fromEntries(entries) as unknown as Forge;
}

import { expect, onTestFinished } from 'vitest';
import type { Forge, Repository } from '../../../src/host/forge/forge.ts';
import { openGitea } from '../../../src/host/gitea/open-gitea.ts';
import { type FakeGitea, fakeGitea } from '../fake-gitea/fake-gitea.ts';
import { type FakeGitHub, type FakeGitHubOptions, fakeGitHub } from '../fake-github/fake-github.ts';
import { FLEET, gitServerOf } from '../git-remote/content-by-git.ts';
import { watched } from '../github/forge-on-github.ts';

export interface GiteaWithFleet {
  /** The repositories, and what others do there. */
  readonly fake: FakeGitHub;
  readonly gitea: FakeGitea;
  readonly connect: (at?: { readonly repository?: Repository; readonly token?: string }) => Promise<Forge>;
  readonly notices: readonly string[];
  /** Before the end of the test. */
  readonly close: () => Promise<void>;
}

/** A Gitea with a fleet on it: its API, and the real git over HTTP. */
export async function giteaWithFleet(options: FakeGitHubOptions = {}): Promise<GiteaWithFleet> {
  const fake = fakeGitHub(options);
  const tokens = (): readonly string[] => fake.world.accounts.map((it) => it.token);
  const server = await gitServerOf(fake, { refuse: ({ password }) => (tokens().includes(password) ? null : 401) });
  const gitea = fakeGitea(fake, { web: server.url });
  const forges: Forge[] = [];
  const close = async (): Promise<void> => {
    for (const it of forges.splice(0)) await it.close();
    await server.close();
    fake.close();
    expect(gitea.violations).toEqual([]);
  };
  onTestFinished(close);
  const notices: string[] = [];
  return {
    fake,
    gitea,
    notices,
    close,
    connect: async ({ repository = FLEET, token = gitea.weft.token } = {}) => {
      const { apiUrl, fetch } = gitea;
      const notify = (line: string): void => void notices.push(line);
      const access = {
        product: 'Gitea',
        token,
        repository,
        apiUrl,
        version: '0.0.0',
        clock: fake.clock,
        notify,
        fetch,
      };
      const forge = await openGitea(
        { ...access, product: 'Gitea' },
        { proxies: {}, env: { PATH: process.env['PATH'] } },
      );
      forges.push(forge);
      return forge;
    },
  };
}

/** The counterpart of `forgeOnGitHub`, for tests of any forge. */
export async function forgeOnGitea(files: Readonly<Record<string, string>>) {
  const isEmpty = Object.keys(files).length === 0;
  const { fake, gitea, connect } = await giteaWithFleet({
    repositories: [
      { owner: 'acme', name: 'fleet', files: isEmpty ? { 'README.md': 'a fleet\n' } : files },
      { owner: 'acme', name: 'manifests' },
    ],
  });
  const calls: string[] = [];
  const between = new Map<string, () => unknown>();
  const watchedForge = async (at: { readonly repository: Repository }): Promise<Forge> =>
    watched(await connect(at), calls, between);
  return {
    fake,
    connect: watchedForge,
    forge: await watchedForge({ repository: FLEET }),
    calls,
    between,
    pushForeign: (branch: string, edits: Readonly<Record<string, string | null>>) => fake.commit(branch, edits),
    pushComment: (pull: number, author: 'weft' | 'stranger', body: string) =>
      fake.comment(pull, author === 'weft' ? gitea.weft : fake.user, body),
    openPull: (number: number) => fake.openPull({ number, branch: 'edit', author: fake.user }),
    headOf: (branch: string): string => fake.headOf(branch) ?? '',
    historyOf: (branch: string): readonly string[] => fake.historyOf(branch),
    filesOf: (branch: string): Readonly<Record<string, string>> => Object.fromEntries(fake.filesAt(branch)),
  };
}

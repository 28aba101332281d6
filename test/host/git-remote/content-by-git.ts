import { onTestFinished } from 'vitest';
import type { ForgeContent, Repository } from '../../../src/host/forge/forge.ts';
import { nameOf } from '../../../src/host/forge/forge.ts';
import { gitContent } from '../../../src/host/git-remote/git-content.ts';
import type { RemoteRepository } from '../../../src/host/git-remote/temporary-repository.ts';
import { type GitServer, type GitServerOptions, serveGit } from '../fake-git/serve-git.ts';
import type { FakeGitHub } from '../fake-github/fake-github.ts';

export const TOKEN = 'fake-token-for-git';

type Hooks = Partial<Pick<GitServerOptions, 'refuse' | 'before' | 'env'>>;

/** The repositories of a fake forge over git. */
export async function gitServerOf(fake: FakeGitHub, hooks: Hooks = {}): Promise<GitServer> {
  const server = await serveGit({
    root: fake.folder,
    refuse: ({ password }) => (password === TOKEN ? null : 401),
    pushed: fake.settle,
    ...hooks,
  });
  onTestFinished(() => server.close());
  return server;
}

const ENV = { PATH: process.env['PATH'] };

export const FLEET: Repository = { owner: 'acme', name: 'fleet' };

/** The half of a forge about content, by git, on the repositories of a fake. */
export function contentByGit(
  { clock }: Pick<FakeGitHub, 'clock'>,
  { url }: Pick<GitServer, 'url'>,
  { repository = FLEET, ...more }: Partial<RemoteRepository> & { readonly repository?: Repository } = {},
): ForgeContent {
  const content = gitContent(
    {
      url: `${url}/${nameOf(repository)}.git`,
      name: nameOf(repository),
      forge: 'the server',
      user: 'weft',
      token: TOKEN,
      author: async () => ({ name: 'Weft Bot', email: 'weft@example.com' }),
      proxies: {},
      hints: {},
      clock,
      notify: () => {},
      ...more,
    },
    ENV,
  );
  onTestFinished(() => content.close());
  return content;
}

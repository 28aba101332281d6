import { onTestFinished } from 'vitest';
import type { Forge, Repository } from '../../../src/host/forge/forge.ts';
import { openGitLab } from '../../../src/host/gitlab/open-gitlab.ts';
import { type FakeGitLab, fakeGitLab } from '../fake-gitlab/fake-gitlab.ts';
import { watched } from '../github/forge-on-github.ts';

const FLEET: Repository = { owner: 'acme', name: 'fleet' };

/** The forge that weft makes, on the fake GitLab, with a token of the project. */
export function gitLabForge(
  { bot, clock, fetch, apiUrl }: FakeGitLab,
  { repository = FLEET, token = bot.token }: { readonly repository?: Repository; readonly token?: string } = {},
): Promise<Forge> {
  const connection = { token, apiUrl, version: '0.0.0', clock, fetch, notify: () => {} };
  return openGitLab({ ...connection, repository }, { proxies: {}, env: { PATH: process.env['PATH'] } });
}

/** A forge on the fake GitLab for tests of what uses one: it remembers its calls, and others may come between two of them. */
export async function forgeOnGitLab(files: Readonly<Record<string, string>>) {
  const isEmpty = Object.keys(files).length === 0;
  const fake = await fakeGitLab({
    repositories: [{ owner: 'acme', name: 'fleet', files: isEmpty ? { 'README.md': 'a fleet\n' } : files }],
  });
  const forge = await gitLabForge(fake);
  onTestFinished(async () => {
    await forge.close();
    await fake.close();
  });
  const calls: string[] = [];
  const between = new Map<string, () => unknown>();
  return {
    fake,
    forge: watched(forge, calls, between),
    calls,
    between,
    pushForeign: (branch: string, edits: Readonly<Record<string, string | null>>) => fake.commit(branch, edits),
    pushComment: (pull: number, author: 'weft' | 'stranger', body: string) =>
      fake.comment(pull, author === 'weft' ? fake.bot : fake.user, body),
    openPull: (number: number) => fake.openPull({ number, branch: 'edit', author: fake.user }),
    headOf: (branch: string): string => fake.headOf(branch) ?? '',
    historyOf: (branch: string): readonly string[] => fake.historyOf(branch),
    filesOf: (branch: string): Readonly<Record<string, string>> => Object.fromEntries(fake.filesAt(branch)),
  };
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { giteaContext, mergedOutputs } from '../../../../src/host/front/pull-request/actions-context.ts';
import { tokensFor, unknownServer } from '../../../../src/host/front/pull-request/forges.ts';

const [HEAD, MERGE_BASE, BASE] = ['a', 'b', 'c'].map((it) => it.repeat(40));

/** The variables that the runner of Gitea 1.26 sets for a pull request. */
function job(event: object, more: object = {}): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-event-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'event.json');
  writeFileSync(file, JSON.stringify(event));
  return {
    GITEA_ACTIONS: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: 'https://git.example.com/api/v1',
    GITHUB_SERVER_URL: 'https://git.example.com/',
    GITHUB_EVENT_NAME: 'pull_request',
    GITHUB_EVENT_PATH: file,
    GITHUB_REPOSITORY: 'acme/fleet',
    GITHUB_REF: 'refs/pull/4/head',
    GITHUB_RUN_ID: '812',
    GITHUB_RUN_NUMBER: '7',
    ...more,
  };
}

const PULL = {
  number: 4,
  pull_request: {
    number: 4,
    merge_base: MERGE_BASE,
    head: { ref: 'feature', sha: HEAD, repo: { full_name: 'acme/fleet' } },
    base: { ref: 'main', sha: BASE, repo: { full_name: 'acme/fleet' } },
  },
};

const none = async (): Promise<undefined> => undefined;

describe('a run in Gitea Actions', () => {
  it('compares a pull request with where it began, since its head is checked out and no merge', async () => {
    expect(await giteaContext('gitea', job(PULL), none)).toMatchObject({
      repository: 'acme/fleet',
      apiUrl: 'https://git.example.com/api/v1',
      serverUrl: 'https://git.example.com',
      runUrl: 'https://git.example.com/acme/fleet/actions/runs/7?by_index=1',
      baseCommit: MERGE_BASE,
      headCommit: HEAD,
      origin: { pull: { number: 4, branch: 'feature', isClosed: false }, isFromFork: false, isInMergeQueue: false },
    });
  });

  it('knows a fork', async () => {
    const pull = PULL.pull_request;
    const fork = { ...PULL, pull_request: { ...pull, head: { ...pull.head, repo: { full_name: 'eve/fleet' } } } };
    expect((await giteaContext('gitea', job(fork), none)).origin.isFromFork).toBe(true);
  });

  it('compares a push with the commit before it', async () => {
    const env = job({ before: BASE, after: HEAD, ref: 'refs/heads/main' }, { GITHUB_REF: 'refs/heads/main' });
    expect(await giteaContext('gitea', env, none)).toMatchObject({
      baseCommit: BASE,
      origin: { pushedBranch: 'main' },
    });
  });
});

describe('the address of the server outside of its CI', () => {
  const addressOf = async (env: object, url?: string): Promise<string | undefined> =>
    (await giteaContext('forgejo', { ...env }, async () => url)).apiUrl;

  it.each([
    [
      'a variable',
      { FORGEJO_SERVER_URL: 'https://git.example.com/' },
      'git@other.example:a/b',
      'https://git.example.com',
    ],
    ['that of Gitea', { GITEA_SERVER_URL: 'http://localhost:3000' }, undefined, 'http://localhost:3000'],
    ['the clone', {}, 'git@codeberg.org:acme/fleet.git', 'https://codeberg.org'],
    ['a clone from a server in a folder', {}, 'https://example.com/git/acme/fleet', 'https://example.com/git'],
  ])('comes from %s', async (_, env, url, server) => {
    expect(await addressOf(env, url)).toBe(`${server}/api/v1`);
  });

  it('is unknown without any, and needed only by what connects', async () => {
    expect(await addressOf({})).toBeUndefined();
  });

  it.each(['git@github.com:acme/fleet.git', 'https://gitlab.example.com/acme/fleet'])(
    'is not that of a clone from another forge, which would get the token: %s',
    async (url) => {
      expect(await addressOf({}, url)).toBeUndefined();
    },
  );

  it('is asked for in the name of the forge', () => {
    expect(() => unknownServer('forgejo')).toThrow('the address of Forgejo is not known');
    expect(() => unknownServer('gitea')).toThrow(
      expect.objectContaining({ hint: 'set GITEA_SERVER_URL to it, with https://' }),
    );
  });

  it('is refused when it is none', async () => {
    await expect(addressOf({ GITEA_SERVER_URL: 'git.example.com' })).rejects.toMatchObject({
      message: '"git.example.com" is not the address of a server',
    });
  });

  it('is not that of a run on GitHub, whose names mean another repository', async () => {
    const github = { GITHUB_ACTIONS: 'true', GITHUB_API_URL: 'https://api.github.com', GITHUB_REPOSITORY: 'a/b' };
    const context = await giteaContext('gitea', { ...github, GITEA_SERVER_URL: 'https://git.example.com' }, none);
    expect(context).toMatchObject({ repository: undefined, apiUrl: 'https://git.example.com/api/v1' });
  });
});

describe('the token', () => {
  const env = { GITHUB_TOKEN: 'of-the-job', GITEA_TOKEN: 'of-gitea', FORGEJO_TOKEN: 'of-forgejo', GH_TOKEN: 'of-gh' };

  it('of GitHub goes to no other server', () => {
    expect(tokensFor('github', env)).toEqual(['of-the-job', 'of-gh']);
    expect(tokensFor('gitea', env)).toEqual(['of-gitea']);
    expect(tokensFor('forgejo', env)).toEqual(['of-forgejo', 'of-gitea']);
  });

  it('of a job of Gitea has the name of the one of GitHub, and does not go to GitHub', () => {
    const job = { ...env, GITEA_ACTIONS: 'true', GITHUB_ACTIONS: 'true' };
    expect(tokensFor('gitea', job)).toEqual(['of-gitea', 'of-the-job']);
    expect(tokensFor('github', job)).toEqual(['of-gh']);
  });

  it('that is meant for weft is used first', () => {
    expect(tokensFor('gitea', { ...env, WEFT_TOKEN: 'of-weft' })[0]).toBe('of-weft');
  });
});

it('merges the outputs of several fleets: one that is true, sums, and a line for each', () => {
  const fleets = [
    { changed: 'false', disruptive: 'true', add: '2', 'plan-id': 'a' },
    { changed: 'false', disruptive: 'false', add: '3', 'plan-id': 'b', branch: 'weft/b' },
  ];
  expect(mergedOutputs(fleets)).toEqual({
    ...{ changed: 'false', disruptive: 'true', add: '5', 'plan-id': 'a\nb', branch: '\nweft/b' },
  });
  expect(mergedOutputs([])).toEqual({});
});

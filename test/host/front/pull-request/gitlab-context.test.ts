import { describe, expect, it } from 'vitest';
import { gitlabContext } from '../../../../src/host/front/pull-request/forges.ts';

const [A, B, C, D] = ['a', 'b', 'c', 'd'].map((it) => it.repeat(40)) as [string, string, string, string];

const CI = {
  ...{ GITLAB_CI: 'true', CI_SERVER_URL: 'https://git.example.com/', CI_API_V4_URL: 'https://git.example.com/api/v4' },
  ...{ CI_PROJECT_PATH: 'acme/net/fleet', CI_JOB_URL: 'https://git.example.com/acme/net/fleet/-/jobs/7' },
  ...{ CI_COMMIT_SHA: A, CI_COMMIT_BEFORE_SHA: '0'.repeat(40) },
};

const MERGE_REQUEST = {
  ...CI,
  ...{ CI_MERGE_REQUEST_IID: '12', CI_MERGE_REQUEST_PROJECT_PATH: 'acme/net/fleet' },
  ...{ CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: 'acme/net/fleet', CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'edit' },
  ...{ CI_MERGE_REQUEST_DIFF_BASE_SHA: B, CI_MERGE_REQUEST_EVENT_TYPE: 'detached' },
};

const contextOf = (env: Readonly<Record<string, string>>, origin?: string) => gitlabContext(env, async () => origin);

describe('the job of GitLab CI', () => {
  it('of a branch is compared with the commit before the push', async () => {
    const context = await contextOf({ ...CI, CI_COMMIT_BRANCH: 'main', CI_COMMIT_BEFORE_SHA: C });
    expect(context).toMatchObject({
      ...{
        repository: 'acme/net/fleet',
        serverUrl: 'https://git.example.com',
        apiUrl: 'https://git.example.com/api/v4',
      },
      ...{ runUrl: CI.CI_JOB_URL, baseCommit: C, headCommit: undefined },
      origin: { pull: null, pushedBranch: 'main', isFromFork: false, isInMergeQueue: false },
    });
    expect((await contextOf({ ...CI, CI_COMMIT_BRANCH: 'new' })).baseCommit).toBeUndefined();
  });

  it('of a merge request is compared with where that began', async () => {
    expect(await contextOf(MERGE_REQUEST)).toMatchObject({
      ...{ baseCommit: B, headCommit: A },
      origin: { pull: { number: 12, branch: 'edit' }, pushedBranch: undefined, isFromFork: false },
    });
  });

  it('keeps files below its checkout, each with an address', async () => {
    const { artifactUrl } = await contextOf({ ...CI, CI_PROJECT_DIR: '/builds/acme/fleet' });
    const files = 'https://git.example.com/acme/net/fleet/-/jobs/7/artifacts/file';
    expect(artifactUrl?.('/builds/acme/fleet/review of ada/a.html')).toBe(`${files}/review%20of%20ada/a.html`);
    expect(artifactUrl?.('/builds/acme/fleet/..a/b.html')).toBe(`${files}/..a/b.html`);
    expect(artifactUrl?.('/builds/acme/other/a.html')).toBeUndefined();
    expect((await contextOf(CI)).artifactUrl?.('/builds/acme/fleet/a.html')).toBeUndefined();
  });

  it('of merged results is compared with the target branch, since the checkout is the merge', async () => {
    const merged = {
      ...{ CI_MERGE_REQUEST_EVENT_TYPE: 'merged_result', CI_MERGE_REQUEST_TARGET_BRANCH_SHA: C },
      CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: D,
    };
    expect(await contextOf({ ...MERGE_REQUEST, ...merged })).toMatchObject({ baseCommit: C, headCommit: D });
    // Other pipelines have the variables, too, without a value.
    const empty = { CI_MERGE_REQUEST_TARGET_BRANCH_SHA: '', CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: '' };
    expect(await contextOf({ ...MERGE_REQUEST, ...empty })).toMatchObject({ baseCommit: B, headCommit: A });
  });

  it.each([
    ['in the fork', { CI_PROJECT_PATH: 'mallory/fleet', CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: 'mallory/fleet' }],
    ['in the project', { CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: 'mallory/fleet' }],
    ['of a fork that is gone', { CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: '' }],
  ])('of a merge request from a fork belongs to the project of that: %s', async (_, env) => {
    const { repository, origin } = await contextOf({ ...MERGE_REQUEST, ...env });
    expect([repository, origin.isFromFork]).toEqual(['acme/net/fleet', true]);
  });

  it('of a merge train belongs to no merge request alone', async () => {
    const { origin } = await contextOf({ ...MERGE_REQUEST, CI_MERGE_REQUEST_EVENT_TYPE: 'merge_train' });
    expect(origin).toMatchObject({ pull: null, isInMergeQueue: true });
  });
});

describe('elsewhere', () => {
  it.each([
    [
      'GITLAB_SERVER_URL',
      { GITLAB_SERVER_URL: 'https://git.example.com/gitlab/' },
      undefined,
      'https://git.example.com/gitlab',
    ],
    ['the clone', {}, 'git@git.example.com:acme/net/fleet.git', 'https://git.example.com'],
  ])('%s names the server', async (_, env, origin, server) => {
    expect(await contextOf(env, origin)).toMatchObject({ serverUrl: server, apiUrl: `${server}/api/v4` });
  });

  it('a clone of another forge does not: the token would go there', async () => {
    expect((await contextOf({ GITHUB_ACTIONS: 'true' }, 'https://github.com/acme/fleet.git')).apiUrl).toBeUndefined();
    expect((await contextOf({}, undefined)).apiUrl).toBeUndefined();
  });

  it('an address that is none is refused', async () => {
    await expect(contextOf({ GITLAB_SERVER_URL: 'git.example.com' })).rejects.toThrow('is not the address of a server');
  });

  it('the variables of a job of GitHub are those of another project', async () => {
    const github = { GITHUB_ACTIONS: 'true', CI_PROJECT_PATH: 'x/y', GITLAB_SERVER_URL: 'https://git.example.com' };
    expect((await contextOf(github)).repository).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import type { ForgeError } from '../../../src/host/forge/forge.ts';
import { connectOctokit, octokitForge } from '../../../src/host/github/open-github.ts';

type Step = Response | 'dropped' | 'cut' | 'no proxy';

const NO_PROXY = 'the proxy answered 407 instead of opening a connection';

const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  });
const refused = (status: number, message: string, headers = {}): Response => json(status, { message }, headers);
const ref = (sha: string): Response => json(200, { ref: 'refs/heads/main', object: { sha, type: 'commit' } });

/** A forge whose connection gives these answers, one after the other, and a clock that only counts. */
function scripted(...script: Step[]) {
  const requests: string[] = [];
  const slept: number[] = [];
  let now = 1_800_000_000_000;
  const clock = {
    now: () => now,
    sleep: async (milliseconds: number) => {
      slept.push(milliseconds);
      now += milliseconds;
    },
    every: () => () => {},
  };
  const fetch = async (url: unknown, { method = 'GET' }: { readonly method?: string } = {}): Promise<Response> => {
    requests.push(`${method} ${String(url).replace('https://api.github.com/repos/acme/fleet/', '')}`);
    const step = script.shift();
    if (step === undefined) throw new Error('the script is over');
    if (step === 'dropped') throw new TypeError('fetch failed', { cause: new Error('socket hang up') });
    if (step === 'no proxy') throw new TypeError('fetch failed', { cause: new Error(NO_PROXY) });
    if (step !== 'cut') return step;
    const half = new ReadableStream({ pull: (it) => it.error(new Error('terminated')) });
    return new Response(half, { status: 200, headers: { 'content-type': 'application/json' } });
  };
  const notices: string[] = [];
  const notify = (line: string) => void notices.push(line);
  const octokit = connectOctokit({
    notify,
    token: 'ghs_secret',
    apiUrl: 'https://api.github.com/',
    version: '9.9.9',
    clock,
    fetch: fetch as typeof globalThis.fetch,
  });
  const repository = { owner: 'acme', name: 'fleet' };
  return {
    forge: octokitForge({ octokit, repository, clock, notify }, { defaultBranch: 'main' }),
    notices,
    requests,
    slept,
    left: script,
  };
}

const failureOf = (run: Promise<unknown>): Promise<ForgeError> =>
  run.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: ForgeError) => error,
  );

describe('waiting', () => {
  it.each([
    ['a retry-after', refused(403, 'You have exceeded a secondary rate limit', { 'retry-after': '17' }), [17_000]],
    ['429', refused(429, 'slow down', { 'retry-after': '3' }), [3000]],
    [
      'a reset time',
      refused(403, 'API rate limit exceeded', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1800000042' }),
      [43_000],
    ],
    ['no word at all', refused(403, 'You have exceeded a secondary rate limit'), [60_000]],
    ['a server in trouble', refused(502, 'Bad Gateway'), [1000]],
    ['a dropped connection', 'dropped', [1000]],
    ['half an answer', 'cut', [1000]],
  ] as const)('goes on after %s', async (_, step, slept) => {
    const it = scripted(step, ref('aaa'));
    expect(await it.forge.headOf('main')).toBe('aaa');
    expect(it.slept).toEqual(slept);
  });

  it('grows, and ends', async () => {
    const limit = () => refused(403, 'You have exceeded a secondary rate limit');
    const it = scripted(limit(), limit(), limit(), limit(), limit(), limit());
    const failed = await failureOf(it.forge.headOf('main'));
    expect(it.slept).toEqual([60_000, 120_000, 240_000, 480_000]);
    expect(it.notices[0]).toBe('GitHub limits the requests of this token; the next attempt is in 60 seconds');
    expect(failed).toMatchObject({ failure: 'limited', status: 403 });
    expect(failed.hint).toMatch(/^run it again after the limit, in \d+ seconds$/);
  });

  it('does not sleep for an hour', async () => {
    const it = scripted(
      refused(403, 'API rate limit exceeded', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1800003600' }),
    );
    expect(await failureOf(it.forge.headOf('main'))).toMatchObject({
      failure: 'limited',
      hint: expect.stringContaining('3601 seconds'),
    });
    expect(it.slept).toEqual([]);
  });

  it('gives a server that stays away up', async () => {
    const it = scripted(...Array.from({ length: 6 }, () => refused(503, 'Service Unavailable')));
    expect(await failureOf(it.forge.headOf('main'))).toMatchObject({ failure: 'unreachable' });
    expect(it.slept).toEqual([1000, 2000, 4000, 8000, 16_000]);
    expect(it.notices).toEqual([
      'GitHub answered 503; the next attempt is in 8 seconds',
      'GitHub answered 503; the next attempt is in 16 seconds',
    ]);
  });

  it('is not for what will not get better', async () => {
    for (const status of [400, 401, 403, 410, 422, 451]) {
      const it = scripted(refused(status, 'no'));
      await failureOf(it.forge.headOf('main'));
      expect(it.requests).toHaveLength(1);
    }
  });

  it('stands between two writes, which go one after the other', async () => {
    const it = scripted(json(201, { sha: 'a' }), json(201, { sha: 'b' }), json(201, { sha: 'c' }));
    expect(await Promise.all(['1', '2', '3'].map((text) => it.forge.writeBlob(text)))).toEqual(['a', 'b', 'c']);
    expect(it.slept).toEqual([1000, 1000]);
  });
});

describe('what must not be made twice', () => {
  const made = json(201, { number: 3, html_url: 'u', title: 't', body: 'b', base: { ref: 'main' }, user: null });
  const listed = [
    {
      number: 3,
      html_url: 'u',
      title: 't',
      body: 'b',
      base: { ref: 'main' },
      user: null,
      head: { ref: 'weft/x', repo: { full_name: 'acme/fleet' } },
    },
  ];
  const pull = { branch: 'weft/x', base: 'main', title: 't', body: 'b', isDraft: false };

  it.each(['dropped', 'cut', refused(502, 'Bad Gateway')] as const)(
    'is looked for after %s, and found',
    async (step) => {
      const it = scripted(step, json(200, listed));
      expect(await it.forge.createPull(pull)).toMatchObject({ number: 3 });
      expect(it.requests.filter((request) => request.startsWith('POST'))).toHaveLength(1);
    },
  );

  it('is made again when it is not there', async () => {
    const it = scripted('dropped', json(200, []), made);
    expect(await it.forge.createPull(pull)).toMatchObject({ number: 3 });
  });

  it('is a branch, too', async () => {
    const it = scripted('dropped', ref('new'));
    expect(await it.forge.createBranch('weft/x', 'new')).toBe('created');
    const other = scripted('dropped', ref('other'));
    expect(await other.forge.createBranch('weft/x', 'new')).toBe('exists');
    const absent = scripted('dropped', refused(404, 'Not Found'), json(201, {}));
    expect(await absent.forge.createBranch('weft/x', 'new')).toBe('created');
  });

  it('is a comment, too', async () => {
    const comment = { id: 5, html_url: 'u', body: 'mine', user: { login: 'me', type: 'User' } };
    const it = scripted('dropped', json(200, [comment]));
    expect(await it.forge.createComment(1, 'mine', ({ body }) => body === 'mine')).toMatchObject({ id: 5 });
  });

  it('is found although the filter for the head misses it', async () => {
    const exists = json(422, {
      message: 'Validation Failed',
      errors: [{ resource: 'PullRequest', code: 'custom', message: 'A pull request already exists for acme:weft/x.' }],
    });
    const it = scripted(exists, json(200, []), json(200, listed));
    expect(await it.forge.createPull(pull)).toMatchObject({ number: 3 });
    expect(it.requests.at(-1)).not.toContain('head=');
  });
});

describe('what GitHub refuses', () => {
  it.each([
    [401, 'Bad credentials', 'not-signed-in', /WEFT_TOKEN/],
    [403, 'Resource not accessible by integration', 'not-permitted', /`pull-requests: write`.*forks/],
    [403, 'Resource not accessible by personal access token', 'not-permitted', /"Contents: write"/],
    [403, 'GitHub Actions is not permitted to create or approve pull requests.', 'pulls-not-permitted', /settings/],
    [403, 'Protected branch update failed for refs/heads/weft/x.', 'protected', /--branch/],
    [422, 'Repository rule violations found', 'protected', /rule of the repository/],
    [409, 'Git Repository is empty.', 'empty', /first commit/],
    [
      422,
      "Sorry, your request timed out. It's likely that your input was too large to process.",
      'too-large',
      /too large/,
    ],
    [422, 'Something new', 'refused', /^check the permissions of the token, and the rules of the repository$/],
  ] as const)('%i %s: %s', async (status, message, failure, hint) => {
    const it = scripted(refused(status, message));
    const failed = await failureOf(it.forge.writeBlob('a'));
    expect(failed).toMatchObject({ failure, status });
    expect(failed.message).toContain(`cannot send a file to acme/fleet: ${message}`);
    expect(failed.hint).toMatch(hint);
    expect(JSON.stringify(failed) + failed.message + failed.hint).not.toContain('ghs_secret');
  });

  it('as missing is not called missing: the token may have no access', async () => {
    const reading = await failureOf(scripted(refused(404, 'Not Found')).forge.readCommit('abc'));
    expect(reading).toMatchObject({ failure: 'not-found', hint: expect.stringContaining('give the token access') });
    expect(reading.message).toBe(
      'cannot read the commit abc of acme/fleet: it does not exist, or the token may not see it (404)',
    );
    const writing = await failureOf(scripted(refused(404, 'Not Found')).forge.writeBlob('a'));
    expect(writing).toMatchObject({ failure: 'not-permitted', hint: expect.stringContaining('"Contents: write"') });
    expect(writing.message).toContain('the token may not change it (404)');
  });

  it('by silence may be a proxy that is missing', async () => {
    const failed = await failureOf(
      scripted(...Array.from({ length: 6 }, () => 'dropped' as const)).forge.headOf('main'),
    );
    expect(failed).toMatchObject({ failure: 'unreachable', hint: expect.stringContaining('set HTTPS_PROXY') });
  });
});

it('is not sent again to a proxy that refuses it, whose answer is named', async () => {
  const it = scripted('no proxy');
  const failure = await failureOf(it.forge.headOf('main'));
  expect(failure.message).toContain(NO_PROXY);
  expect(failure.hint).toMatch(/write a user and a password into HTTPS_PROXY/);
  expect([it.requests.length, it.slept]).toEqual([1, []]);
});

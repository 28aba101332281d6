import type { Octokit } from '@octokit/rest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientOf, refusalOf } from './clients.ts';
import { expectNoViolations } from './expect-no-violations.ts';
import { type FakeGitHub, fakeGitHub } from './fake-github.ts';
import { calling } from './injections.ts';
import { notPermitted, primaryLimit, secondaryLimit, serverError } from './refusal.ts';

const fleet = { owner: 'acme', repo: 'fleet' };
const nowhere = '0123456789012345678901234567890123456789';

let github: FakeGitHub;
let bot: Octokit;
let user: Octokit;
let main: string;
let tree: string;

beforeEach(async () => {
  github = fakeGitHub();
  bot = clientOf(github, github.bot);
  user = clientOf(github, github.user);
  main = github.headOf('main') ?? '';
  tree = (await bot.git.getCommit({ ...fleet, commit_sha: main })).data.tree.sha;
});

afterEach(() => github.close());

const commitOn = async (parents: readonly string[], message = 'empty'): Promise<string> =>
  (await bot.git.createCommit({ ...fleet, message, tree, parents: [...parents] })).data.sha;

describe('rate limits', () => {
  const headersOf = async () => (await bot.repos.get(fleet)).headers;

  it('count down, refuse at nothing, and begin again with the hour', async () => {
    const before = await headersOf();
    expect(before['x-ratelimit-limit']).toBe('1000');
    expect(Number((await headersOf())['x-ratelimit-remaining'])).toBe(Number(before['x-ratelimit-remaining']) - 1);
    github.leaveRequests(github.bot, 1);
    await headersOf();
    const error = await headersOf().catch((it) => it);
    expect(error).toMatchObject({ status: 403, response: { headers: { 'x-ratelimit-remaining': '0' } } });
    const seconds = Number(error.response.headers['x-ratelimit-reset']);
    await github.clock.sleep(seconds * 1000 - github.clock.now());
    expect((await headersOf())['x-ratelimit-remaining']).toBe('999');
    expect(github.clock.slept[0]).toBeGreaterThan(3_000_000);
    expectNoViolations(github);
  });

  it('take note of who asks again too early', async () => {
    github.inject({ when: calling('repos/get'), effect: 'before', answer: secondaryLimit(7, 429) });
    const error = await headersOf().catch((it) => it);
    expect(error).toMatchObject({ status: 429, response: { headers: { 'retry-after': '7' } } });
    await github.clock.sleep(6000);
    expect(await refusalOf(headersOf())).toMatchObject([429, expect.stringContaining('secondary rate limit')]);
    expect(github.violations.splice(0)).toEqual([expect.stringContaining('comes 1 s before the limit is over')]);
    await github.clock.sleep(7000);
    expect((await headersOf())['x-ratelimit-limit']).toBe('1000');
    expectNoViolations(github);
  });

  it.each([
    ['a primary limit', () => primaryLimit(Math.ceil(github.clock.now() / 1000) + 30), 31_000],
    ['a secondary limit without a time', () => secondaryLimit(null), 60_000],
  ])('are over after %s', async (_, answer, milliseconds) => {
    github.inject({ when: calling('repos/get'), effect: 'before', answer: answer() });
    expect(await refusalOf(headersOf())).toMatchObject([403, expect.stringContaining('rate limit')]);
    await github.clock.sleep(milliseconds);
    await headersOf();
    expectNoViolations(github);
  });

  it('refuse too many writes within a minute, when the test wants it', async () => {
    github.settings.writesPerMinute = 3;
    const blob = () => bot.git.createBlob({ ...fleet, content: 'x' });
    for (let n = 0; n < 3; n++) await blob();
    expect(await refusalOf(blob())).toMatchObject([403, expect.stringContaining('secondary rate limit')]);
    await github.clock.sleep(60_000);
    await blob();
    expectNoViolations(github);
  });
});

describe('what a test makes go wrong', () => {
  const branch = { ...fleet, ref: 'refs/heads/new' };

  it.each([
    ['before', 'dropped', null],
    ['after', 'dropped', 'there'],
    ['before', 'half', null],
    ['after', 'half', 'there'],
    ['before', 'silence', null],
    ['after', 'silence', 'there'],
    ['before', serverError(502), null],
    ['after', serverError(503), 'there'],
    ['before', notPermitted(), null],
  ] as const)('%s the effect: %s', async (effect, answer, there) => {
    github.inject({ when: calling('git/create-ref'), effect, answer });
    const create = bot.git.createRef({ ...branch, sha: main });
    if (answer === 'half')
      expect(JSON.stringify(await create.then((it) => it.data).catch(() => ''))).not.toContain(main);
    else expect((await refusalOf(create))[0]).toBeGreaterThanOrEqual(403);
    expect(github.headOf('new')).toBe(there === null ? null : main);
    expect(github.log.at(-1)).toMatchObject({
      operation: 'git/create-ref',
      status: typeof answer === 'string' ? answer : answer.status,
      done: there === null ? null : 201,
      login: 'github-actions[bot]',
    });
    const again = bot.git.createRef({ ...branch, sha: main });
    if (there === null) expect((await again).status).toBe(201);
    else expect(await refusalOf(again)).toEqual([422, 'Reference already exists']);
    expectNoViolations(github);
  });

  it('as often as it says, from the request on that it says, and tells when nothing met it', async () => {
    github.inject({
      when: ({ method }) => method === 'GET',
      skip: 1,
      times: 2,
      effect: 'before',
      answer: serverError(500),
    });
    const get = () =>
      bot.repos.get(fleet).then(
        (it) => it.status,
        (it) => it.status,
      );
    expect([await get(), await get(), await get()]).toEqual([200, 500, 500]);
    expectNoViolations(github);
    github.inject({ when: calling('git/delete-ref'), effect: 'before', answer: 'dropped' });
    expect(() => expectNoViolations(github)).toThrow('no request met');
  });

  it('what somebody else pushes between two requests', async () => {
    await bot.git.createRef({ ...fleet, ref: 'refs/heads/weft', sha: await commitOn([main], 'weft') });
    await bot.pulls.create({ ...fleet, base: 'main', head: 'weft', title: 'Manifests' });
    const mine = await commitOn([github.headOf('weft') ?? ''], 'mine');
    github.meanwhile({
      when: calling('git/update-ref'),
      run: async () => {
        await github.commit('weft', { 'foreign.txt': 'x\n' }, { author: 'Eve' });
      },
    });
    const update = () => bot.git.updateRef({ ...fleet, ref: 'heads/weft', sha: mine });
    expect(await refusalOf(update())).toEqual([422, 'Update is not a fast forward']);
    expect(await refusalOf(update())).toEqual([422, 'Update is not a fast forward']);
    expect(github.messagesOf('weft')).toEqual(['Eve was here', 'weft', 'first']);
    expect(github.pulls[0]?.headSha).toBe(github.headOf('weft'));
    expectNoViolations(github);
  });

  it('what another client asks for between two requests', async () => {
    github.meanwhile({
      when: calling('git/create-ref'),
      run: async () => {
        await user.git.createRef({ ...branch, sha: main });
      },
    });
    expect(await refusalOf(bot.git.createRef({ ...branch, sha: main }))).toEqual([422, 'Reference already exists']);
    expect(github.log.slice(-2).map((it) => [it.login, it.status])).toEqual([
      ['ada', 201],
      ['github-actions[bot]', 422],
    ]);
    expectNoViolations(github);
  });

  it('many requests at once, of which each sees what the one before left', async () => {
    const ahead = await Promise.all(Array.from({ length: 5 }, (_, n) => commitOn([main], `${n}`)));
    const moves = ahead.map((sha) =>
      bot.git.updateRef({ ...fleet, ref: 'heads/main', sha }).then(
        () => 'moved',
        () => 'refused',
      ),
    );
    expect(await Promise.all(moves)).toEqual(['moved', 'refused', 'refused', 'refused', 'refused']);
    expect(github.headOf('main')).toBe(ahead[0]);
    const times = github.log.map((it) => it.at);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expectNoViolations(github);
  });
});

describe('a client that does not keep to the description', () => {
  const entry = { path: 'x', mode: '100644', type: 'blob', content: 'x' };

  it.each([
    [
      'a mode that git has and GitHub has not',
      'POST /repos/{owner}/{repo}/git/trees',
      { tree: [{ ...entry, mode: '100600' }] },
      '/tree/0/mode',
      422,
    ],
    ['a misspelt name', 'POST /repos/{owner}/{repo}/git/trees', { tree: [entry], basetree: nowhere }, 'basetree', 201],
    [
      'a title that is a number',
      'POST /repos/{owner}/{repo}/pulls',
      { title: 7, head: 'x', base: 'main' },
      '/title',
      422,
    ],
    [
      'an id of three digits',
      'POST /repos/{owner}/{repo}/git/refs',
      { ref: 'refs/heads/x', sha: '012' },
      'no id of 40',
      422,
    ],
    ['an id in the path that is none', 'GET /repos/{owner}/{repo}/git/commits/main', {}, 'commit_sha "main"', 404],
    ['a name that nobody knows', 'POST /repos/{owner}/{repo}/git/blobs', { content: 'x', sha1: 'x' }, 'sha1', 201],
    [
      'a name that nobody knows, deep inside',
      'POST /repos/{owner}/{repo}/git/trees',
      { tree: [{ ...entry, size: 1 }] },
      'size',
      201,
    ],
    [
      'nothing where something is required',
      'POST /repos/{owner}/{repo}/git/refs',
      { sha: nowhere },
      "required property 'ref'",
      422,
    ],
    ['a question that nobody knows', 'GET /repos/{owner}/{repo}/pulls', { head_ref: 'x' }, 'head_ref', 200],
    ['a state that nobody knows', 'GET /repos/{owner}/{repo}/pulls', { state: 'merged' }, '/state', 200],
    ['a page of a thousand', 'GET /repos/{owner}/{repo}/pulls', { per_page: 1000 }, '1 to 100', 200],
    ['a number that is none', 'GET /repos/{owner}/{repo}/pulls/one', {}, 'pull_number', 404],
    ['a call that weft does not make', 'GET /repos/{owner}/{repo}/branches', {}, 'no such call', 404],
    ['a method that weft does not use', 'PUT /repos/{owner}/{repo}/git/refs', {}, 'no such call', 404],
  ] as const)('%s', async (_, route, parameters, words, status) => {
    const answer = bot.request(route, { ...fleet, ...parameters });
    expect(
      await answer.then(
        (it) => it.status,
        (it) => it.status,
      ),
    ).toBe(status);
    expect(github.violations).toEqual([expect.stringContaining(words)]);
  });

  it('its token outside the header, and another server', async () => {
    await bot.git.createBlob({ ...fleet, content: `secret: ${github.bot.token}` });
    await bot.request('GET /repos/{owner}/{repo}', { ...fleet, baseUrl: 'https://example.com' });
    expect(github.violations).toEqual([
      'POST /repos/acme/fleet/git/blobs: the token stands outside its header',
      'GET /repos/acme/fleet: it goes to https://example.com',
    ]);
  });

  it('an answer that GitHub would not give, which is a mistake of the fake or of the test', async () => {
    github.inject({ when: calling('repos/get'), effect: 'before', answer: { status: 200, body: { id: 'seven' } } });
    github.inject({ when: calling('repos/get'), effect: 'before', answer: { status: 418, body: {} } });
    await bot.repos.get(fleet);
    await refusalOf(bot.repos.get(fleet));
    expect(github.violations).toContainEqual('GET /repos/acme/fleet: answer: /id must be integer');
    expect(github.violations.at(-1)).toContain('no status 418');
  });
});

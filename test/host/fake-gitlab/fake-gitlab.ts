import type { GitFault, GitRequest, GitServer } from '../fake-git/serve-git.ts';
import { serveGit } from '../fake-git/serve-git.ts';
import { accessOf } from '../fake-github/access.ts';
import { addComment } from '../fake-github/comments.ts';
import { dateOf } from '../fake-github/commit-object.ts';
import { type FakeGitHub, type FakeGitHubOptions, fakeGitHub } from '../fake-github/fake-github.ts';
import { noDetails } from '../fake-github/pull-rules.ts';
import {
  type Account,
  type Comment,
  findRepository,
  fullName,
  type Pull,
  type Repository,
} from '../fake-github/world.ts';
import { CONTRACT, type Described, fieldFaults } from './contract.ts';

export interface GitLabExchange {
  readonly id: string | null;
  readonly method: string;
  readonly path: string;
  readonly body: Json;
  readonly status: number | 'dropped';
}

type Json = Readonly<Record<string, unknown>>;

/** The replacement of GitLab's answer. */
export interface GitLabFault {
  /** The name of the call in the contract. */
  readonly of: string;
  readonly times?: number;
  /** True if GitLab executed the request before. */
  readonly effect: 'before' | 'after';
  readonly answer: Reply | 'dropped';
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** GitLab, with a real git repository underneath, its API as a `fetch`, and the real git over HTTP. */
export interface FakeGitLab
  extends Omit<FakeGitHub, 'fetch' | 'log' | 'count' | 'inject' | 'meanwhile' | 'unmet' | 'close'> {
  readonly fetch: typeof fetch;
  /** The address for git. */
  readonly git: GitServer;
  readonly apiUrl: string;
  readonly log: readonly GitLabExchange[];
  readonly count: (...ids: readonly string[]) => number;
  readonly inject: (fault: GitLabFault) => void;
  /** Called before git works on a request. */
  readonly onGit: (hook: (request: GitRequest) => Promise<GitFault | null>) => void;
  /** Lines that GitLab took for quick actions. */
  readonly quickActions: readonly string[];
  /** In some plans a merge request has one assignee and one reviewer. */
  readonly allowOnePersonOnly: () => void;
  readonly unmet: () => number;
  readonly close: () => Promise<void>;
}

/** Tokens of a project belong to a user of this name. Source: docs.gitlab.com, "Project access tokens". */
export const BOT = 'project_7_bot_0123456789abcdef';

export async function fakeGitLab(options: FakeGitHubOptions = {}): Promise<FakeGitLab> {
  const base = fakeGitHub(options);
  const { world } = base;
  const bot = base.signUp({ login: BOT, kind: 'bot', grants: { '*': { contents: 'write', pulls: 'write' } } });
  const log: GitLabExchange[] = [];
  const faults: { fault: GitLabFault; left: number }[] = [];
  const quickActions: string[] = [];
  let onGit: (request: GitRequest) => Promise<GitFault | null> = async () => null;
  let isOnePersonOnly = false;

  const git = await serveGit({
    root: base.folder,
    refuse: ({ password, repository, service }) => {
      const account = world.accounts.find((it) => it.token === password);
      if (account === undefined) return 401;
      const found = findRepository(world, repository);
      if (found === undefined || accessOf(account, found, 'contents') === 'none') return 404;
      return service === 'git-receive-pack' && accessOf(account, found, 'contents') !== 'write' ? 403 : null;
    },
    before: (request) => onGit(request),
    pushed: base.settle,
  });
  const apiUrl = `${git.url}/api/v4`;
  const server = git.url;

  const print = {
    user: (it: Account): Json => ({
      ...{ id: it.id, username: it.login, name: it.kind === 'bot' ? 'weft' : it.login, state: 'active' },
      web_url: `${server}/${it.login}`,
    }),
    pull: (it: Pull, repository: Repository): Json => {
      const people = (logins: readonly string[]): readonly Json[] =>
        logins.flatMap((login) => world.accounts.filter((a) => a.login === login).map(print.user));
      return {
        ...{ id: it.id, iid: it.number, project_id: repository.id, title: it.title, description: it.body },
        state: it.mergedAt !== null ? 'merged' : it.state === 'open' ? 'opened' : 'closed',
        web_url: `${server}/${fullName(repository)}/-/merge_requests/${it.number}`,
        ...{
          sha: it.headSha || null,
          draft: /^draft: /i.test(it.title),
          source_branch: it.head.branch,
          target_branch: it.base,
        },
        // A fork that is gone has no number.
        source_project_id: world.repositories.includes(it.head.repository) ? it.head.repository.id : null,
        target_project_id: repository.id,
        ...{ author: print.user(it.author), assignees: people(it.assignees), reviewers: people(it.reviewers) },
        ...{ labels: [...it.labels], merged_at: it.mergedAt },
      };
    },
    note: (it: Comment): Json => ({
      ...{ id: it.id, body: it.body, author: print.user(it.author), system: false, noteable_iid: it.pull },
    }),
  };

  /** GitLab takes such lines out of a text, and does what they say. Code is not looked at here: no line of weft may be one. */
  const withoutActions = (text: string): string =>
    text
      .split('\n')
      .filter((line) => {
        const isAction = /^\/[a-z]/i.test(line);
        if (isAction) quickActions.push(line);
        return !isAction;
      })
      .join('\n');

  async function perform(call: Call, caller: Account): Promise<Reply> {
    const { described, path, query, body } = call;
    const id = described.id;
    if (id === 'get user')
      return ok({ ...print.user(caller), email: `${caller.login}@example.com`, commit_email: null });
    if (id === 'list users')
      return page(
        world.accounts.filter((it) => it.login.toLowerCase() === query['username']?.toLowerCase()).map(print.user),
        query,
      );
    const repository = world.repositories.find((it) =>
      [fullName(it), String(it.id)].some((name) => name.toLowerCase() === path['id']?.toLowerCase()),
    );
    if (repository === undefined) {
      const renamed = world.repositories.find((it) => it.formerNames.includes(path['id'] ?? ''));
      if (renamed !== undefined && described.method === 'GET')
        return { status: 301, body: null, headers: { location: `${apiUrl}/projects/${renamed.id}` } };
      return no(404, '404 Project Not Found');
    }
    if (accessOf(caller, repository, 'metadata') === 'none') return no(404, '404 Project Not Found');
    const isWrite = described.method !== 'GET';
    if (isWrite && accessOf(caller, repository, 'pulls') !== 'write') return no(403, '403 Forbidden');
    if (id === 'get project')
      return ok({
        ...{
          id: repository.id,
          path_with_namespace: fullName(repository),
          web_url: `${server}/${fullName(repository)}`,
        },
        ...(accessOf(caller, repository, 'contents') === 'none' ? {} : { default_branch: repository.defaultBranch }),
        empty_repo: base.at(fullName(repository)).branches().length === 0,
      });
    const now = dateOf(world.clock.now());
    if (id === 'list merge requests') {
      const isIn = (it: Pull): boolean =>
        (query['state'] === undefined ||
          query['state'] === 'all' ||
          print.pull(it, repository)['state'] === query['state']) &&
        (query['source_branch'] === undefined || it.head.branch === query['source_branch']) &&
        (query['target_branch'] === undefined || it.base === query['target_branch']);
      const found = repository.pulls.filter(isIn).sort((a, b) => a.number - b.number);
      const sorted = query['sort'] === 'asc' ? found : found.reverse();
      return page(
        sorted.map((it) => print.pull(it, repository)),
        query,
      );
    }
    if (id === 'create merge request') {
      const [source, target] = [String(body['source_branch']), String(body['target_branch'])];
      const heads = [source, target].map((it) => base.at(fullName(repository)).headOf(it));
      if (heads[0] === null || heads[1] === null) return no(422, ['Branch does not exist']);
      const twin = repository.pulls.find(
        (it) => it.state === 'open' && it.head.branch === source && it.base === target,
      );
      if (twin !== undefined)
        return no(409, [`Another open merge request already exists for this source branch: !${twin.number}`]);
      const pull: Pull = {
        ...{ number: 1 + Math.max(0, ...repository.pulls.map((it) => it.number)), id: world.nextId(), author: caller },
        ...{ head: { repository, branch: source }, headSha: heads[0] ?? '', base: target, baseSha: heads[1] ?? '' },
        ...{ title: String(body['title']), body: withoutActions(String(body['description'] ?? '')), state: 'open' },
        ...{ mergedAt: null, closedAt: null, createdAt: now, updatedAt: now },
        isDraft: /^draft: /i.test(String(body['title'])),
        ...noDetails(),
      };
      repository.pulls.push(pull);
      return { status: 201, body: print.pull(pull, repository) };
    }
    const pull = repository.pulls.find((it) => String(it.number) === path['iid']);
    if (pull === undefined) return no(404, '404 Not found');
    switch (id) {
      case 'get merge request':
        return ok(print.pull(pull, repository));
      case 'update merge request': {
        if (body['description'] !== undefined) pull.body = withoutActions(String(body['description']));
        if (body['state_event'] === 'close') Object.assign(pull, { state: 'closed', closedAt: now });
        for (const label of String(body['add_labels'] ?? '')
          .split(',')
          .filter(Boolean))
          if (!pull.labels.includes(label)) pull.labels.push(label);
        for (const kind of ['assignee', 'reviewer'] as const) {
          const ids = body[`${kind}_ids`] as readonly number[] | undefined;
          if (ids === undefined) continue;
          const members = world.accounts.filter((it) => accessOf(it, repository, 'contents') === 'write');
          const found = ids.flatMap((it) => members.find((a) => a.id === it)?.login ?? []);
          pull[`${kind}s`].splice(0, Number.POSITIVE_INFINITY, ...(isOnePersonOnly ? found.slice(0, 1) : found));
        }
        pull.updatedAt = now;
        return ok(print.pull(pull, repository));
      }
      case 'list notes': {
        const found = repository.comments.filter((it) => it.pull === pull.number).map(print.note);
        const system = {
          ...print.note({
            id: 1,
            pull: pull.number,
            author: base.user,
            body: 'added 1 commit',
            createdAt: now,
            updatedAt: now,
            minimized: false,
          }),
          system: true,
        };
        return page([system, ...found], query);
      }
      case 'create note': {
        const text = withoutActions(String(body['body']));
        return {
          status: 201,
          body: print.note(addComment(world, repository, { pull: pull.number, author: caller, body: text })),
        };
      }
      default: {
        const note = repository.comments.find((it) => String(it.id) === path['note_id'] && it.pull === pull.number);
        if (note === undefined) return no(404, '404 Note Not Found');
        if (note.author !== caller) return no(403, '403 Forbidden');
        if (id === 'delete note') {
          repository.comments.splice(repository.comments.indexOf(note), 1);
          return { status: 204, body: null };
        }
        note.body = withoutActions(String(body['body']));
        return ok(print.note(note));
      }
    }
  }

  const complain = (request: Request, found: readonly string[]): void => {
    for (const it of found) base.violations.push(`${request.method} ${request.url}: ${it}`);
  };

  async function answer(request: Request): Promise<Response> {
    const text = await request.text();
    const token = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1];
    if (token !== undefined && `${request.url}${text}`.includes(token))
      complain(request, ['the token is outside its header']);
    const call = callOf(request, apiUrl, text);
    const caller = world.accounts.find((it) => it.token === token);
    if (call === null) complain(request, ['no such call among those that weft makes']);
    else complain(request, requestFaults(call));
    const waiting = faults.find((it) => it.left > 0 && it.fault.of === call?.described.id);
    if (waiting !== undefined) waiting.left -= 1;
    const isSpared = waiting?.fault.effect === 'before';
    const done =
      call === null
        ? no(404, '404 Not Found')
        : caller === undefined
          ? no(401, '401 Unauthorized')
          : isSpared
            ? null
            : await perform(call, caller);
    if (done !== null && call !== null) complain(request, answerFaults(call.described, done));
    const given = waiting?.fault.answer ?? done ?? no(500, '500 Internal Server Error');
    world.clock.advance(100);
    log.push({
      ...{
        id: call?.described.id ?? null,
        method: request.method,
        path: decodeURIComponent(new URL(request.url).pathname),
      },
      ...{ body: call?.body ?? {}, status: given === 'dropped' ? given : given.status },
    });
    if (given === 'dropped') throw new TypeError('fetch failed', { cause: new Error('socket hang up') });
    return new Response(given.body === null ? null : JSON.stringify(given.body), {
      status: given.status,
      headers: { 'content-type': 'application/json', ...given.headers },
    });
  }

  let last: Promise<unknown> = Promise.resolve();
  return {
    ...base,
    bot,
    git,
    apiUrl,
    log,
    quickActions,
    fetch: (input, init) => {
      const mine = last.then(async () => {
        const request = new Request(input, init);
        const first = await answer(request);
        const to = first.status === 301 ? first.headers.get('location') : null;
        if (to === null) return first;
        // Follows a redirect like `fetch`.
        return answer(new Request(to, { headers: request.headers }));
      });
      last = mine.catch(() => undefined);
      return mine;
    },
    count: (...ids) => log.filter((it) => it.id !== null && ids.includes(it.id)).length,
    inject: (fault) => faults.push({ fault, left: fault.times ?? 1 }),
    onGit: (hook) => {
      onGit = hook;
    },
    allowOnePersonOnly: () => {
      isOnePersonOnly = true;
    },
    unmet: () => faults.filter((it) => it.left > 0).length,
    close: async () => {
      await git.close();
      base.close();
    },
  };
}

interface Call {
  readonly described: Described;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Json;
  readonly hasBody: boolean;
}

function callOf(request: Request, apiUrl: string, text: string): Call | null {
  const url = new URL(request.url);
  const below = `${url.origin}${url.pathname}`.startsWith(`${apiUrl}/`)
    ? `${url.origin}${url.pathname}`.slice(apiUrl.length)
    : '';
  for (const described of CONTRACT) {
    if (described.method !== request.method) continue;
    const pattern = described.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const found = new RegExp(`^${pattern}$`).exec(below);
    if (found === null) continue;
    const path = Object.fromEntries(
      Object.entries(found.groups ?? {}).map(([name, it]) => [name, decodeURIComponent(it)]),
    );
    const query = Object.fromEntries(url.searchParams);
    return { described, path, query, body: text === '' ? {} : JSON.parse(text), hasBody: text !== '' };
  }
  return null;
}

function requestFaults({ described, query, body, hasBody }: Call): readonly string[] {
  const missing = (described.required ?? []).filter((it) => body[it] === undefined);
  const size = Number(query['per_page'] ?? 20);
  return [
    ...fieldFaults(query, described.query ?? {}, { mayLack: true }).map((it) => `query: ${it}`),
    ...fieldFaults(body, described.body ?? {}, { mayLack: true }).map((it) => `body: ${it}`),
    ...missing.map((it) => `body: "${it}" is required`),
    ...(size < 1 || size > 100 ? [`query: ${size} entries on a page, and 1 to 100 are possible`] : []),
    ...(hasBody && described.body === undefined ? ['it has a body, and needs none'] : []),
  ];
}

/** Answers with these are documented for every call. */
const isAnywhere = (status: number): boolean =>
  [301, 400, 401, 403, 404, 409, 422, 429].includes(status) || status >= 500;

function answerFaults({ status, answer, isList = false }: Described, done: Reply): readonly string[] {
  if (done.status !== status) return isAnywhere(done.status) ? [] : [`answer: no status ${done.status} is known`];
  if (answer === null) return done.body === null ? [] : ['answer: a body where none belongs'];
  const all = isList ? (done.body as readonly unknown[]) : [done.body];
  return all.flatMap((it) => fieldFaults(it, answer, { mayLack: false }).map((fault) => `answer: ${fault}`));
}

const ok = (body: unknown): Reply => ({ status: 200, body });

const no = (status: number, message: string | readonly string[]): Reply => ({ status, body: { message } });

function page(items: readonly Json[], query: Readonly<Record<string, string>>): Reply {
  const size = Math.min(Number(query['per_page'] ?? 20), 100);
  const number = Number(query['page'] ?? 1);
  const hasNext = number * size < items.length;
  return {
    status: 200,
    body: items.slice((number - 1) * size, number * size),
    headers: { 'x-next-page': hasNext ? String(number + 1) : '', 'x-page': String(number), 'x-per-page': String(size) },
  };
}

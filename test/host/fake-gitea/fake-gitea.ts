import { accessOf } from '../fake-github/access.ts';
import { addComment } from '../fake-github/comments.ts';
import { dateOf } from '../fake-github/commit-object.ts';
import type { FakeGitHub } from '../fake-github/fake-github.ts';
import { noDetails } from '../fake-github/pull-rules.ts';
import { fetchHead } from '../fake-github/settle-pulls.ts';
import {
  type Account,
  type Comment,
  findRepository,
  fullName,
  type Pull,
  type Repository,
} from '../fake-github/world.ts';
import { type CheckedFetch, checkedFetch } from './checked-fetch.ts';
import { describedCall } from './description.ts';
import { printComment, printLabel, printPull, printRepository, printUser, WEB } from './print-objects.ts';

/** Settings of a test. */
interface GiteaSettings {
  /** Entries of a page, whatever a client asks for. */
  maxItems: number;
  /** Labels of the organization, which a repository uses without having them. */
  readonly organizationLabels: string[];
  /** Owners of tokens without the scope read:user. */
  readonly withoutUserScope: string[];
  /** The users who hide their address. */
  readonly hidesEmail: string[];
  archived: boolean;
}

/** The replacement of the answer to the next request of a call: another answer, or a connection that breaks. */
interface GiteaFault {
  readonly operation: string;
  /** True if Gitea executed the request. */
  readonly effect: 'before' | 'after';
  readonly answer: { readonly status: number; readonly body?: unknown; readonly headers?: object } | 'dropped';
}

export interface FakeGitea extends CheckedFetch {
  readonly apiUrl: string;
  readonly settings: GiteaSettings;
  /** The owner of the token that weft uses: a person's account, as bots have it there. */
  readonly weft: Account;
  readonly inject: (fault: GiteaFault) => void;
  /** The labels that a repository has. */
  readonly labelsOf: (fullName: string) => readonly string[];
  readonly count: (...operations: readonly string[]) => number;
}

interface Call {
  readonly caller: Account;
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A repository is in the path of almost every call. */
interface RepositoryCall extends Call {
  readonly repository: Repository;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: object;
}

/** Gitea over the repositories of a fake GitHub, as Gitea 1.26 answered when it was tried by hand. `web` is where git finds them. */
export function fakeGitea(fake: FakeGitHub, { web }: { readonly web: string }): FakeGitea {
  const { world } = fake;
  const apiUrl = `${web}/api/v1`;
  world.settings.closesEmptyPulls = false;
  const weft = fake.signUp({ login: 'weft', kind: 'user', grants: { '*': { contents: 'write', pulls: 'write' } } });
  const settings: GiteaSettings = {
    maxItems: 50,
    organizationLabels: [],
    withoutUserScope: [],
    hidesEmail: [],
    archived: false,
  };
  const labels = new Map<Repository, string[]>();
  const waiting: GiteaFault[] = [];
  const people = (): readonly Account[] => world.accounts;
  const now = (): string => dateOf(world.clock.now());
  const labelsOf = (repository: Repository): string[] => {
    const known = labels.get(repository) ?? [];
    labels.set(repository, known);
    return known;
  };

  const pullAt = ({ repository, path }: RepositoryCall): Pull =>
    repository.pulls.find((it) => String(it.number) === path['index']) ?? refuse(404, 'not found');
  const commentAt = ({ repository, path }: RepositoryCall): Comment =>
    repository.comments.find((it) => String(it.id) === path['id']) ?? refuse(404, 'not found');
  const mayWrite = ({ caller, repository }: RepositoryCall, what: 'contents' | 'pulls'): void => {
    if (accessOf(caller, repository, what) !== 'write') refuse(403, 'user should have a permission to write');
    if (settings.archived) refuse(423, 'repo is archived');
  };
  const canPush = (repository: Repository): readonly Account[] =>
    people().filter((it) => it.kind === 'user' && accessOf(it, repository, 'contents') === 'write');
  const printed = (it: RepositoryCall, pull: Pull) => printPull(pull, it.repository, people());

  const inRepository: Readonly<Record<string, (call: RepositoryCall) => Answer | Promise<Answer>>> = {
    repoGet: ({ repository }) => ok(printRepository(repository)),
    repoGetAssignees: ({ repository }) => ok(canPush(repository).map((it) => printUser(it))),
    repoListPullRequests: (call) => {
      const { query, repository } = call;
      const state = query.get('state') ?? 'open';
      const base = query.get('base_branch');
      const found = repository.pulls
        .filter((it) => (state === 'all' || it.state === state) && (base === null || it.base === base))
        .sort((a, b) =>
          query.get('sort') === 'recentclose' && a.closedAt !== b.closedAt
            ? (b.closedAt ?? '') < (a.closedAt ?? '')
              ? -1
              : 1
            : b.number - a.number,
        );
      const size = Math.min(Number(query.get('limit') ?? 30), settings.maxItems);
      const page = Number(query.get('page') ?? 1);
      const last = Math.ceil(found.length / size);
      const next = `<${apiUrl}/repos/${fullName(repository)}/pulls?page=${page + 1}>; rel="next"`;
      const headers = page < last ? { link: `${next},<${apiUrl}>; rel="last"` } : {};
      return { ...ok(found.slice((page - 1) * size, page * size).map((it) => printed(call, it))), headers };
    },
    repoGetPullRequest: (call) => ok(printed(call, pullAt(call))),
    repoCreatePullRequest: async (call) => {
      const { repository, caller, body } = call;
      mayWrite(call, 'pulls');
      const [branch, base] = [String(body['head']), String(body['base'])];
      const number = 1 + Math.max(0, ...repository.pulls.map((it) => it.number));
      const head = { repository, branch };
      const headSha = fetchHead(repository, head, number) ?? refuse(404, 'not found');
      const baseSha = repository.store.headOf(base) ?? refuse(404, 'not found');
      const other = repository.pulls.find(
        (it) =>
          it.state === 'open' && it.base === base && it.head.repository === repository && it.head.branch === branch,
      );
      if (other !== undefined)
        refuse(409, `pull request already exists for these targets [id: ${other.id}, issue_id: ${other.number}]`);
      const pull: Pull = {
        ...{ number, id: world.nextId(), author: caller, head, headSha, base, baseSha },
        ...{ title: String(body['title']), body: String(body['body'] ?? ''), state: 'open', isDraft: false },
        ...{ createdAt: now(), updatedAt: now(), closedAt: null, mergedAt: null },
        ...noDetails(),
      };
      repository.pulls.push(pull);
      return { status: 201, body: printed(call, pull) };
    },
    repoEditPullRequest: (call) => {
      const { repository, caller, body } = call;
      const pull = pullAt(call);
      if (pull.author !== caller) mayWrite(call, 'pulls');
      const wanted = body['assignees'];
      if (Array.isArray(wanted)) {
        const found = wanted.map((login) =>
          people().find((it) => it.login.toLowerCase() === String(login).toLowerCase()),
        );
        const unknown = wanted.find((_, i) => found[i] === undefined);
        if (unknown !== undefined) refuse(422, `Assignee does not exist: [name: ${unknown}]`);
        // A user without read access gets an error of the server.
        if (found.some((it) => it && accessOf(it, repository, 'contents') === 'none')) refuse(500, '');
        pull.assignees.splice(0, Infinity, ...new Set(found.flatMap((it) => it?.login ?? [])));
      }
      if (typeof body['body'] === 'string') pull.body = body['body'];
      if (body['state'] === 'closed') Object.assign(pull, { state: 'closed', closedAt: now() });
      pull.updatedAt = now();
      return { status: 201, body: printed(call, pull) };
    },
    repoCreatePullReviewRequests: (call) => {
      const { repository, body } = call;
      mayWrite(call, 'pulls');
      const pull = pullAt(call);
      const logins = (body['reviewers'] ?? []) as readonly string[];
      const teams = (body['team_reviewers'] ?? []) as readonly string[];
      // Names first, all of them; then one after the other, until one cannot be asked.
      for (const it of logins) if (!people().some(({ login }) => login === it)) refuse(404, `User '${it}' not exist`);
      for (const it of teams) if (!repository.teams.includes(it)) refuse(404, `Team '${it}' not exist`);
      for (const it of logins) {
        const one = people().find(({ login }) => login === it);
        if (one === pull.author) refuse(422, `poster of pr can't be reviewer [user_id: 1, repo_id: 1]`);
        if (accessOf(one ?? null, repository, 'contents') === 'none') refuse(422, `Reviewer can't read [user_id: 1]`);
        if (!pull.reviewers.includes(it)) pull.reviewers.push(it);
      }
      pull.reviewers.push(...teams);
      return { status: 201, body: [] };
    },
    issueAddLabel: (call) => {
      mayWrite(call, 'pulls');
      const pull = pullAt(call);
      const known = [...labelsOf(call.repository), ...settings.organizationLabels];
      const names = call.body['labels'] as readonly string[];
      pull.labels.push(...known.filter((it) => names.includes(it) && !pull.labels.includes(it)));
      return ok(pull.labels.map(printLabel));
    },
    issueCreateLabel: (call) => {
      mayWrite(call, 'pulls');
      const name = String(call.body['name']);
      labelsOf(call.repository).push(name);
      return { status: 201, body: printLabel(name, labelsOf(call.repository).length) };
    },
    issueGetComments: (call) => {
      const { number } = pullAt(call);
      return ok(
        call.repository.comments.filter((it) => it.pull === number).map((it) => printComment(it, call.repository)),
      );
    },
    issueCreateComment: (call) => {
      const { number } = pullAt(call);
      const it = addComment(world, call.repository, {
        pull: number,
        author: call.caller,
        body: String(call.body['body']),
      });
      return { status: 201, body: printComment(it, call.repository) };
    },
    issueEditComment: (call) => {
      const comment = commentAt(call);
      if (comment.author !== call.caller) mayWrite(call, 'pulls');
      Object.assign(comment, { body: String(call.body['body']), updatedAt: now() });
      return ok(printComment(comment, call.repository));
    },
    issueDeleteComment: (call) => {
      const comment = commentAt(call);
      if (comment.author !== call.caller) mayWrite(call, 'pulls');
      call.repository.comments.splice(call.repository.comments.indexOf(comment), 1);
      return { status: 204, body: null };
    },
    repoListGitRefs: ({ repository, path }) => {
      const number = /^pull\/(\d+)\/head$/.exec(path['ref'] ?? '')?.[1];
      const pull = repository.pulls.find((it) => String(it.number) === number) ?? refuse(404, 'not found');
      return ok([{ ref: `refs/pull/${number}/head`, url: '', object: { type: 'commit', sha: pull.headSha, url: '' } }]);
    },
  };

  const ofOwner: Readonly<Record<string, (call: Call) => Answer>> = {
    userGetCurrent: ({ caller }) => ok(printUser(caller, 'own')),
    getUserSettings: ({ caller }) => ok({ full_name: '', hide_email: settings.hidesEmail.includes(caller.login) }),
  };

  const answer = async (request: Request): Promise<Answer> => {
    const url = new URL(request.url);
    const token = /^token (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1];
    const caller = people().find((it) => it.token === token) ?? refuse(401, 'invalid username, password or token');
    const found = describedCall(request.method, url.pathname.slice('/api/v1'.length)) ?? refuse(404, 'not found');
    const text = await request.text();
    const call: Call = { caller, path: found.path, query: url.searchParams, body: text === '' ? {} : JSON.parse(text) };
    const forOwner = ofOwner[found.operation];
    if (forOwner !== undefined) {
      if (settings.withoutUserScope.includes(caller.login))
        refuse(403, 'token does not have at least one of required scope(s), required=[read:user]');
      return forOwner(call);
    }
    const name = `${found.path['owner']}/${found.path['repo']}`;
    const repository = findRepository(world, name);
    const moved = world.repositories.find((it) => it.formerNames.includes(name));
    if (repository === undefined && moved !== undefined) {
      const location = url.pathname.replace(`/repos/${name}`, `/repos/${fullName(moved)}`);
      return { status: 301, body: null, headers: { location } };
    }
    if (repository === undefined || accessOf(caller, repository, 'metadata') === 'none')
      return refuse(404, 'not found');
    const handle = inRepository[found.operation] ?? refuse(404, 'not found');
    return handle({ ...call, repository });
  };

  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const operation = describedCall(request.method, new URL(request.url).pathname.slice('/api/v1'.length))?.operation;
    const at = waiting.findIndex((it) => it.operation === operation);
    const fault = at < 0 ? undefined : waiting.splice(at, 1)[0];
    const done = fault?.effect === 'before' ? undefined : await answer(request).catch(refused);
    world.clock.advance(world.settings.latencyMilliseconds);
    if (fault?.answer === 'dropped') throw new TypeError('fetch failed', { cause: new Error('socket hang up') });
    const { status, body = null, headers = {} } = fault?.answer ?? done ?? { status: 500 };
    if (status === 301 && request.method === 'GET')
      return send(new URL(String(Object.entries(headers)[0]?.[1]), web), { headers: request.headers });
    const isEmpty = status === 204 || body === null;
    return new Response(isEmpty ? null : JSON.stringify(body), {
      status,
      headers: { ...(isEmpty ? {} : { 'content-type': 'application/json;charset=utf-8' }), ...headers },
    });
  };
  return {
    ...checkedFetch(apiUrl, send, () => weft.token),
    apiUrl,
    settings,
    weft,
    inject: (fault) => waiting.push(fault),
    labelsOf: (name) => labelsOf(findRepository(world, name) ?? refuse(404, name)),
    count(...operations) {
      return this.log.filter((it) => it.operation !== null && operations.includes(it.operation)).length;
    },
  };
}

const ok = (body: unknown): Answer => ({ status: 200, body });

class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function refuse(status: number, message: string): never {
  throw new Refused(status, message);
}

function refused(error: unknown): Answer {
  if (!(error instanceof Refused)) throw error;
  return { status: error.status, body: { message: error.message, url: `${WEB}/api/swagger` } };
}

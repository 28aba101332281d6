import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerRequest, type Desk, type Exchange } from './answer-request.ts';
import { type Injection, type Meanwhile, waiting } from './injections.ts';
import { type NewRepository, openRepository } from './open-repository.ts';
import { rateLimits } from './rate-limits.ts';
import { byName, followed, redirected, redirectOf } from './redirect.ts';
import { type RepositoryTools, repositoryTools } from './repository-tools.ts';
import { seeRequest } from './seen-request.ts';
import { settlePulls } from './settle-pulls.ts';
import { type VirtualClock, virtualClock } from './virtual-clock.ts';
import { type Account, findRepository, type Grant, type Repository, type Settings, type World } from './world.ts';

export interface FakeGitHubOptions {
  /** The first is the one that the tools of the fake itself mean. */
  readonly repositories?: readonly NewRepository[];
  readonly settings?: Partial<Settings>;
}

/** GitHub, with a real git repository underneath; its tools are those of the first repository. */
export interface FakeGitHub extends RepositoryTools {
  /** For `new Octokit({ request: { fetch } })`. */
  readonly fetch: typeof fetch;
  /** The token of GitHub Actions with `contents: write` and `pull-requests: write`, and a person who may push. */
  readonly bot: Account;
  readonly user: Account;
  /** One more token, which may do only what is said. */
  readonly signUp: (account: Pick<Account, 'login' | 'kind' | 'grants'>) => Account;
  readonly inject: (injection: Injection) => void;
  readonly meanwhile: (event: Meanwhile) => void;
  readonly clock: VirtualClock;
  readonly settings: Settings;
  /** Every request in its order. */
  readonly log: readonly Exchange[];
  /** The number of calls of a GitHub operation; by default of all that write. */
  readonly count: (...operations: readonly string[]) => number;
  /** Violations of GitHub's description or rules; empty at the end of every test, see expectNoViolations. */
  readonly violations: string[];
  /** Injections and events that never met their request. */
  readonly unmet: () => number;
  /** So many requests are left to a token in this hour. */
  readonly leaveRequests: (account: Account, remaining: number) => void;
  readonly at: (fullName: string) => RepositoryTools;
  /** For a fake of another forge over the same repositories. */
  readonly world: World;
  /** The folder of the bare repositories, `owner/name.git`. */
  readonly folder: string;
  /** The update of pull requests after a push with git. */
  readonly settle: (fullName: string) => Promise<void>;
  readonly close: () => void;
}

const EVERYTHING: Readonly<Record<string, Grant>> = { '*': { contents: 'write', pulls: 'write' } };

const SETTINGS: Settings = {
  largeTrees: 'never',
  // Source: GitHub's REST reference, "Get a tree".
  treeEntries: 100_000,
  writesPerMinute: Number.POSITIVE_INFINITY,
  redirectOfWrites: 307,
  closesEmptyPulls: true,
  latencyMilliseconds: 100,
};

export function fakeGitHub({ repositories, settings }: FakeGitHubOptions = {}): FakeGitHub {
  const folder = mkdtempSync(join(tmpdir(), 'weft-github-'));
  let lastId = 1000;
  const nextId = (): number => ++lastId;
  const world: World = {
    clock: virtualClock(),
    settings: { ...SETTINGS, ...settings },
    accounts: [],
    repositories: [],
    nextId,
  };
  const toolsOf = new Map<Repository, RepositoryTools>();
  const at = (name: string): RepositoryTools => {
    const tools = toolsOf.get(findRepository(world, name) ?? missing(name));
    return tools ?? missing(name);
  };
  for (const it of repositories ?? [{ owner: 'acme', name: 'fleet' }]) {
    const parent = it.forkOf === undefined ? null : (findRepository(world, it.forkOf) ?? missing(it.forkOf));
    const repository = openRepository(world, folder, it, parent);
    world.repositories.push(repository);
    toolsOf.set(repository, repositoryTools(world, repository, folder));
  }
  const [first] = toolsOf.values();
  const signUp: FakeGitHub['signUp'] = (it) => {
    const id = it.login === 'github-actions[bot]' ? 41_898_282 : nextId();
    const account: Account = { ...it, id, token: `fake-token-${world.accounts.length}-of-${it.login}` };
    world.accounts.push(account);
    return account;
  };
  const meanwhile = waiting<Meanwhile>();
  const desk: Desk = {
    world,
    limits: rateLimits(world),
    injections: waiting<Injection>(),
    log: [],
    violations: [],
  };
  const inTurn = oneAfterTheOther();
  const redirects = async (request: Request): Promise<Request> => {
    const redirect = redirectOf(world, request);
    if (redirect === null) return request;
    desk.log.push(redirected(request, redirect, world.clock.now()));
    return byName(world, await followed(request, redirect));
  };
  return {
    ...(first ?? missing('repository')),
    fetch: async (input, init) => {
      const seen = await seeRequest(await redirects(new Request(input, init)));
      for (const it of meanwhile.takeAll(seen)) await it.run();
      return inTurn(() => answerRequest(desk, seen));
    },
    bot: signUp({ login: 'github-actions[bot]', kind: 'bot', grants: EVERYTHING }),
    user: signUp({ login: 'ada', kind: 'user', grants: EVERYTHING }),
    signUp,
    inject: desk.injections.add,
    meanwhile: meanwhile.add,
    clock: world.clock,
    settings: world.settings,
    log: desk.log,
    count: (...operations) => desk.log.filter((it) => isCounted(it, operations)).length,
    violations: desk.violations,
    unmet: () => desk.injections.left() + meanwhile.left(),
    leaveRequests: desk.limits.leave,
    at,
    world,
    folder,
    settle: async (name) => {
      const repository = findRepository(world, name) ?? missing(name);
      const open = repository.pulls.filter((it) => it.state === 'open');
      for (const branch of new Set(open.flatMap((it) => [it.base, it.head.branch])))
        settlePulls(world, repository, `refs/heads/${branch}`);
    },
    close: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const isCounted = ({ operation, method }: Exchange, operations: readonly string[]): boolean =>
  operations.length === 0 ? method !== 'GET' : operation !== null && operations.includes(operation);

const missing = (name: string): never => {
  throw new Error(`this GitHub has no ${name}`);
};

/** GitHub works at many requests at once; here each is finished before the next, so that a test has an exact log. */
function oneAfterTheOther(): <T>(run: () => Promise<T>) => Promise<T> {
  let before: Promise<unknown> = Promise.resolve();
  return (run) => {
    const turn = before.then(run);
    before = turn.catch(() => {});
    return turn;
  };
}

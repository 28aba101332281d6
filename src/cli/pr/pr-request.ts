import type { PlanRequest } from '../../app/plan-fleet.ts';
import type { Base } from '../../app/read-base.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import type { Host } from '../../front/host.ts';
import { planRequest } from '../../front/plan-request.ts';
import type { Repository } from '../../github/forge.ts';
import type { Call } from '../options-of.ts';
import { type ActionsContext, actionsContext } from './actions-context.ts';

export type PrMode = 'check' | 'comment' | 'open';

/** What `weft pr` was asked for, by flags and by GitHub Actions; flags win. */
export interface PrRequest extends Pick<PlanRequest, 'topology' | 'lock' | 'out' | 'allowDestroy' | 'maxRemoved'> {
  readonly mode: PrMode;
  /** The repository that pull requests belong to. */
  readonly repository: Repository | null;
  /** Whether that is another one than the topology lives in. */
  readonly isElsewhere: boolean;
  readonly pull: number | null;
  /** What the plan starts from. */
  readonly compareWith: Base;
  /** The branch to merge into, and the one to push to. */
  readonly into: string | undefined;
  readonly branch: string | undefined;
  readonly author: string | undefined;
  readonly planFile: string | undefined;
  readonly current: boolean;
  readonly force: boolean;
  readonly token: string | undefined;
  readonly context: ActionsContext;
}

export async function prRequest(
  host: Host,
  { args: [mode, topology], options }: Omit<Call<'pr'>, 'help'>,
): Promise<PrRequest> {
  const context = await actionsContext(host.env);
  const repository = options.repository ?? context.repository;
  const { lock, out, base, allowDestroy, maxRemoved } = planRequest(topology, options);
  return {
    mode: mode === 'comment' || mode === 'open' ? mode : 'check',
    topology,
    lock,
    out,
    compareWith: base,
    allowDestroy,
    maxRemoved,
    repository: repository === undefined ? null : parseRepository(repository),
    isElsewhere: context.repository !== undefined && repository?.toLowerCase() !== context.repository.toLowerCase(),
    pull: pullNumber(options.pullRequest) ?? context.pull?.number ?? null,
    into: options.into,
    branch: options.branch,
    author: options.author,
    planFile: options.planJson,
    current: options.current,
    force: options.force,
    token: tokenOf(host.env),
    context,
  };
}

/** Never an option: command lines are seen by every process of the machine, and stand in logs. */
export const tokenOf = (env: Host['env']): string | undefined =>
  [env['WEFT_TOKEN'], env['GITHUB_TOKEN'], env['GH_TOKEN']].map((it) => it?.trim()).find((it) => it);

function parseRepository(name: string): Repository {
  const [, owner, repo] = /^([\w.-]+)\/([\w.-]+)$/.exec(name) ?? [];
  if (owner !== undefined && repo !== undefined) return { owner, name: repo };
  throw new CommandFailure(`"${name}" is not a repository`, 'write it as owner/name');
}

function pullNumber(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (/^#?[1-9]\d{0,9}$/.test(given)) return Number(given.replace('#', ''));
  throw new CommandFailure(`"${given}" is not the number of a pull request`);
}

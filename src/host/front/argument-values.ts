import { join } from 'node:path';
import type { LiveNames } from '../../answers/report/live-commands.ts';
import { parseRelockTarget, type RelockTarget } from '../../base/core/lock-key.ts';
import { MAX_REMOVED } from '../../plan/removal-guard.ts';
import type { SecretsTarget } from '../app/deliver-secrets.ts';
import type { LiveRequest } from '../app/live-sources.ts';
import type { PlanRequest } from '../app/plan-fleet.ts';
import { OUT } from '../app/ports.ts';
import type { Shard } from '../app/shard.ts';
import { pathExists } from '../disk/repository.ts';
import { CommandFailure } from './command-failure.ts';
import type { Host } from './host.ts';

/**
 * True for an argument that names a topology: it ends in .yaml, or begins like the path of a folder. Clusters with an
 * address, such as `rome/10.202.0.5`, and networks do not.
 */
export const isTopologyPath = (argument: string | undefined): boolean =>
  argument !== undefined && /\.ya?ml$|^\.{0,2}[/\\]|[/\\]$|\\/.test(argument);

/**
 * The arguments of a command that takes clusters: a shell completes the folder of a bundle as `rome/`, and the cluster is
 * meant. The name of another folder that exists stays a topology.
 */
export function withClusterNames({ args: known }: ArgumentNames, args: readonly string[], cwd: string) {
  if (!known.some((it) => it.values === 'cluster')) return args;
  const isFolder = (path: string): boolean =>
    pathExists(join(cwd, path)) && !pathExists(join(cwd, path, 'kustomization.yaml'));
  return args.map((it) => (/^[a-z0-9-]+[/\\]$/.test(it) && !isFolder(it) ? it.slice(0, -1) : it));
}

const MILLISECONDS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** `90s`, `10m` or `1h` in milliseconds. */
export function durationOf(option: string, value: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smh])$/.exec(value) ?? [];
  const milliseconds = Number(count) * (MILLISECONDS[unit] ?? Number.NaN);
  if (!Number.isNaN(milliseconds)) return milliseconds;
  throw new CommandFailure(`--${option} requires a duration, not "${value}"`, `write --${option} 90s, 10m or 1h`);
}

/** A cluster and its dump: `rome=dump.json`. A path with an equals sign in one of its folders does not match. */
const NAMED = /^([a-z0-9](?:[a-z0-9-]*[a-z0-9])?)=(.+)$/s;

/** True for an argument that can only be a dump. */
export const isNamedDump = (argument: string): boolean => argument === '-' || NAMED.test(argument);

interface LiveOptions {
  /** Dumps: `rome=dump.json`, or only a path. */
  readonly live: readonly string[];
  /** Contexts: `rome=admin@rome`, or a context with the name of its cluster. */
  readonly context: readonly string[];
}

/** The sources of live clusters in the options of a call, and among its arguments. */
export const liveSources = ({ live, context }: LiveOptions, dumps: readonly string[] = []): LiveRequest => ({
  dumps: [...dumps, ...live].map((it) => {
    const [, cluster = null, path = it] = NAMED.exec(it) ?? [];
    return { cluster, path };
  }),
  contexts: context.map((it) => {
    const [, cluster = it, name = it] = NAMED.exec(it) ?? [];
    return { cluster, context: name };
  }),
});

/** Those sources where a call without any reads the topology; `undefined` for such a call. */
export const liveRequest = (options: LiveOptions): LiveRequest | undefined =>
  options.live.length + options.context.length === 0 ? undefined : liveSources(options);

/** The names of the topology and of live clusters in a call, for commands in its answer. */
export const liveNames = (
  topology: string | undefined,
  options: LiveOptions,
  dumps: readonly string[] = [],
): LiveNames => ({
  topology: topology ?? null,
  contexts: new Map(liveSources(options).contexts.map((it) => [it.cluster, it.context])),
  dumps: [...dumps, ...options.live],
});

/** The destination of private keys: a folder, or stdout unless it is a terminal. */
export function secretsTarget(
  { stdout }: Pick<Host, 'stdout'>,
  { secretsDir, show }: { readonly secretsDir: string | undefined; readonly show: boolean },
): SecretsTarget {
  if (secretsDir !== undefined) return { kind: 'folder', folder: secretsDir };
  return { kind: stdout.isTTY && !show ? 'terminal' : 'stream' };
}

/** The arguments of a command in the command table. */
export interface ArgumentNames {
  readonly args: readonly { readonly name: string; readonly variadic?: boolean; readonly values?: unknown }[];
}

/** The folder that `--out` names, without a slash at its end. */
export const bundlesFolder = ({ out }: { readonly out: string | undefined }): string =>
  (out ?? OUT).replace(/(?<=.)\/+$/, '');

/** The settings of a plan, from options of `weft plan` and `weft pr` or from inputs of the Action. */
export interface PlanTexts {
  readonly lock: string | undefined;
  readonly out: string | undefined;
  readonly base: string | undefined;
  readonly baseDir: string | undefined;
  readonly new?: boolean;
  readonly allowDestroy: boolean;
  readonly maxRemoved: string | undefined;
}

/** The request of `weft plan`, without the decisions to relock. */
export function planRequest(topology: string | undefined, options: PlanTexts): PlanRequest {
  const [ref, folder] = [options.base, options.baseDir];
  if (ref !== undefined && folder !== undefined) {
    throw new CommandFailure('--base and --base-dir exclude each other', 'remove one of them');
  }
  if (options.new && (ref ?? folder) !== undefined) {
    throw new CommandFailure('--new and --base exclude each other', 'remove one of them');
  }
  return {
    topology,
    lock: options.lock,
    out: bundlesFolder(options),
    base:
      ref !== undefined
        ? { kind: 'ref', ref }
        : folder !== undefined
          ? { kind: 'folder', folder }
          : { kind: options.new ? 'nothing' : 'out' },
    allowDestroy: options.allowDestroy,
    maxRemoved: removedShare(options.maxRemoved),
  };
}

/** The value of `--shard`, such as `3/16`. */
export function shardOf(value: string | undefined): Shard | null {
  if (value === undefined) return null;
  const [, part = 0, of = 0] = (/^(\d{1,3})\/(\d{1,3})$/.exec(value) ?? []).map(Number);
  if (part >= 1 && part <= of) return { part, of };
  throw new CommandFailure(`--shard must be a part and their number, not "${value}"`, 'write it as 3/16');
}

/** The value of `--max-removed`: `0.5`, `1/3` or `50%`. */
export function removedShare(value: string | undefined): number {
  if (value === undefined) return MAX_REMOVED;
  const [, percent] = /^(\d+(?:\.\d+)?)%$/.exec(value) ?? [];
  const [, above, below] = /^(\d+)\/(\d+)$/.exec(value) ?? [];
  const share =
    percent !== undefined
      ? Number(percent) / 100
      : above !== undefined
        ? Number(above) / Number(below)
        : /^\d*\.?\d+$/.test(value)
          ? Number(value)
          : Number.NaN;
  if (share >= 0 && share <= 1) return share;
  throw new CommandFailure(`--max-removed must be a share from 0 to 1, not "${value}"`, 'write it as 0.5, 1/3 or 50%');
}

/** The cluster or link of each `--relock X[/Y]`. */
export const relockTargets = ({ relock }: { readonly relock: readonly string[] }): readonly RelockTarget[] =>
  targetsOf('relock', relock);

/** The cluster or link of each value of such an option. */
export const targetsOf = (option: string, values: readonly string[]): readonly RelockTarget[] =>
  values.map((value) => {
    const target = parseRelockTarget(value);
    if (target !== undefined) return target;
    throw new CommandFailure(
      `--${option} requires a cluster or a link, not "${value}"`,
      `write --${option} rome or --${option} rome/milan`,
    );
  });

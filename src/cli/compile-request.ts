import type { RelockTarget } from '../compile.ts';
import { bundlesFolder } from './bundles-folder.ts';
import type { Call, OptionsOf } from './options-of.ts';
import { Refusal } from './refusal.ts';
import { relockTargets } from './relock-targets.ts';
import { formatOf } from './report-diagnostics.ts';

/** What `weft compile` was asked for. */
export interface CompileRequest {
  readonly topology: string | undefined;
  readonly all: boolean;
  readonly lock: string | undefined;
  /** Folder of the bundles, without a slash at its end. */
  readonly out: string;
  /** `null` for all clusters. */
  readonly only: readonly string[] | null;
  readonly relock: readonly RelockTarget[];
  readonly check: boolean;
  readonly frozenLock: boolean;
  readonly allowEmpty: boolean;
}

export function compileRequest({ args, options }: Call<'compile'>): CompileRequest {
  refuseContradictions(options);
  const clusters = options.cluster;
  return {
    topology: args[0],
    all: options.all,
    lock: options.lock,
    out: bundlesFolder(options),
    only: clusters.length === 0 ? null : [...new Set(clusters)].sort((a, b) => (a < b ? -1 : 1)),
    relock: relockTargets(options),
    check: options.check,
    frozenLock: options.frozenLock,
    allowEmpty: options.allowEmpty,
  };
}

type Name = keyof OptionsOf<'compile'>;

/** Pairs of options that cannot both be meant. */
const CONTRADICTIONS: readonly (readonly [one: Name, other: Name, why: string])[] = [
  ['all', 'cluster', 'a cluster belongs to one topology'],
  ['all', 'relock', 'a link belongs to one topology'],
  ['all', 'lock', 'each topology has its own lock'],
  ['watch', 'check', '--check looks once'],
  ['frozenLock', 'relock', '--relock changes the lock'],
];

function refuseContradictions(options: OptionsOf<'compile'>): void {
  for (const [one, other, why] of CONTRADICTIONS) {
    if (!isGiven(options[one]) || !isGiven(options[other])) continue;
    throw new Refusal(`--${dashed(one)} and --${dashed(other)} exclude each other: ${why}`);
  }
  if (options.watch && formatOf(options) !== 'text') {
    throw new Refusal('--watch prints a summary a run, so it has no --output', 'leave out one of them');
  }
}

const isGiven = (value: OptionsOf<'compile'>[Name]): boolean =>
  typeof value === 'object' ? value.length > 0 : value !== undefined && value !== false;

/** `frozen-lock` for `frozenLock`: the name that users type. */
const dashed = (name: Name): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

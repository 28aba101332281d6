import type { RelockTarget } from '../compile.ts';
import { flag, type Given, list, text } from './given.ts';
import { Refusal } from './refusal.ts';
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

export function compileRequest(given: Given): CompileRequest {
  refuseContradictions(given);
  const clusters = list(given, 'cluster');
  return {
    topology: given.args[0],
    all: flag(given, 'all'),
    lock: text(given, 'lock'),
    out: (text(given, 'out') ?? 'out').replace(/(?<=.)\/+$/, ''),
    only: clusters.length === 0 ? null : [...new Set(clusters)].sort((a, b) => (a < b ? -1 : 1)),
    relock: list(given, 'relock').map(relockTarget),
    check: flag(given, 'check'),
    frozenLock: flag(given, 'frozen-lock'),
    allowEmpty: flag(given, 'allow-empty'),
  };
}

function relockTarget(value: string): RelockTarget {
  const [cluster = '', peer, ...rest] = value.split('/');
  if (cluster === '' || peer === '' || rest.length > 0) {
    throw new Refusal(
      `--relock takes a cluster or a link, not "${value}"`,
      'for instance --relock rome or --relock rome/milan',
    );
  }
  return { cluster, peer: peer ?? null };
}

/** Pairs of options that cannot both be meant. */
const CONTRADICTIONS: readonly (readonly [string, string, string])[] = [
  ['all', 'cluster', 'a cluster belongs to one topology'],
  ['all', 'relock', 'a link belongs to one topology'],
  ['all', 'lock', 'each topology has its own lock'],
  ['watch', 'check', '--check looks once'],
  ['frozen-lock', 'relock', '--relock changes the lock'],
];

function refuseContradictions(given: Given): void {
  const isGiven = (name: string) =>
    flag(given, name) || text(given, name) !== undefined || list(given, name).length > 0;
  for (const [one, other, why] of CONTRADICTIONS) {
    if (isGiven(one) && isGiven(other)) throw new Refusal(`--${one} and --${other} exclude each other: ${why}`);
  }
  if (flag(given, 'watch') && formatOf(given) !== 'text') {
    throw new Refusal('--watch prints a summary a run, so it has no --output', 'leave out one of them');
  }
}

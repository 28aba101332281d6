import { sortedUnique } from '../../base/core/order.ts';
import type { CompileRequest } from '../app/compile-fleet.ts';
import { bundlesFolder } from '../front/bundles-folder.ts';
import { CommandFailure } from '../front/command-failure.ts';
import { removedShare } from '../front/plan-request.ts';
import { formatOf } from '../front/report-diagnostics.ts';
import type { OptionsOf } from './options-of.ts';
import { relockTargets } from './relock-targets.ts';

/** The request of `weft compile`. `ci` is the variable that CI systems set; if it is set, the files are also verified. */
export function compileRequest(
  topology: string | undefined,
  options: OptionsOf<'compile'>,
  ci: string | undefined,
): CompileRequest {
  refuseContradictions(options);
  const clusters = options.cluster;
  return {
    topology,
    all: options.all,
    lock: options.lock,
    out: bundlesFolder(options),
    only: clusters.length === 0 ? null : sortedUnique(clusters),
    relock: relockTargets(options),
    mode: options.check ? 'check' : 'write',
    // In a pull request, a file that was edited by hand must be found.
    verify: ci !== undefined && !['', '0', 'false'].includes(ci),
    frozenLock: options.frozenLock,
    allowEmpty: options.allowEmpty,
    allowDestroy: options.allowDestroy,
    maxRemoved: removedShare(options.maxRemoved),
  };
}

type Name = keyof OptionsOf<'compile'>;

/** Pairs of options that exclude each other, with the reason. */
const CONTRADICTIONS: readonly (readonly [one: Name, other: Name, why: string])[] = [
  ['all', 'cluster', 'a cluster belongs to one topology'],
  ['all', 'relock', 'a link belongs to one topology'],
  ['all', 'lock', 'each topology has its own lock'],
  ['watch', 'check', '--check runs once'],
  ['frozenLock', 'relock', '--relock changes the lock'],
];

function refuseContradictions(options: OptionsOf<'compile'>): void {
  for (const [one, other, why] of CONTRADICTIONS) {
    if (!isGiven(options[one]) || !isGiven(options[other])) continue;
    throw new CommandFailure(`--${dashed(one)} and --${dashed(other)} exclude each other: ${why}`);
  }
  if (options.watch && formatOf(options) !== 'text') {
    throw new CommandFailure(
      '--watch and --output exclude each other: --watch prints a summary for each run',
      'remove one of them',
    );
  }
}

const isGiven = (value: OptionsOf<'compile'>[Name]): boolean =>
  typeof value === 'object' ? value.length > 0 : value !== undefined && value !== false;

/** `frozen-lock` for `frozenLock`: the name that users type. */
const dashed = (name: Name): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

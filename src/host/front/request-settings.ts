import { MAX_REMOVED } from '../../plan/removal-guard.ts';
import type { PlanRequest } from '../app/plan-fleet.ts';
import { OUT } from '../app/ports.ts';
import { CommandFailure } from './command-failure.ts';

/** The folder that `--out` names, without a slash at its end. */
export const bundlesFolder = ({ out }: { readonly out: string | undefined }): string =>
  (out ?? OUT).replace(/(?<=.)\/+$/, '');

/** The settings of a plan, from options of `weft plan` and `weft pr` or from inputs of the Action. */
export interface PlanTexts {
  readonly lock: string | undefined;
  readonly out: string | undefined;
  readonly base: string | undefined;
  readonly baseDir: string | undefined;
  readonly allowDestroy: boolean;
  readonly maxRemoved: string | undefined;
}

/** The request of `weft plan`, without the decisions to relock. */
export function planRequest(topology: string | undefined, options: PlanTexts): PlanRequest {
  const [ref, folder] = [options.base, options.baseDir];
  if (ref !== undefined && folder !== undefined) {
    throw new CommandFailure('--base and --base-dir exclude each other', 'remove one of them');
  }
  return {
    topology,
    lock: options.lock,
    out: bundlesFolder(options),
    base:
      ref !== undefined ? { kind: 'ref', ref } : folder !== undefined ? { kind: 'folder', folder } : { kind: 'out' },
    allowDestroy: options.allowDestroy,
    maxRemoved: removedShare(options.maxRemoved),
  };
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

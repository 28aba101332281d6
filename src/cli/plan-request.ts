import { MAX_REMOVED } from '../plan/removal-guard.ts';
import { type CompileRequest, compileRequest } from './compile-request.ts';
import { flag, type Given, text } from './given.ts';
import type { Base } from './read-base.ts';
import { Refusal } from './refusal.ts';

/** What `weft plan` was asked for. */
export interface PlanRequest extends Pick<CompileRequest, 'topology' | 'lock' | 'out' | 'relock'> {
  readonly base: Base;
  readonly detailedExitCode: boolean;
  readonly allowDestroy: boolean;
  /** Share of the clusters, and of the links, that may go. */
  readonly maxRemoved: number;
}

export function planRequest(given: Given): PlanRequest {
  const { topology, lock, out, relock } = compileRequest(given);
  const [ref, folder] = [text(given, 'base'), text(given, 'base-dir')];
  if (ref !== undefined && folder !== undefined) {
    throw new Refusal('--base and --base-dir exclude each other: there is one before', 'leave out one of them');
  }
  return {
    topology,
    lock,
    out,
    relock,
    base:
      ref !== undefined ? { kind: 'ref', ref } : folder !== undefined ? { kind: 'folder', folder } : { kind: 'out' },
    detailedExitCode: flag(given, 'detailed-exitcode'),
    allowDestroy: flag(given, 'allow-destroy'),
    maxRemoved: shareOf(text(given, 'max-removed')),
  };
}

/** `0.5`, `1/3` or `50%`. */
function shareOf(value: string | undefined): number {
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
  throw new Refusal(`--max-removed takes a share from 0 to 1, not "${value}"`, 'for instance 0.5, 1/3 or 50%');
}

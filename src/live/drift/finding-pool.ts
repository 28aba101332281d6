import { groupBy } from '../../base/core/group-by.ts';
import type { DifferentField, Finding, ObjectName } from './drift.ts';

/** Findings that no problem explains yet. */
export interface FindingPool {
  /** Removes and returns those that are wanted. */
  readonly take: (isWanted: (it: Finding) => boolean) => readonly Finding[];
  /** The fields below a path in which objects of a kind differ. */
  readonly takeFields: (kinds: readonly string[], ...path: readonly string[]) => readonly DifferentField[];
}

export function findingPool(findings: readonly Finding[]): FindingPool {
  let left = findings;
  const take: FindingPool['take'] = (isWanted) => {
    // Most causes find nothing, and most peers have nothing left.
    if (left.length === 0) return [];
    const taken = left.filter(isWanted);
    if (taken.length > 0) left = left.filter((it) => !isWanted(it));
    return taken;
  };
  return {
    take,
    takeFields: (kinds, ...path) =>
      take((it) => isFieldOf(it, kinds) && startsWith(it.path, path)).filter((it) => it.kind === 'different'),
  };
}

const isFieldOf = (it: Finding, kinds: readonly string[]): it is DifferentField =>
  it.kind === 'different' && kinds.includes(it.object.kind);

const startsWith = (path: readonly string[], start: readonly string[]): boolean =>
  start.every((it, index) => path[index] === it);

/** The findings of each object. */
export const byObject = (findings: readonly Finding[]): readonly (readonly Finding[])[] => [
  ...groupBy(findings, (it) => [keyOf(it.object)]).values(),
];

/** As `objectKey` prints it. */
export const keyOf = ({ key, namespace, name }: ObjectName): string => `${key} ${namespace ?? ''}/${name}`;

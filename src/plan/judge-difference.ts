import { sortedUnique } from '../base/core/order.ts';
import type { Change } from './change.ts';
import { changeId } from './change-id.ts';
import { kindOf } from './changes/change-kinds.ts';
import type { Difference, DifferenceKind } from './difference.ts';
import { otherNames } from './other-names.ts';
import type { PlanContext } from './plan-context.ts';

/** What a difference means for a fleet that is running. */
export function judgeDifference<K extends DifferenceKind>(it: Difference<K>, context: PlanContext): Change<K> {
  const kind = kindOf(it);
  const subject = kind.subject(it);
  const names = otherNames(subject, context);
  return {
    ...it,
    ...kind.judge(it, context),
    id: changeId(it),
    subject,
    clusters: sortedUnique(subject.clusters),
    flows: kind.flows(it, context),
    ...(names.length > 0 ? { otherNames: names } : {}),
  };
}

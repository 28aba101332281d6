import { kindOf } from './changes/change-kinds.ts';
import type { Difference, DifferenceKind } from './difference.ts';

/** The identity of a difference; unique within a plan. */
export function changeId<K extends DifferenceKind>(it: Difference<K>): string {
  const identity = kindOf(it).identity(it);
  return identity.length === 0 ? it.kind : `${it.kind} ${identity.join('/')}`;
}

import { countOf } from '../../core/words.ts';
import { countChanges } from '../../plan/count-changes.ts';
import type { Plan } from '../../plan/plan-changes.ts';

/** `Plan: 3 to add, 1 to change, 0 to remove; 2 changes break live flows.` */
export function planLine({ changes }: Plan): string {
  if (changes.length === 0) return 'Plan: nothing to do.';
  const { add, change, remove, disruptive: breaking } = countChanges(changes);
  const verdict =
    breaking === 0
      ? 'no live flow breaks'
      : `${countOf(breaking, 'change')} ${breaking === 1 ? 'breaks' : 'break'} live flows`;
  return `Plan: ${add} to add, ${change} to change, ${remove} to remove; ${verdict}.`;
}

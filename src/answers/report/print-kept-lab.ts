import { visibleText } from '../../base/core/visible-text.ts';
import { countOf, someOf } from '../../base/core/words.ts';
import type { LabPlan } from '../../reach/lab/lab-plan.ts';
import { namespaceIn } from '../../reach/lab/print-scripts.ts';

/** How to enter a lab that stays up, and how to remove it. */
export function printKeptLab({ hosts, tunnels }: LabPlan, run: string): string {
  const example = hosts[0]?.namespace ?? '';
  const gateway = tunnels[0]?.namespace ?? '';
  return [
    `lab ${run} stays up; its namespaces: ip netns list | grep weft-${run}`,
    `  a node with its pods:  ip netns exec ${namespaceIn(run, example)} bash`,
    `  a gateway:             ip netns exec ${namespaceIn(run, gateway)} bash`,
    '  to remove it:          weft lab --clean',
    '',
  ].join('\n');
}

/** A lab of an earlier run that was removed. */
export const printRemovedLab = ({ run, kept }: { readonly run: string; readonly kept: boolean }): string =>
  `removed lab ${run}, which was ${kept ? 'kept' : 'killed'}\n`;

const MAX_NAMED = 3;

/** The end of `weft lab --clean`. */
export function printRemovedLabs({
  count,
  unrecorded,
}: {
  readonly count: number;
  readonly unrecorded: readonly string[];
}): string {
  const [first] = unrecorded;
  const end = `${countOf(count, 'lab')} removed\n`;
  if (first === undefined) return end;
  const [are, them] = unrecorded.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const names = someOf(unrecorded.map(visibleText), MAX_NAMED);
  return [
    `${countOf(unrecorded.length, 'namespace')} ${are} called like those of a lab, but no lab recorded ${them}, so ${are === 'is' ? 'it stays' : 'they stay'}: ${names}`,
    `  to remove one yourself: ip netns del ${visibleText(first)}`,
    end,
  ].join('\n');
}

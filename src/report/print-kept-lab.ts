import type { LabPlan } from '../lab/lab-plan.ts';
import { namespaceIn } from '../lab/print-scripts.ts';

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

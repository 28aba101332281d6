import type { Disturbance, RunningFleet, Target } from './disturbances/disturbance.ts';
import * as edits from './disturbances/edits.ts';
import * as history from './disturbances/history.ts';
import type { KubernetesList } from './objects.ts';
import { type HowApplied, listOf, rolloutOf } from './simulate-fleet.ts';

/** Every disturbance by its name. */
export const DISTURBANCES: Readonly<Record<string, Disturbance>> = { ...edits, ...history };

/** A fleet after a disturbance. */
export interface Disturbed {
  readonly dumps: ReadonlyMap<string, KubernetesList>;
  /** The disturbed object in the cluster of the target, as `Kind namespace/name`. */
  readonly about: readonly string[];
}

/** A fleet that was rolled out from a bundle, and then disturbed at one end of a link. */
export const simulateDisturbed = (
  bundle: ReadonlyMap<string, string>,
  how: HowApplied,
  disturbance: Disturbance,
  target: Target,
): Disturbed => disturb(rolloutOf(bundle, how), disturbance, target);

/** Disturbs a running fleet and prints what there is then. */
export function disturb(fleet: RunningFleet, disturbance: Disturbance, target: Target): Disturbed {
  const about = disturbance(fleet, target);
  return { dumps: new Map([...fleet].map(([id, it]) => [id, listOf(it)])), about };
}

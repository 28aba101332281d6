import { printAddress } from '../../base/net/text.ts';
import type { LabPlan, Probe, Seen } from './lab-plan.ts';

/** The result of a probe. */
export type Observation =
  | {
      readonly kind: 'answered';
      /** The cluster that answered. */
      readonly by: string;
      readonly seen: Seen;
      readonly milliseconds: number;
    }
  | { readonly kind: 'failed'; readonly why: string };

export interface Verdict {
  readonly probe: Probe;
  readonly agrees: boolean;
  /** Round-trip time; `null` without an answer. */
  readonly milliseconds: number | null;
  /** The observation as text. */
  readonly got: string;
}

/** Compares what every receiver saw with what it had to see. */
export function judgeProbes({ probes }: LabPlan, observations: ReadonlyMap<number, Observation>): readonly Verdict[] {
  return probes.map((probe) => judge(probe, observations.get(probe.id) ?? { kind: 'failed', why: 'it was not sent' }));
}

function judge(probe: Probe, it: Observation): Verdict {
  if (probe.isRefused) {
    const got = it.kind === 'failed' ? 'refused by a fence' : describeSeen(it.by, it.seen);
    return { probe, agrees: it.kind === 'failed', milliseconds: null, got };
  }
  if (it.kind === 'failed') return { probe, agrees: false, milliseconds: null, got: it.why };
  const { flow } = probe;
  const agrees =
    it.by === flow.to && it.seen.source === flow.expected.source && it.seen.destination === flow.expected.destination;
  return { probe, agrees, milliseconds: it.milliseconds, got: describeSeen(it.by, it.seen) };
}

/** `milan sees 10.68.0.0 at 10.202.90.151`. */
export const describeSeen = (receiver: string, { source, destination }: Seen): string =>
  `${receiver} sees ${printAddress(source)} at ${printAddress(destination)}`;

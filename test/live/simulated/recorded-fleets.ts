import { type LiveCluster, type Recording, recordings } from '../dumps/recordings.ts';
import { type ReleaseLine, requestOf, type SimulatedObject } from './objects.ts';
import type { Delay } from './work-queue.ts';

/** A recorded fleet with the release that its folder names. */
export interface RecordedFleet extends Recording {
  readonly release: ReleaseLine;
}

export const recordedFleets = (): readonly RecordedFleet[] =>
  recordings()
    // The simulated controllers are those of the network: nothing is shared.
    .filter((it) => it.compiled.model.shares.length === 0)
    .map((it) => ({ ...it, release: it.name.split(' ')[1] as ReleaseLine }));

export const objectsOf = ({ objects }: LiveCluster): readonly SimulatedObject[] =>
  [...objects.values()] as unknown as readonly SimulatedObject[];

/** More steps than any fleet takes between two objects of a kind; IPs come of Networks, so they wait for all of them. */
const STEPS: Readonly<Record<string, number>> = { Network: 10_000, IP: 10_000_000 };

/**
 * Holds back what one after the other got in a recorded cluster, so that it comes in that order again: the version of an
 * object is that of its status. Chance decided it there.
 */
export function asRecorded(objects: readonly SimulatedObject[], kinds: readonly string[]): Delay {
  const versions = objects
    .filter((it) => kinds.includes(it.kind) && it.metadata.namespace !== 'liqo')
    .sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion));
  const ranks = new Map(
    versions.map((it, i) => [`${it.kind.toLowerCase()} ${requestOf(it)}`, i * (STEPS[it.kind] ?? 0)]),
  );
  return (controller, request) => ranks.get(`${controller} ${request}`) ?? 0;
}

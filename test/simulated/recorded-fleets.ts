import { type LiveCluster, type Recording, recordings } from '../live/recordings.ts';
import type { ReleaseLine, SimulatedObject } from './objects.ts';

/** A recorded fleet with the release that its folder names. */
export interface RecordedFleet extends Recording {
  readonly release: ReleaseLine;
}

export const recordedFleets = (): readonly RecordedFleet[] =>
  recordings().map((it) => ({ ...it, release: it.name.split(' ')[1] as ReleaseLine }));

export const objectsOf = ({ objects }: LiveCluster): readonly SimulatedObject[] =>
  [...objects.values()] as unknown as readonly SimulatedObject[];

import { describe, expect, it } from 'vitest';
import { sharingRecordings } from '../../../fleet/sharing/recordings.ts';
import { dumpOf, importLive, ownNetworks } from './import-recording.ts';

describe('recorded sharing, imported', () => {
  it.each(sharingRecordings().map((it) => [it.name, it] as const))('compiles to what runs: %s', (name, recording) => {
    const release = name.split(' v')[1] ?? '';
    const live = [...recording.after].map(([cluster, objects]) =>
      dumpOf(cluster, [...objects, ...ownNetworks(recording.compiled.bundle, cluster, release)]),
    );
    const { drift, compared } = importLive(live);
    expect(Object.fromEntries(drift)).toEqual(Object.fromEntries(live.map((it) => [it.cluster, []])));
    expect(compared).toBeGreaterThan(20);
  });
});

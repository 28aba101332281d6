import { expect, it } from 'vitest';
import { promisedObjects } from '../../../src/live/drift/promised-objects.ts';

/** Counts how many of its paths are looked at. */
class CountingBundle extends Map<string, string> {
  seen = 0;

  override *keys(): MapIterator<string> {
    for (const it of super.keys()) {
      this.seen++;
      yield it;
    }
  }
}

it('looks at each path of a bundle once, however many clusters are asked for', () => {
  const clusters = Array.from({ length: 300 }, (_, i) => `c${i}`);
  const bundle = new CountingBundle(
    clusters.map((it) => [
      `${it}/peers/hub/hub.yaml`,
      `apiVersion: v1\nkind: Namespace\nmetadata: { name: of-${it} }\n`,
    ]),
  );
  for (const it of clusters)
    expect([...promisedObjects(it, { bundle, root: 'out' }).keys()]).toEqual([`Namespace /of-${it}`]);
  expect(bundle.seen).toBe(clusters.length);
});

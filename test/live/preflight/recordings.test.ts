import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../../src/live/dumps/kubernetes-object.ts';
import { drawn, firstOfEach } from '../../support/drawn.ts';
import { fieldsOf, type LiveCluster, recordings } from '../dumps/recordings.ts';
import { liveCluster, livePlan } from './live-plan.ts';

const all = recordings();
/** On a push, one of those with the same fields. */
const named = drawn(all, firstOfEach(fieldsOf)).map((it) => [it.name, it] as const);

const objectsOf = ({ objects }: LiveCluster) => [...objects.values()] as unknown as readonly KubernetesObject[];

describe('the plan from a recorded fleet', () => {
  it.each(named)('is empty where nobody touched it, all of it or any one cluster: %s', (_, { rebuilt, clusters }) => {
    const live = clusters.map((it) => liveCluster(it.name, objectsOf(it)));
    for (const some of [live, ...live.map((it) => [it])]) {
      const { changes, files } = livePlan(rebuilt, some);
      expect({ changes, files: files.map((it) => it.path) }).toEqual({ changes: [], files: [] });
    }
  });

  it('is the views that moved, and nothing else, after another order of applying', () => {
    let moved = 0;
    for (const { rebuilt, after } of all) {
      for (const it of after.filter((one) => /^(reverse|atonce|shuffle-\d+|del2?)$/.test(one.what))) {
        // Recorded on another day, with other keys.
        const objects = objectsOf(it).filter((one) => one.kind !== 'PublicKey');
        const { changes, files } = livePlan(rebuilt, [liveCluster(it.name, objects)]);
        for (const change of changes) {
          expect(change).toMatchObject({ cluster: it.name, disruptive: true });
          expect(['view-moved', 'order-changed']).toContain(change.kind);
          moved++;
        }
        expect(files.every((file) => file.explainedBy.length > 0)).toBe(true);
      }
    }
    expect(moved).toBeGreaterThan(0);
  });
});

import { describe, expect, it } from 'vitest';
import { endpointPaths } from '../../../src/reach/services/endpoint-paths.ts';
import { endpointClusters, serviceClusters } from '../../../src/reach/services/find-namespace.ts';
import { arrives } from '../../../src/reach/trace/fates.ts';
import { pairFatesOf } from '../../../src/reach/trace/pair-fates.ts';
import { compiledFleets } from '../../support/fleets.ts';

const namespaces = compiledFleets().flatMap(({ name, compiled: { model } }) =>
  model.offloadings.map((it) => ({ name: `${name}: ${it.cluster.name}/${it.namespace}`, model, namespace: it })),
);

describe('the paths to the endpoints of every namespace of the goldens', () => {
  it('are there to be checked', () => expect(namespaces.length).toBeGreaterThan(3));

  it.each(namespaces)('are those that the packet takes: $name', ({ model, namespace }) => {
    const fates = pairFatesOf(model);
    const consumer = namespace.cluster.name;
    for (const from of serviceClusters(namespace)) {
      const paths = endpointPaths(model, namespace, from, fates) ?? [];
      expect(paths.map((it) => it.cluster)).toEqual(endpointClusters(namespace).map((it) => it.name));
      for (const { cluster, way, fate, why, change, trace } of paths) {
        expect(way === 'local').toBe(cluster === from.name);
        expect(why).toMatch(/^[A-Z"].*\.$/);
        expect(change === null).toBe(fate === 'delivered');
        const walked = trace?.();
        if (walked) expect(arrives(walked.fate)).toBe(fate === 'delivered');
        if (way === 'hub') expect(walked?.route).toMatchObject({ kind: 'through', hub: consumer });
        if (way === 'link' || way === 'direct' || way === 'shortcut') expect(walked?.route.kind).toBe('direct');
      }
    }
  });
});

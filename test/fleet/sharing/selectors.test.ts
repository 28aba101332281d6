import { describe, expect, it } from 'vitest';
import { lowerOffloading } from '../../../src/bundle/liqo/sharing/lower-sharing.ts';
import { compiledFleets } from '../../support/fleets.ts';

/**
 * A virtual node has the type label only once its Node exists, and terms that separate the slices of one provider make
 * Liqo create and delete the remote namespace in turn. Neither can be written in a topology: `to` is about clusters.
 */
describe('the selector of an offloaded namespace', () => {
  const offloadings = compiledFleets().flatMap(({ name, compiled }) =>
    compiled.model.offloadings.map((it) => [`${name}: ${it.namespace}`, it] as const),
  );

  it('is tested with some', () => expect(offloadings.length).toBeGreaterThan(3));

  it.each(offloadings)('reads nothing but the ID of clusters: %s', (_, offloaded) => {
    const manifests = JSON.stringify(lowerOffloading(offloaded));
    const keys = [...manifests.matchAll(/"key":"([^"]*)"/g)].map(([, key]) => key);
    expect(new Set(keys)).toEqual(new Set(['liqo.io/remote-cluster-id']));
    // Kubernetes refuses pods with an empty list.
    expect(manifests).not.toContain('"values":[]');
  });
});

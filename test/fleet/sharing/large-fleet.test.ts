import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { plainPaint } from '../../../src/answers/report/paint.ts';
import { printDiagnostics } from '../../../src/answers/report/print-diagnostics.ts';
import { verifyBundle } from '../../../src/proof/verify/verify-bundle.ts';
import { checkManifest } from '../../support/crd.ts';
import { kubectlAvailable, kustomizeAll } from '../../support/kubectl.ts';
import { largeFleet } from './large-fleet.ts';
import { appliedObjects } from './simulated/run-liqo.ts';
import { keyOf, type Simulated } from './simulated/simulated-cluster.ts';

describe('a fleet of 20 clusters with 31 slices', () => {
  const { inputs, bundle, model } = largeFleet();

  it('compiles to bundles without an error', () => {
    expect(model.clusters.size).toBe(20);
    expect(model.shares.flatMap((it) => it.slices).length).toBe(31);
    const found = verifyBundle({ files: bundle, root: 'out', sources: inputs, compiled: bundle });
    expect(printDiagnostics(found, { paint: plainPaint, verbose: true })).toBe('');
  });

  it('consists of objects that Liqo accepts', () => {
    const texts = [...bundle].filter(([path]) => /\/(expected|sharing|offloading)\/(?!kustomization)/.test(path));
    const objects = texts.flatMap(([, text]) =>
      parseAllDocuments(text).map((it) => it.toJS() as { apiVersion: string }),
    );
    const ofLiqo = objects.filter((it) => /(authentication|offloading|core)\.liqo\.io\//.test(it.apiVersion));
    expect(ofLiqo.length).toBeGreaterThan(200);
    expect(ofLiqo.flatMap((it) => checkManifest(it, '1.2.0'))).toEqual([]);
  });

  it.skipIf(!kubectlAvailable())('is what kustomize applies, cluster by cluster (skipped without kubectl)', () => {
    const folder = mkdtempSync(join(tmpdir(), 'weft-large-'));
    try {
      for (const [path, text] of bundle) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
      const clusters = [...model.clusters.keys()];
      const built = kustomizeAll(
        clusters.map((it) => join(folder, it)),
        join(folder, 'built'),
      );
      const objects = appliedObjects(bundle, clusters);
      for (const [index, text] of built.entries()) {
        const keys = parseAllDocuments(text).map((it) => keyOf(it.toJS() as Simulated));
        const applied = objects.get(clusters[index] ?? '') ?? [];
        expect(keys.toSorted()).toEqual(applied.map(keyOf).toSorted());
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

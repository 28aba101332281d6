import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type Compiled, compile } from '../../src/compile.ts';
import { plainPaint } from '../../src/report/paint.ts';
import { printDiagnostics } from '../../src/report/print-diagnostics.ts';
import { verifyBundle } from '../../src/verify/verify-bundle.ts';
import { checkManifest, crdsAvailable } from '../support/crd.ts';

const SPOKES = Array.from({ length: 19 }, (_, i) => `spoke-${i + 1}`);

/** A hub that borrows from all its spokes, two slices of every other one, and lends to the first two of them: 20 clusters. */
function largeFleet(): Compiled {
  const clusters = SPOKES.map((it, i) => `  ${it}: { podCIDR: 10.${120 + i}.0.0/16 }\n`);
  const borrowed = SPOKES.map((it, i) => {
    const slices = i % 2 === 0 ? `slices: [{ name: ${it}-a, ${SIZE} }, { name: ${it}-b, ${SIZE} }]` : SIZE;
    return `  - { consumer: hub, provider: ${it}, auth: credentials, ${slices} }\n`;
  });
  const lent = SPOKES.slice(0, 2).map((it) => `  - { consumer: ${it}, provider: hub, auth: credentials, ${SIZE} }\n`);
  const text = `version: 1
name: large
hub: hub
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.0.0/24] }
clusters:
  hub: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
${clusters.join('')}sharing:
${borrowed.join('')}${lent.join('')}offloading:
  - { cluster: hub, namespace: demo }
  - { cluster: hub, namespace: batch, to: [spoke-1, spoke-2], pods: Remote, remoteName: work }
`;
  const outcome = compile(
    { topology: { path: 'topology.yaml', text }, keys: undefined, lock: undefined },
    { relock: [], only: null },
  );
  if (!outcome.ok) throw new Error(printDiagnostics(outcome.diagnostics, { paint: plainPaint, verbose: true }));
  return outcome.value;
}

const SIZE = 'resources: { cpu: 4, memory: 8Gi, pods: 110 }';

describe('a fleet of 20 clusters with 31 slices', () => {
  const { inputs, bundle, model } = largeFleet();

  it('compiles to bundles without an error', () => {
    expect(model.clusters.size).toBe(20);
    expect(model.shares.flatMap((it) => it.slices).length).toBe(31);
    const found = verifyBundle({ files: bundle, root: 'out', sources: inputs, compiled: bundle });
    expect(printDiagnostics(found, { paint: plainPaint, verbose: true })).toBe('');
  });

  it.skipIf(!crdsAvailable())('consists of objects that Liqo accepts (skipped without ../shared/liqo-crds)', () => {
    const texts = [...bundle].filter(([path]) => /\/(expected|sharing|offloading)\/(?!kustomization)/.test(path));
    const objects = texts.flatMap(([, text]) =>
      parseAllDocuments(text).map((it) => it.toJS() as { apiVersion: string }),
    );
    const ofLiqo = objects.filter((it) => /(authentication|offloading|core)\.liqo\.io\//.test(it.apiVersion));
    expect(ofLiqo.length).toBeGreaterThan(200);
    expect(ofLiqo.flatMap((it) => checkManifest(it, '1.2.0'))).toEqual([]);
  });
});

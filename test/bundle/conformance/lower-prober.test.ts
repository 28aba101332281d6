import { describe, expect, it } from 'vitest';
import { compile } from '../../../src/compile.ts';

/** The file of the prober of rome, and those of all clusters. */
function probersOf(platform: string) {
  const text = `
version: 1
name: fleet
conformance: true
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  rome: { podCIDR: 10.1.0.0/16, gateway: 203.0.113.1, platform: ${platform} }
  milan: { podCIDR: 10.2.0.0/16 }
  oslo: { podCIDR: 10.3.0.0/16, retired: true }
peerings: [[rome, milan]]
`;
  const result = compile(
    { topology: { path: 'topology.yaml', text }, keys: undefined, lock: undefined },
    { relock: [], only: null },
  );
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics.map((one) => one.message)));
  const files = [...result.value.bundle].filter(([path]) => path.endsWith('/conformance/prober.yaml'));
  return { rome: new Map(files).get('rome/conformance/prober.yaml') ?? '', paths: files.map(([path]) => path) };
}

describe('the prober', () => {
  it('is in the bundle of every cluster that is not retired', () => {
    expect(probersOf('kubeadm').paths).toEqual(['milan/conformance/prober.yaml', 'rome/conformance/prober.yaml']);
  });

  it('runs as a user of its own, or as the one that OpenShift chooses for its namespace', () => {
    expect(probersOf('kubeadm').rome).toContain('runAsUser: 65534');
    const { rome } = probersOf('openshift');
    expect(rome).toContain('runAsNonRoot: true');
    expect(rome).not.toMatch(/runAsUser|runAsGroup/);
  });

  it('is deleted with its namespace, which no annotation keeps', () => {
    expect(probersOf('kubeadm').rome).not.toMatch(/Prune=|Delete=|prune: disabled/);
  });
});

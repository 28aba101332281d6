import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { importLive } from './import-recording.ts';
import { liqoctlFleet } from './liqoctl-fleet.ts';

describe('a fleet that liqoctl made', () => {
  const live = liqoctlFleet({
    clusters: ['milan', 'rome', 'turin'],
    loans: [
      { consumer: 'rome', provider: 'milan' },
      { consumer: 'rome', provider: 'turin', resources: {} },
      { consumer: 'turin', provider: 'rome', resources: { cpu: '2500m', memory: '6Gi', 'nvidia.com/gpu': '1' } },
    ],
    offloaded: { rome: ['demo', 'shop'] },
  });
  const { sources, drift, diagnostics, compared } = importLive(live);
  const topology = parse(sources.topology.text);

  it('is written as a person would have written it', () => {
    expect(topology.sharing).toEqual([
      { consumer: 'rome', provider: 'milan', name: 'milan', resources: { cpu: 4, memory: '8Gi' } },
      { consumer: 'rome', provider: 'turin', name: 'turin' },
      {
        consumer: 'turin',
        provider: 'rome',
        name: 'rome',
        resources: { cpu: '2500m', memory: '6Gi', 'nvidia.com/gpu': 1 },
      },
    ]);
    expect(topology.offloading).toEqual([
      { cluster: 'rome', namespace: 'demo', createNamespace: false },
      { cluster: 'rome', namespace: 'shop', createNamespace: false },
    ]);
    expect(topology.clusters.milan.apiServer).toBe('https://milan.example:6443');
  });

  it('keeps the key, every nonce, every signature, every request and every answer', () => {
    const { authentication } = parse(sources.keys?.text ?? '');
    expect(Object.keys(authentication)).toEqual(['rome', 'turin']);
    expect(Object.keys(authentication.rome.providers)).toEqual(['turin']);
    expect(Object.keys(authentication.rome.slices)).toEqual(['milan', 'turin']);
    const { identities } = parse(sources.identities?.text ?? '');
    expect(Object.keys(identities.rome)).toEqual(['milan', 'turin']);
    expect(Object.keys(identities.turin)).toEqual(['rome']);
  });

  it('would not be signed again, and nothing of it made again: only selectors are written in another way', () => {
    expect(Object.fromEntries(drift)).toEqual({
      milan: [],
      rome: [
        'different NamespaceOffloading demo/offloading spec.clusterSelector.nodeSelectorTerms',
        'different NamespaceOffloading shop/offloading spec.clusterSelector.nodeSelectorTerms',
      ],
      turin: [],
    });
    expect(compared).toBeGreaterThan(80);
    const found = diagnostics.filter((it) => it.code.startsWith('import/') && it.code !== 'import/pools-unknown');
    expect(found.map((it) => it.message)).toEqual([
      'NamespaceOffloading demo/offloading of "rome": its selector is not the one that weft writes: now it selects "milan", "turin", then by name',
      'NamespaceOffloading shop/offloading of "rome": its selector is not the one that weft writes: now it selects "milan", "turin", then by name',
      'what the chart of Liqo was given for loans is not known of "milan", "rome", "turin", so nothing is written of it',
    ]);
  });
});

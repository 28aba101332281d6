import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { Compiled } from '../src/compile.ts';
import { compileGolden } from './support/golden.ts';
import { readVector } from './support/vectors.ts';

function compiled(folder: string): Compiled {
  const outcome = compileGolden(folder);
  if (!outcome.ok) throw new Error(`${folder} does not compile`);
  return outcome.value;
}

/** One view a line, `rome sees milan pod 10.203.0.0/16 as 10.203.0.0/16`, from the file that other programs read. */
function viewsOf({ bundle }: Compiled): readonly string[] {
  const { views } = JSON.parse(bundle.get('addresses.json') ?? '') as {
    readonly views: readonly Readonly<Record<'cluster' | 'peer' | 'kind' | 'cidr' | 'seenAs', string>>[];
  };
  return views.map((it) => `${it.cluster} sees ${it.peer} ${it.kind} ${it.cidr} as ${it.seenAs}`).sort();
}

/** The expected views of gateways and controllers, from the Networks that Liqo must create. */
function expectedNetworksOf({ bundle }: Compiled, cluster: string): Readonly<Record<string, string>> {
  const networks = parseAllDocuments(bundle.get(`${cluster}/expected/networks.yaml`) ?? '').map(
    (it) => it.toJS() as { metadata: { name: string }; status: { cidr: string } },
  );
  return Object.fromEntries(networks.map((it) => [it.metadata.name, it.status.cidr]));
}

interface SeedTable {
  readonly name: string;
  readonly clusters: readonly { readonly name: string; readonly internalResult: string }[];
  readonly rows: readonly Readonly<
    Record<'cluster' | 'remote' | 'pod' | 'podRemapped' | 'external' | 'externalRemapped', string>
  >[];
}

describe('the first deck: best-fit, Europe, Rome and Milan', () => {
  it('has the 12 views of the published table', () => {
    const { tests } = JSON.parse(readVector('ipam/seed-tables.json')) as { readonly tests: readonly SeedTable[] };
    const table = tests.find((it) => it.name === 'published-table');
    const published = (table?.rows ?? []).flatMap((it) => {
      const about = `${it.cluster.toLowerCase()} sees ${it.remote.toLowerCase()}`;
      return [
        `${about} pod ${it.pod} as ${it.podRemapped}`,
        `${about} external ${it.external} as ${it.externalRemapped}`,
      ];
    });
    const deck = compiled('deck-one-best-fit');
    expect(published.length).toBe(12);
    expect(viewsOf(deck)).toEqual(published.sort());
    for (const it of table?.clusters ?? [])
      expect(expectedNetworksOf(deck, it.name.toLowerCase())['internal-cidr']).toBe(it.internalResult);
  });

  it('has them as the slides print them', () => {
    expect(viewsOf(compiled('deck-one-best-fit'))).toEqual([
      'europe sees milan external 10.70.0.0/16 as 10.68.0.0/16',
      'europe sees milan pod 10.203.0.0/16 as 10.203.0.0/16',
      'europe sees rome external 10.70.0.0/16 as 10.201.0.0/16',
      'europe sees rome pod 10.202.0.0/16 as 10.202.0.0/16',
      'milan sees europe external 10.70.0.0/16 as 10.201.0.0/16',
      'milan sees europe pod 10.200.0.0/16 as 10.200.0.0/16',
      'milan sees rome external 10.70.0.0/16 as 10.68.0.0/16',
      'milan sees rome pod 10.202.0.0/16 as 10.202.0.0/16',
      'rome sees europe external 10.70.0.0/16 as 10.201.0.0/16',
      'rome sees europe pod 10.200.0.0/16 as 10.200.0.0/16',
      'rome sees milan external 10.70.0.0/16 as 10.68.0.0/16',
      'rome sees milan pod 10.203.0.0/16 as 10.203.0.0/16',
    ]);
  });
});

describe('the second deck: Liqo 1.0, one pod CIDR in all three clusters', () => {
  const deck = compiled('deck-two-one-pod-cidr-everywhere');

  it('has the 12 views of the slides', () => {
    expect(viewsOf(deck)).toEqual([
      'cluster2 sees cluster3 external 10.70.0.0/16 as 10.56.0.0/16',
      'cluster2 sees cluster3 pod 10.200.0.0/16 as 10.61.0.0/16',
      'cluster2 sees hub external 10.70.0.0/16 as 10.60.0.0/16',
      'cluster2 sees hub pod 10.200.0.0/16 as 10.63.0.0/16',
      'cluster3 sees cluster2 external 10.70.0.0/16 as 10.56.0.0/16',
      'cluster3 sees cluster2 pod 10.200.0.0/16 as 10.61.0.0/16',
      'cluster3 sees hub external 10.70.0.0/16 as 10.60.0.0/16',
      'cluster3 sees hub pod 10.200.0.0/16 as 10.62.0.0/16',
      'hub sees cluster2 external 10.70.0.0/16 as 10.62.0.0/16',
      'hub sees cluster2 pod 10.200.0.0/16 as 10.60.0.0/16',
      'hub sees cluster3 external 10.70.0.0/16 as 10.56.0.0/16',
      'hub sees cluster3 pod 10.200.0.0/16 as 10.63.0.0/16',
    ]);
  });

  it('tells its operator what the slides tell: the hub view of the other leaf, and the view of the shortcut', () => {
    const [shortcut] = parseAllDocuments(deck.bundle.get('hub/expected/foreignclusterconnections.yaml') ?? '').map(
      (it) => it.toJS() as { spec: Record<string, unknown>; status: Record<string, unknown> },
    );
    const { foreignClusterA, foreignClusterB } = shortcut?.spec ?? {};
    expect({ foreignClusterA, foreignClusterB }).toEqual({ foreignClusterA: 'cluster2', foreignClusterB: 'cluster3' });
    expect(shortcut?.status).toEqual({
      isConnected: true,
      phase: 'Connected',
      foreignClusterANetworking: { podCIDR: '10.63.0.0/16', remappedPodCIDR: '10.61.0.0/16' },
      foreignClusterBNetworking: { podCIDR: '10.60.0.0/16', remappedPodCIDR: '10.61.0.0/16' },
    });
  });

  it('expects Networks of these names with these addresses', () => {
    const { 'cluster2-pod': c2, 'cluster3-pod': c3, ...own } = expectedNetworksOf(deck, 'hub');
    expect([c2, c3, own['external-cidr'], own['internal-cidr']]).toEqual([
      '10.60.0.0/16',
      '10.63.0.0/16',
      '10.70.0.0/16',
      '10.80.0.0/16',
    ]);
  });
});

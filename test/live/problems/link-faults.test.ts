import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../../src/live/dumps/kubernetes-object.ts';
import { observeCluster } from '../../../src/live/facts/cluster.ts';
import { faultText, linkFaults } from '../../../src/live/problems/link-faults.ts';
import { TOPOLOGY } from '../../host/cli/memory-host.ts';
import { dumpsOf } from '../../support/dumps-of.ts';
import { withKeysFiles } from '../../support/keys-of.ts';
import type { LiveItem } from '../../support/objects-at-rest.ts';
import { type LiveCluster, recordings } from '../dumps/recordings.ts';
import { liveCluster } from '../preflight/live-plan.ts';

const FILES = withKeysFiles({ 'topologies/topology.yaml': TOPOLOGY });

type Edit = (it: LiveItem) => readonly LiveItem[];

const isAboutMilan = (it: LiveItem): boolean =>
  JSON.stringify(it.metadata).includes('"liqo.io/remote-cluster-id":"milan"');

/** The findings after an edit of rome's objects about milan. */
function faultsAfter(edit: Edit, isOfLink = isAboutMilan) {
  const dumps = dumpsOf(FILES, (it, cluster) => (cluster === 'rome' && isOfLink(it) ? edit(it) : [it]));
  const clusters = Object.entries(dumps).map(([path, text]) => {
    const { items } = JSON.parse(text) as { readonly items: readonly KubernetesObject[] };
    return observeCluster(liveCluster(path.replace(/^dumps\/(.*)\.json$/, '$1'), items));
  });
  return linkFaults(clusters).map((it) => [it.kind, it.stops, faultText(it)] as const);
}

const without =
  (kind: RegExp): Edit =>
  (it) =>
    kind.test(it.kind) ? [] : [it];

const withSpec =
  (kind: RegExp, edit: (it: LiveItem) => object): Edit =>
  (it) => [kind.test(it.kind) ? ({ ...it, ...edit(it) } as LiveItem) : it];

const twice =
  (kind: RegExp): Edit =>
  (it) =>
    kind.test(it.kind) ? [it, { ...it, metadata: { ...it.metadata, name: `${it.metadata.name}-2` } }] : [it];

/** An object of rome itself. */
const OWN = { pod: ['10.202.0.0/16'], external: ['10.254.224.0/20'] };

const CIDRS = { pod: ['10.99.0.0/16'], external: ['10.98.0.0/20'] };

describe('faults of live links', () => {
  it('are none where all is well', () => {
    expect(faultsAfter((it) => [it])).toEqual([]);
  });

  it('are none for a link that is gone but for its namespace', () => {
    expect(faultsAfter((it) => (it.kind === 'Namespace' ? [it] : []))).toEqual([]);
  });

  it.each([
    ['no-gateway', true, without(/^Gateway/), 'rome towards milan: it has no gateway'],
    ['no-configuration', true, without(/^Configuration/), 'rome towards milan: it has no Configuration'],
    ['no-public-key', false, without(/^PublicKey/), 'it has no PublicKey, so its gateway does not know the peer'],
    ['no-connection', true, without(/^Connection/), 'its gateway has written no Connection'],
    [
      'no-view',
      true,
      withSpec(/^Configuration/, () => ({ status: {} })),
      'the Configuration liqo-tenant-milan/milan has no status, so nothing is translated',
    ],
    [
      'stale-local',
      false,
      withSpec(/^Configuration/, (it) => ({ spec: { ...it.spec, local: { cidr: { ...OWN, pod: CIDRS.pod } } } })),
      'has 10.99.0.0/16 as its own pod networks, which are 10.202.0.0/16',
    ],
    [
      'not-connected',
      true,
      withSpec(/^Connection/, () => ({ status: { value: 'Error' } })),
      'the Connection liqo-tenant-milan/gw-milan is "Error"',
    ],
    [
      'stale-local',
      false,
      withSpec(/^Configuration/, (it) => ({ spec: { ...it.spec, local: { cidr: { ...OWN, external: [] } } } })),
      'has none as its own external networks, which are 10.254.224.0/20',
    ],
    [
      'no-view',
      false,
      withSpec(/^Configuration/, () => ({ status: { remote: { cidr: { pod: ['10.202.0.0/16'] } } } })),
      'the Configuration liqo-tenant-milan/milan does not have a network for each CIDR of milan',
    ],
    ['mtu-differs', false, withSpec(/^Gateway/, (it) => ({ spec: { ...it.spec, mtu: 1300 } })), 'the MTU'],
    ['several', false, twice(/^PublicKey/), 'it has 2 PublicKeys, and Liqo wants one'],
    ['several', true, twice(/^Configuration/), 'it has 2 Configurations'],
  ] as const)('are %s', (kind, stops, edit, text) => {
    const found = faultsAfter(edit);
    expect(found).toEqual([[kind, stops, expect.stringContaining(text)]]);
  });

  it('stop nothing where no dump has shown an object of that kind', () => {
    const found = faultsAfter(without(/^Gateway(Server|Client)$/), () => true);
    expect(found.filter(([kind]) => kind === 'no-gateway')).toEqual(
      ['europe', 'milan'].map((peer) => ['no-gateway', false, `rome towards ${peer}: its gateways were not read`]),
    );
  });

  it('are networks that the peer does not have', () => {
    const stale = withSpec(/^Configuration/, (it) => ({ spec: { ...it.spec, remote: { cidr: CIDRS } } }));
    expect(faultsAfter(stale)).toEqual([
      ['stale-view', true, expect.stringContaining('has pod 10.99.0.0/16, and milan has 10.202.0.0/16')],
      ['stale-view', false, expect.stringContaining('has external 10.98.0.0/20')],
    ]);
  });
});

describe('faults of recorded links', () => {
  const observed = ({ name, objects }: LiveCluster) =>
    observeCluster(liveCluster(name, objects.values() as unknown as Iterable<KubernetesObject>));

  it.each(recordings().map((it) => [it.name, it] as const))('are none at rest: %s', (_, { clusters }) => {
    const faults = linkFaults(clusters.map(observed));
    expect(faults.filter((it) => it.kind !== 'not-connected' && it.kind !== 'no-connection')).toEqual([]);
  });
});

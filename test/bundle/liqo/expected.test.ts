import { describe, expect, it } from 'vitest';
import { prefixOf } from '../../../src/base/net/text.ts';
import { expectedConfiguration, expectedNetworks } from '../../../src/bundle/liqo/expected-networks.ts';
import { helmValues } from '../../../src/bundle/liqo/helm-values.ts';
import type { Manifest } from '../../../src/bundle/liqo/manifest.ts';
import type { AddressedCluster } from '../../../src/fleet/ipam/addressed-model.ts';
import { auto, cluster, explicit, link, model, pair, peer, RELEASES, reservedAs } from './fixtures.ts';
import { plain } from './plain.ts';

/** A cluster with a peer that has two pod CIDRs, one of them remapped. */
function withTwoPodCidrs() {
  const along = link('rome', 'europe');
  const pods = ['10.200.0.0/16', '10.201.0.0/16'];
  const rome = cluster('rome', { podCIDRs: pods });
  const europe = cluster('europe', {
    peers: [
      peer('europe', along, {
        pods: [
          ['10.200.0.0/16', '10.71.0.0/16'],
          ['10.201.0.0/16', '10.201.0.0/16'],
        ],
        external: ['10.70.0.0/16', '10.68.0.0/16'],
      }),
    ],
  });
  return { europe, model: model([europe, rome], [along]) };
}

describe('expectedConfiguration', () => {
  it.each(RELEASES)('contains the views that a cluster on %s has of its peer', (release) => {
    const { rome } = pair({ release });
    const labels = { 'liqo.io/remote-cluster-id': 'europe' };
    expect([...rome.peers.values()].map((it) => expectedConfiguration(rome, it))).toEqual([
      {
        apiVersion: 'networking.liqo.io/v1beta1',
        kind: 'Configuration',
        metadata: {
          name: 'europe',
          namespace: 'liqo-tenant-europe',
          labels: release === '1.2.0' ? labels : { ...labels, 'configuration.liqo.io/configured': 'true' },
        },
        spec: {
          local: { cidr: { pod: ['10.200.0.0/16'], external: ['10.70.0.0/16'] } },
          remote: { cidr: { pod: ['10.200.0.0/16'], external: ['10.70.0.0/16'] } },
        },
        status: { remote: { cidr: { pod: ['10.71.0.0/16'], external: ['10.68.0.0/16'] } } },
      },
    ]);
  });

  it('has the views of two pod CIDRs, in their order', () => {
    const { europe } = withTwoPodCidrs();
    const [configuration] = [...europe.peers.values()].map((it) => expectedConfiguration(europe, it));
    const pod = ['10.71.0.0/16', '10.201.0.0/16'];
    expect(configuration?.['status']).toEqual({ remote: { cidr: { pod, external: ['10.68.0.0/16'] } } });
  });
});

const rows = (networks: readonly Manifest[]) =>
  networks.map(({ metadata, spec, status }) => {
    const labels = Object.entries(metadata.labels ?? {}).map(([key, value]) => `${key.split('/')[1]}=${value}`);
    return [
      `${metadata.namespace}/${metadata.name}`,
      labels.join(' '),
      JSON.stringify(spec),
      (status as { cidr: string }).cidr,
    ];
  });

const OWN: Parameters<typeof cluster>[1] = {
  serviceCIDR: '10.80.0.0/12',
  internalCIDR: prefixOf('10.71.0.0/16'),
  reserved: reservedAs('192.168.0.0/24', '192.168.1.0/24'),
};

describe('expectedNetworks', () => {
  it.each(['1.0.3', '1.1.2'])('has the Networks of an install of %s with their assigned CIDRs', (release) => {
    const networks = expectedNetworks(cluster('rome', { ...OWN, release }));
    expect(rows(networks)).toEqual([
      ['liqo/pod-cidr', 'network-type=pod-cidr network-not-remapped=true', '{"cidr":"10.200.0.0/16"}', '10.200.0.0/16'],
      [
        'liqo/service-cidr',
        'network-type=service-cidr network-not-remapped=true',
        '{"cidr":"10.80.0.0/12"}',
        '10.80.0.0/12',
      ],
      ['liqo/external-cidr', 'network-type=external-cidr', '{"cidr":"10.70.0.0/16","preAllocated":1}', '10.70.0.0/16'],
      ['liqo/internal-cidr', 'network-type=internal-cidr', '{"cidr":"10.80.0.0/16"}', '10.71.0.0/16'],
      [
        'liqo/reserved-1',
        'network-type=reserved network-not-remapped=true',
        '{"cidr":"192.168.0.0/24"}',
        '192.168.0.0/24',
      ],
      [
        'liqo/reserved-2',
        'network-type=reserved network-not-remapped=true',
        '{"cidr":"192.168.1.0/24"}',
        '192.168.1.0/24',
      ],
    ]);
    expect(networks.map((it) => it.metadata.annotations)).toEqual(
      networks.map(() => ({ 'liqo.io/preinstalled': 'true' })),
    );
  });

  it('pins CIDRs that are set explicitly on 1.2, and labels fixed Networks as shared', () => {
    const requests = { external: explicit('10.70.0.0/16'), internal: auto };
    const networks = expectedNetworks(
      cluster('rome', {
        ...OWN,
        ...requests,
        podCIDRs: ['10.200.0.0/16', '10.201.0.0/16'],
        liqoNamespace: 'liqo-system',
      }),
    );
    const pinned = (type: string) => `network-type=${type} network-not-remapped=true`;
    expect(rows(networks).map(([name, labels]) => [name, labels])).toEqual([
      ['liqo-system/pod-cidr-10-200-0-0-16', `${pinned('pod-cidr')} network-shared=true`],
      ['liqo-system/pod-cidr-10-201-0-0-16', `${pinned('pod-cidr')} network-shared=true`],
      ['liqo-system/service-cidr', `${pinned('service-cidr')} network-shared=true`],
      ['liqo-system/external-cidr', pinned('external-cidr')],
      ['liqo-system/internal-cidr', pinned('internal-cidr')],
      ['liqo-system/reserved-192-168-0-0-24', `${pinned('reserved')} network-shared=true`],
      ['liqo-system/reserved-192-168-1-0-24', `${pinned('reserved')} network-shared=true`],
    ]);
    expect(networks[4]).toMatchObject({ spec: { cidr: '10.71.0.0/16' }, status: { cidr: '10.71.0.0/16' } });
  });

  it('lets 1.2 move its defaults', () => {
    const [, , external, internal] = rows(expectedNetworks(cluster('rome')));
    expect([external?.[1], internal?.[1]]).toEqual(['network-type=external-cidr', 'network-type=internal-cidr']);
  });

  const peerRows = (it: AddressedCluster) => rows(expectedNetworks(it)).slice(4);

  it('has one pod and one external Network a peer before 1.2', () => {
    expect(peerRows(pair({ release: '1.1.2' }).rome)).toEqual([
      [
        'liqo-tenant-europe/europe-pod',
        'remote-cluster-id=europe cidr-type=pod',
        '{"cidr":"10.200.0.0/16","preAllocated":0}',
        '10.71.0.0/16',
      ],
      [
        'liqo-tenant-europe/europe-external',
        'remote-cluster-id=europe cidr-type=external',
        '{"cidr":"10.70.0.0/16","preAllocated":0}',
        '10.68.0.0/16',
      ],
    ]);
  });

  it('has one Network for each CIDR of a peer since 1.2, the CIDR in its name', () => {
    expect(peerRows(withTwoPodCidrs().europe).map((it) => [it[0], it[3]])).toEqual([
      ['liqo-tenant-rome/rome-pod-10-200-0-0-16', '10.71.0.0/16'],
      ['liqo-tenant-rome/rome-pod-10-201-0-0-16', '10.201.0.0/16'],
      ['liqo-tenant-rome/rome-external-10-70-0-0-16', '10.68.0.0/16'],
    ]);
  });
});

describe('helmValues', () => {
  const POOLS = ['10.0.0.0/8', '192.168.0.0/16', '172.16.0.0/12'];

  it('sets every value for a release before 1.2', () => {
    expect(plain(helmValues(cluster('rome', { ...OWN, release: '1.1.2' })))).toEqual({
      discovery: { config: { clusterID: 'rome' } },
      ipam: {
        pools: POOLS,
        podCIDR: '10.200.0.0/16',
        serviceCIDR: '10.80.0.0/12',
        externalCIDR: '10.70.0.0/16',
        internalCIDR: '10.80.0.0/16',
        reservedSubnets: ['192.168.0.0/24', '192.168.1.0/24'],
      },
    });
  });

  it('leaves defaults out since 1.2, where setting them would pin them', () => {
    expect(plain(helmValues(cluster('rome', { podCIDRs: ['10.200.0.0/16', '10.201.0.0/16'] })))).toEqual({
      discovery: { config: { clusterID: 'rome' } },
      ipam: {
        pools: POOLS,
        podCIDRs: ['10.200.0.0/16', '10.201.0.0/16'],
        serviceCIDR: '10.96.0.0/12',
        reservedSubnets: [],
      },
    });
  });

  it('sets CIDRs that weft carved and CIDRs that are requested', () => {
    const own = { external: auto, externalCIDR: prefixOf('10.12.0.0/16'), internal: explicit('10.90.0.0/16') };
    expect(helmValues(cluster('rome', own)).ipam).toMatchObject({
      externalCIDR: '10.12.0.0/16',
      internalCIDR: '10.90.0.0/16',
    });
  });
});

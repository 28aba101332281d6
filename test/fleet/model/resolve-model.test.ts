import { describe, expect, it } from 'vitest';
import { printLinkId } from '../../../src/base/core/lock-key.ts';
import { compiledText, compileText, linesOf, ofCode } from '../../support/compile-text.ts';

/** A hub link between rome (the spoke) and the hub `zeta`, with these gateways and this entry for the link. */
function hubLink({ rome = '', zeta = '', entry = '' }: { rome?: string; zeta?: string; entry?: string }): string {
  return `
version: 1
name: fleet
hub: zeta
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  rome: { podCIDR: 10.201.0.0/16${rome && `, gateway: ${rome}`} }
  zeta: { podCIDR: 10.202.0.0/16${zeta && `, gateway: ${zeta}`} }
${entry && `peerings: [{ between: [rome, zeta], ${entry} }]`}
`;
}

const peering = (ends: Parameters<typeof hubLink>[0]): string =>
  hubLink({ ...ends, entry: ends.entry || 'mtu: 1340' }).replace('hub: zeta\n', '');

const linkOf = (text: string) => compiledText(text).model.links[0];

describe('the server end of a link', () => {
  it.each([
    [
      'is the one that `server` names',
      hubLink({ rome: '203.0.113.1', zeta: '203.0.113.2', entry: 'server: rome' }),
      'rome',
    ],
    [
      'is the one that `server` names, even where the other prefers to serve',
      hubLink({ rome: '203.0.113.1', zeta: '{ addresses: [203.0.113.2], server: prefer }', entry: 'server: rome' }),
      'rome',
    ],
    [
      'needs no gateway address where the entry has one',
      hubLink({ zeta: '203.0.113.2', entry: 'server: rome, address: rome.example.com' }),
      'rome',
    ],
    [
      'is the one that prefers it',
      hubLink({ rome: '{ addresses: [203.0.113.1], server: prefer }', zeta: '203.0.113.2' }),
      'rome',
    ],
    [
      'is the hub where both prefer it',
      hubLink({
        rome: '{ addresses: [203.0.113.1], server: prefer }',
        zeta: '{ addresses: [203.0.113.2], server: prefer }',
      }),
      'zeta',
    ],
    [
      'is never one that prefers it and cannot be dialled',
      hubLink({ rome: '{ server: prefer }', zeta: '203.0.113.2' }),
      'zeta',
    ],
    ['is the only one that can be dialled', hubLink({ rome: '203.0.113.1' }), 'rome'],
    ['is dialled at `dial` behind NAT', hubLink({ rome: '{ dial: { address: 198.51.100.7 } }' }), 'rome'],
    [
      'is dialled at its load balancer IP',
      hubLink({ rome: '{ service: LoadBalancer, loadBalancerIP: 203.0.113.9 }' }),
      'rome',
    ],
    [
      'is never one with `server: never`',
      hubLink({ rome: '203.0.113.1', zeta: '{ addresses: [203.0.113.2], server: never }' }),
      'rome',
    ],
    ['is the hub, else', hubLink({ rome: '203.0.113.1', zeta: '203.0.113.2' }), 'zeta'],
    ['is the name that sorts first, without a hub', peering({ rome: '203.0.113.1', zeta: '203.0.113.2' }), 'rome'],
  ])('%s', (_, text, server) => {
    expect(linkOf(text)?.server.cluster.name).toBe(server);
  });

  it.each([
    ['neither end has an address', hubLink({}), 'link/no-dialable-end'],
    [
      'the one that has an address never serves',
      hubLink({ rome: '{ addresses: [203.0.113.1], server: never }' }),
      'link/no-dialable-end',
    ],
    ['the named end has no address', hubLink({ rome: '203.0.113.1', entry: 'server: zeta' }), 'link/no-dialable-end'],
    [
      'the named end never serves',
      hubLink({ rome: '203.0.113.1', zeta: '{ addresses: [203.0.113.2], server: never }', entry: 'server: zeta' }),
      'link/server-never',
    ],
  ] as const)('is missing when %s, and both ends are named', (_, text, code) => {
    const [mistake] = ofCode(compileText(text), code);
    expect(mistake?.message).toContain('"zeta"');
    expect(mistake?.hint).toBeTruthy();
  });

  it('names both ends and what to add when none can be dialled', () => {
    const [mistake] = ofCode(compileText(hubLink({})), 'link/no-dialable-end');
    expect(mistake?.message).toContain('"rome"');
    expect(mistake?.message).toContain('"zeta"');
    expect(mistake?.hint).toContain('gateway');
  });
});

describe('what the client dials', () => {
  it.each([
    [
      'the address and port of the entry',
      hubLink({ zeta: '203.0.113.2', entry: 'address: gw.example.com, port: 4500' }),
      'gw.example.com',
      4500,
    ],
    [
      '`dial` rather than the first address',
      hubLink({ zeta: '{ addresses: [10.1.1.1], dial: { address: 198.51.100.7, port: 500 } }' }),
      '198.51.100.7',
      500,
    ],
    [
      'the first address and the node port',
      hubLink({ zeta: '{ addresses: [203.0.113.2, 203.0.113.3], nodePorts: "30005" }' }),
      '203.0.113.2',
      30_005,
    ],
    [
      'the service port of a load balancer',
      hubLink({ zeta: '{ addresses: [203.0.113.2], service: LoadBalancer, ports: 51840 }' }),
      '203.0.113.2',
      51_840,
    ],
  ])('is %s', (_, text, address, port) => {
    expect(linkOf(text)?.endpoint).toMatchObject({ address, port });
  });

  it('leaves the node port to weft where NAT maps another port to it', () => {
    const text = `
version: 1
name: fleet
hub: zeta
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  rome: { podCIDR: 10.201.0.0/16 }
  milan: { podCIDR: 10.203.0.0/16 }
  zeta: { podCIDR: 10.202.0.0/16, gateway: { addresses: [203.0.113.2], nodePorts: 30000-30001 } }
peerings:
  - { between: [rome, zeta], port: 30000 }
`;
    const ports = compiledText(text).model.links.map((it) => [
      it.client.cluster.name,
      it.endpoint.nodePort,
      it.endpoint.port,
    ]);
    // Clients of 203.0.113.2:30000 reach rome's gateway, so milan's must not be dialled there as well.
    expect(ports.sort()).toEqual([
      ['milan', 30_001, 30_001],
      ['rome', 30_000, 30_000],
    ]);
  });

  it('is never one port of a load balancer for two links, whatever its names are', () => {
    const text = `
version: 1
name: fleet
hub: zeta
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  rome: { podCIDR: 10.201.0.0/16 }
  milan: { podCIDR: 10.203.0.0/16 }
  zeta:
    podCIDR: 10.202.0.0/16
    gateway: { service: LoadBalancer, loadBalancerIP: 203.0.113.2, ports: 51840-51841 }
peerings:
  - { between: [rome, zeta], address: rome.example.com }
`;
    const ports = compiledText(text).model.links.map((it) => it.endpoint.servicePort);
    expect(ports.sort()).toEqual([51_840, 51_841]);
  });
});

describe('the MTU of a link', () => {
  const [small, large] = ['{ addresses: [203.0.113.1], mtu: 1280 }', '{ addresses: [203.0.113.2], mtu: 1400 }'];

  it('is the smaller of the two gateways, with a note', () => {
    const text = hubLink({ rome: small, zeta: large });
    expect(linkOf(text)?.mtuBytes).toBe(1280);
    expect(ofCode(compileText(text), 'link/mtu-differs')[0]?.message).toMatch(/1400.*1280|1280.*1400/);
  });

  it('is its own option, without a note', () => {
    const text = hubLink({ rome: small, zeta: large, entry: 'mtu: 1500' });
    expect(linkOf(text)?.mtuBytes).toBe(1500);
    expect(ofCode(compileText(text), 'link/mtu-differs')).toEqual([]);
  });
});

describe('the order in which links join', () => {
  const fleet = (clusters: readonly string[], more = ''): string => `
version: 1
name: fleet
hub: hub
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  hub: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.1 }
${clusters.map((it, i) => `  ${it}: { podCIDR: 10.20${i + 1}.0.0/16, gateway: 203.0.113.${i + 2} }`).join('\n')}
shortcuts: [[a, b]]
${more}
`;
  const joinsOf = (text: string, lock?: string): readonly string[] =>
    compiledText(text, lock).model.links.map((it) => printLinkId(it.id));

  it('has hub links first, then sorts by name', () => {
    expect(joinsOf(fleet(['c', 'b', 'a']))).toEqual(['a/hub', 'b/hub', 'c/hub', 'a/b']);
  });

  it('is that of `order`, followed by those that it leaves out', () => {
    expect(joinsOf(fleet(['c', 'b', 'a'], 'order: [c, b]'))).toEqual(['c/hub', 'b/hub', 'a/hub', 'a/b']);
  });

  it('is that of the lock for known links, whatever `order` is now', () => {
    const before = compiledText(fleet(['b', 'a'])).lock;
    expect(joinsOf(fleet(['c', 'b', 'a'], 'order: [c, b, a]'), before)).toEqual(['a/hub', 'b/hub', 'a/b', 'c/hub']);
  });

  it('makes numbers unique that two branches assigned twice', () => {
    const before = compiledText(fleet(['c', 'b', 'a'])).lock;
    const merged = before.replace(/^( {2}c\/hub\/join): \d+$/m, '$1: 1');
    expect(compiledText(fleet(['c', 'b', 'a']), merged).model.links.map((it) => [printLinkId(it.id), it.join])).toEqual(
      [
        ['a/hub', 1],
        ['c/hub', 2],
        ['b/hub', 3],
        ['a/b', 4],
      ],
    );
  });
});

describe('the lines of a link in the lock', () => {
  const fleet = (hub: string, clusters: string, more = ''): string => `
version: 1
name: fleet
${hub}
defaults: { serviceCIDR: 10.96.0.0/12 }
clusters:
  alpha: { podCIDR: 10.200.0.0/16, gateway: { addresses: [203.0.113.1], server: prefer } }
  zeta: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.2 }
${clusters}
${more}
`;

  it('do not change when a hub link becomes a peering or a peering a hub link', () => {
    const asHub = fleet('hub: alpha', '');
    const asPeering = fleet('', '', 'peerings: [[alpha, zeta]]');
    const lockOfHub = compiledText(asHub).lock;
    const lockOfPeering = compiledText(asPeering).lock;
    expect(Object.keys(linesOf(lockOfHub)).every((it) => it.startsWith('zeta/alpha/'))).toBe(true);
    expect(Object.keys(linesOf(lockOfPeering)).every((it) => it.startsWith('alpha/zeta/'))).toBe(true);
    expect(compiledText(asPeering, lockOfHub).lock).toBe(lockOfHub);
    expect(compiledText(asHub, lockOfPeering).lock).toBe(lockOfPeering);
  });

  it('begin with the cluster that is new to the lock, so that all its lines are together', () => {
    const before = compiledText(fleet('hub: alpha', '')).lock;
    const more = 'peerings: [[alpha, milan], [zeta, milan]]';
    const after = compiledText(fleet('hub: alpha', '  milan: { podCIDR: 10.200.0.0/16, hub: [] }', more), before).lock;
    const added = Object.keys(linesOf(after)).filter((it) => !(it in linesOf(before)));
    expect(added.length).toBeGreaterThan(0);
    expect(added.filter((it) => !it.startsWith('milan/'))).toEqual([]);
  });

  it('begin with the new cluster even where it is linked to a cluster that had no link before', () => {
    const lonely = '  beta: { podCIDR: 10.201.0.0/16, hub: [], gateway: 203.0.113.3 }';
    const before = compiledText(fleet('hub: alpha', lonely)).lock;
    const clusters = `${lonely}\n  milan: { podCIDR: 10.200.0.0/16 }`;
    const after = compiledText(fleet('hub: alpha', clusters, 'peerings: [[beta, milan]]'), before).lock;
    const added = Object.keys(linesOf(after)).filter((it) => !(it in linesOf(before)));
    expect(added.filter((it) => !it.startsWith('milan/'))).toEqual([]);
  });
});

it('refuses a peer before 1.2 of a cluster with several pod CIDRs, which would read only the first', () => {
  const fleet = (hub: string): string => `
version: 1
name: fleet
hub: hub
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  hub: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.1, liqo: { version: "${hub}" } }
  rome: { podCIDR: [10.201.0.0/16, 10.202.0.0/16] }
  milan: { podCIDR: 10.202.0.0/16 }
`;
  const [mistake, ...others] = ofCode(compileText(fleet('1.1')), 'topology/several-pod-cidrs');
  expect(others).toEqual([]);
  expect(mistake?.message).toBe(
    '"rome" has 2 pod CIDRs, and its peer "hub" runs Liqo 1.1.2, which uses only the first',
  );
  const { span } = mistake ?? {};
  expect(span?.source.text.slice(span.start, span.end)).toBe('10.202.0.0/16');
  expect(compileText(fleet('1.2')).ok).toBe(true);
});

describe('what the stage reports', () => {
  it('is in the order of the source, whichever rule reports it', () => {
    const text = `
version: 1
name: fleet
hub: zeta
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  alba: { podCIDR: 10.203.0.0/16, liqo: { version: "1.1" } }
  rome: { podCIDR: 10.201.0.0/16, gateway: { mtu: 1400 } }
  zeta: { podCIDR: 10.202.0.0/16, gateway: { addresses: [203.0.113.2], service: LoadBalancer } }
peerings:
  - { between: [rome, zeta], nodePort: 30001 }
`;
    const codes = [
      'link/load-balancer-shared',
      'topology/version-skew',
      'link/mtu-differs',
      'link/option-without-effect',
    ];
    const found = compileText(text).diagnostics.filter((it) => codes.includes(it.code));
    expect(found.map((it) => it.code).sort()).toEqual([...codes].sort());
    expect(found.map((it) => it.span.start)).toEqual(found.map((it) => it.span.start).sort((a, b) => a - b));
  });
});

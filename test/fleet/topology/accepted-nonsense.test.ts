import { describe, expect, it } from 'vitest';
import type { Code } from '../../../src/base/diagnostics/codes.ts';
import type { Source } from '../../../src/base/source/source.ts';
import { compile } from '../../../src/compile.ts';
import { checker, expectNoErrors } from '../../support/check-diagnostics.ts';

/**
 * Networks, addresses and ports that pass the schema but cannot carry a packet must not compile. Formats of texts are
 * in formats.test.ts, keys of the schema in marked-keys.test.ts.
 */

const diagnose = (topology: Source) =>
  compile({ topology, keys: undefined, lock: undefined }, { relock: [], only: [] }).diagnostics;

const check = checker(diagnose);

const START = `version: 1
name: europe
hub: europe
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.0.0/24] }
clusters:
`;

/** europe serves rome. `rome` and `europe` are what the two have besides their networks. */
const two = (europe: string, rome = ''): string =>
  `${START}  europe: { podCIDR: 10.200.0.0/16, ${europe} }\n  rome: { podCIDR: 10.202.0.0/16, ${rome} }\n`;

const codesOf = (text: string): readonly Code[] => diagnose({ path: 'topology.yaml', text }).map((it) => it.code);

describe('addresses that cannot be dialled', () => {
  for (const address of [
    ...['127.0.0.1', '0.0.0.0', '0.1.2.3', '169.254.1.1', '169.254.18.1', '224.0.0.1', '239.1.1.1', '240.0.0.1'],
    ...['255.255.255.255', 'localhost', 'a.localhost', 'localhost.localdomain', 'localhost4', 'ip6-localhost'],
    ...['0x7f.1', 'gw.0x1', 'gw.123', '127.1', '1.2.3', '1.2.3.4.5', 'a_b', '-a', 'https://a'],
  ]) {
    const code = 'topology/bad-address';
    check(`${address} as gateway`, two(`gateway: «"${address}"»`), { code });
    check(`${address} behind NAT`, two(`gateway: { dial: { address: «"${address}"» } }`), { code });
    check(
      `${address} on a link`,
      `${two('gateway: 203.0.113.1')}peerings: [{ between: [rome, europe], address: «"${address}"» }]\n`,
      { code },
    );
    check(
      `${address} as load balancer`,
      two(`gateway: { addresses: [203.0.113.1], service: LoadBalancer, loadBalancerIP: «"${address}"» }`),
      { code },
    );
  }

  it.each(['203.0.113.1', '10.1.2.3', '100.64.0.1', 'gw.example.net', 'gateway', 'localhost.example.net', '1e3'])(
    'but %s can',
    (address) => {
      expectNoErrors(diagnose, two(`gateway: "${address}"`));
    },
  );
});

describe('networks without addresses of their own', () => {
  const special = [
    '127.0.0.0/8',
    '127.0.0.0/24',
    '0.0.0.0/8',
    '169.254.0.0/16',
    '224.0.0.0/4',
    '240.0.0.0/8',
    '0.0.0.0/0',
  ];
  for (const cidr of special) {
    const code = 'topology/bad-cidr';
    check(
      `${cidr} as a pool of the fleet`,
      `${two('gateway: 203.0.113.1')}ipam: { pools: [10.0.0.0/8, «${cidr}»] }\n`,
      {
        code,
      },
    );
    check(`${cidr} as a pool`, two(`gateway: 203.0.113.1, ipam: { pools: [10.0.0.0/8, «${cidr}»] }`), { code });
    check(`${cidr} to carve from`, `${two('gateway: 203.0.113.1')}ipam: { carve: { from: «${cidr}», prefix: 20 } }\n`, {
      code,
    });
    check(`${cidr} as external CIDR`, two(`gateway: 203.0.113.1, externalCIDR: «${cidr}»`), { code });
    check(`${cidr} as service CIDR`, two(`gateway: 203.0.113.1, serviceCIDR: «${cidr}»`), { code });
  }

  // With one mistake only: no rule may report what follows from the pool that is missing.
  const onlyPool = (cidr: string): string => `${two('gateway: 203.0.113.1')}ipam: { pools: [«${cidr}»] }\n`;
  check('as the only pool of the fleet', onlyPool('127.0.0.0/8'), { code: 'topology/bad-cidr' });
  check('a misspelt network as the only pool', onlyPool('10.0.0.0/88'), { code: 'topology/bad-cidr' });

  it('a cluster may reserve link-local addresses, which its nodes have', () => {
    expect(codesOf(two('gateway: 203.0.113.1, reserved: [169.254.169.254/32]'))).not.toContain('topology/bad-cidr');
  });
});

describe('the size of blocks', () => {
  for (const [from, length, hint] of [
    ['10.128.0.0/12', 8, 'set `ipam.carve.prefix` to a length from 12 to 30; 20 gives 4096 addresses per cluster'],
    ['10.128.0.0/24', 20, 'set `ipam.carve.prefix` to a length from 24 to 30'],
    ['10.128.0.0/24', 31, 'set `ipam.carve.prefix` to a length from 24 to 30'],
  ] as const)
    check(
      `/${length} from ${from}`,
      `${two('gateway: 203.0.113.1')}ipam: { carve: { from: ${from}, prefix: «${length}» } }\n`,
      { code: 'topology/wrong-value', hint },
    );
  for (const from of ['10.128.0.0/30', '10.128.0.0/31'])
    check(
      `a block from ${from}, which has room for one at most`,
      `${two('gateway: 203.0.113.1')}ipam: { carve: { from: ${from}, prefix: «20» } }\n`,
      { code: 'topology/wrong-value', hint: 'carve from a wider network, with `ipam.carve.from` or `ipam.pools`' },
    );

  const code = 'ipam/block-too-small';
  for (const [cidr, count] of [
    ['10.65.0.0/32', '1 address'],
    ['10.65.0.0/31', '2 addresses'],
  ] as const) {
    check(`external ${cidr}`, two(`gateway: 203.0.113.1, externalCIDR: «${cidr}»`), {
      code,
      message: `external CIDR ${cidr} of "europe" has ${count}, but Liqo takes 4: 3 for itself and one for each peer`,
    });
  }
  for (const cidr of ['10.66.0.0/32', '10.66.0.0/31', '10.66.0.0/30'])
    check(
      `internal ${cidr} with two gateways`,
      `${two(`gateway: 203.0.113.1, internalCIDR: «${cidr}»`)}  milan: { podCIDR: 10.203.0.0/16 }\n`,
      {
        code,
        message: /has no room for a node: .* it has 2 gateways/,
      },
    );
  check('external with room for a few pods', two('gateway: 203.0.113.1, externalCIDR: «10.65.0.0/26»'), {
    code: 'ipam/block-tight',
    message: /has room for 60 offloaded pods: each takes one address, and Liqo itself 4$/,
  });
  check('internal with room for a few nodes', two('gateway: 203.0.113.1, internalCIDR: «10.66.0.0/29»'), {
    code: 'ipam/block-tight',
    message: /has room for 5 nodes/,
  });
  check(
    'carved for everybody is one mistake',
    `version: 1\nname: e\nhub: a\nipam: { carve: { from: 10.128.0.0/16, prefix: 27 } }\ndefaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: «auto», reserved: [192.168.0.0/24] }\nclusters:\n  a: { podCIDR: 10.1.0.0/16, gateway: 203.0.113.1 }\n  b: { podCIDR: 10.2.0.0/16 }\n  c: { podCIDR: 10.3.0.0/16 }\n`,
    { code: 'ipam/block-tight', message: /\(the same in 2 other clusters\)$/ },
  );

  it('a block that the lock keeps from before is measured like any other', () => {
    const text = two('gateway: 203.0.113.1');
    const lock = { path: 'topology.lock.yaml', text: 'version: 1\ndecisions:\n  europe/external: 10.65.0.0/31\n' };
    const found = compile(
      { topology: { path: 'topology.yaml', text }, keys: undefined, lock },
      { relock: [], only: [] },
    );
    const codes = found.diagnostics.map((it) => it.code);
    expect(codes).toContain('ipam/block-too-small');
  });

  check('a service CIDR without room for an API server', two('gateway: 203.0.113.1, serviceCIDR: «10.96.0.0/30»'), {
    code: 'topology/service-cidr-small',
  });

  it.each([
    ['10.202.0.0/30', true],
    ['10.202.0.0/27', true],
    ['10.202.0.0/26', false],
    ['10.202.0.0/24', false],
  ])('pods in %s', (cidr, isSmall) => {
    const text = two('gateway: 203.0.113.1').replace('10.202.0.0/16', cidr);
    expect(codesOf(text).includes('topology/pod-cidr-small')).toBe(isSmall);
  });
});

describe('pod and service CIDR that look exchanged', () => {
  const fleet = (clusters: Readonly<Record<string, readonly [pods: string, services: string]>>): string =>
    `version: 1\nname: e\ndefaults: { externalCIDR: auto, reserved: [192.168.0.0/24] }\nclusters:\n${Object.entries(
      clusters,
    )
      .map(([name, [pods, services]]) => `  ${name}: { podCIDR: ${pods}, serviceCIDR: ${services} }\n`)
      .join('')}`;
  const S = '10.96.0.0/12';

  it.each([
    ['in one of three', { a: ['10.1.0.0/16', S], b: ['10.2.0.0/16', S], c: [S, '10.3.0.0/16'] }, ['c']],
    ['where all have the same two', { a: ['10.1.0.0/16', S], b: ['10.1.0.0/16', S], c: [S, '10.1.0.0/16'] }, ['c']],
    ['in one of two', { a: ['10.1.0.0/16', S], b: [S, '10.1.0.0/16'] }, ['b']],
    ['by the defaults of k3s', { a: ['10.43.0.0/16', '10.42.0.0/16'] }, ['a']],
    ['by the defaults of kubeadm', { a: [S, '10.244.0.0/16'] }, ['a']],
    ['not with the usual defaults', { a: ['10.42.0.0/16', '10.43.0.0/16'], b: ['10.244.0.0/16', S] }, []],
    ['not with networks of their own', { a: ['10.1.0.0/16', '10.2.0.0/16'], b: ['10.3.0.0/16', '10.4.0.0/16'] }, []],
    ['not where one service CIDR is pods elsewhere', { a: ['10.1.0.0/16', S], b: ['10.2.0.0/16', '10.1.0.0/16'] }, []],
    [
      'not where many pods are services once',
      { a: ['10.1.0.0/16', S], b: ['10.1.0.0/16', S], c: ['10.9.0.0/16', '10.1.0.0/16'] },
      [],
    ],
  ] as const)('%s', (_, clusters, expected) => {
    const found = diagnose({ path: 'topology.yaml', text: fleet(clusters) });
    const swapped = found.filter((it) => it.code === 'topology/cidrs-swapped');
    expect(swapped.map((it) => / of "(\w+)" /.exec(it.message)?.[1])).toEqual(expected);
  });
});

describe('node ports that an API server refuses without a flag', () => {
  it.each([
    ['30000-32767', false],
    ['31000', false],
    ['29999-30100', true],
    ['32000-32768', true],
    ['80', true],
  ])('%s', (ports, isReported) => {
    const text = two(`gateway: { addresses: [203.0.113.1], nodePorts: ${ports} }`);
    expect(codesOf(text).includes('topology/node-port-range')).toBe(isReported);
  });
  check('below 1024', two('gateway: { addresses: [203.0.113.1], nodePorts: «500-600» }'), {
    code: 'topology/node-port-range',
    message: /ports below 1024 belong to services of the nodes$/,
  });
});

describe('two ends at one address', () => {
  const code = 'link/dials-itself';
  check('as gateways', two('gateway: «203.0.113.1»', 'gateway: ‹203.0.113.1›'), {
    code,
    related: 'the address of "rome"',
  });
  check('as names', two('gateway: «gw.example.net»', 'gateway: ‹gw.example.net›'), { code });
  check(
    'as load balancers',
    two(
      'gateway: { service: LoadBalancer, loadBalancerIP: 203.0.113.1 }',
      'gateway: { service: LoadBalancer, loadBalancerIP: 203.0.113.1 }',
    ),
    { code },
  );
  check('from defaults', `${two('').replace('externalCIDR: auto', 'externalCIDR: auto, gateway: «203.0.113.1»')}`, {
    code,
  });
  check(
    'by the address of a link',
    `${two('gateway: 203.0.113.1', 'gateway: ‹203.0.113.2›')}peerings: [{ between: [rome, europe], server: europe, address: «203.0.113.2» }]\n`,
    { code },
  );
  check(
    'behind one NAT',
    two('gateway: { dial: { address: «198.51.100.7» } }', 'gateway: { dial: { address: 198.51.100.7 } }'),
    {
      code: 'link/behind-one-address',
    },
  );

  it('two spokes may share an address, since they do not dial each other', () => {
    const text = `${START}  europe: { podCIDR: 10.200.0.0/16 }\n  rome: { podCIDR: 10.1.0.0/16, gateway: 203.0.113.1 }\n  milan: { podCIDR: 10.2.0.0/16, gateway: 203.0.113.1 }\n`;
    expectNoErrors(diagnose, text);
  });
});

describe('two clusters on one address', () => {
  /** rome and milan serve europe, both behind a NAT or a balancer with this address. */
  const spokes = (rome: string, milan: string, links = ''): string =>
    `${START}  europe: { podCIDR: 10.200.0.0/16 }\n  rome: { podCIDR: 10.1.0.0/16, gateway: { ${rome} } }\n  milan: { podCIDR: 10.2.0.0/16, gateway: { ${milan} } }\n${links}`;
  const at = 'dial: { address: 198.51.100.7 }';
  const nodePorts = (rome: number, milan: number): string =>
    `peerings:\n  - { between: [rome, europe], nodePort: ${rome} }\n  - { between: [milan, europe], nodePort: ${milan} }\n`;

  check('with one node port', spokes(at, at, nodePorts(30_500, 30_500).replace(/30500(?= \}\n$)/, '«30500»')), {
    code: 'link/port-taken',
  });
  check(
    'with one node port at the nodes themselves',
    spokes('addresses: [203.0.113.9]', 'addresses: [203.0.113.9]', nodePorts(30_500, 30_500)),
    { code: 'link/port-taken' },
  );
  check(
    'with one forwarded port',
    spokes('dial: { address: 198.51.100.7, port: 4500 }', 'dial: { address: 198.51.100.7, port: 4500 }'),
    { code: 'link/endpoint-taken' },
  );
  check(
    'with a node port and a forwarded port that are equal',
    spokes(
      at,
      'dial: { address: 198.51.100.7, port: 30500 }',
      'peerings: [{ between: [rome, europe], nodePort: 30500 }]\n',
    ),
    { code: 'link/endpoint-taken' },
  );
  check(
    'with a range of one service port',
    spokes(
      'service: LoadBalancer, loadBalancerIP: 203.0.113.9, ports: 51840',
      'service: LoadBalancer, loadBalancerIP: 203.0.113.9, ports: 51840',
    ),
    { code: 'link/ports-exhausted' },
  );
  check(
    'with a balancer and nodes that have the same port',
    spokes(
      'service: LoadBalancer, loadBalancerIP: 203.0.113.9, ports: 30500',
      'addresses: [203.0.113.9], nodePorts: 30500',
    ),
    { code: 'link/ports-exhausted' },
  );

  it('gets different ports where weft may choose them', () => {
    expectNoErrors(diagnose, spokes(at, at));
    expectNoErrors(diagnose, spokes(at, at, nodePorts(30_500, 30_501)));
  });
});

describe('ports on which a gateway pod already listens', () => {
  it.each([
    ['addresses: [203.0.113.1], service: LoadBalancer, ports: 6091', true],
    ['addresses: [203.0.113.1], service: LoadBalancer, ports: 12345', true],
    ['addresses: [203.0.113.1], ports: 6091', true],
    ['addresses: [203.0.113.1], listenPort: 6091', true],
    ['addresses: [203.0.113.1], service: LoadBalancer, ports: 6091, listenPort: 51820', false],
    ['addresses: [203.0.113.1], service: LoadBalancer, ports: 8083', false],
  ])('%s', (gateway, isTaken) => {
    expect(codesOf(two(`gateway: { ${gateway} }`)).includes('link/listen-port-taken')).toBe(isTaken);
  });
});

describe('a gateway inside the networks of its own cluster', () => {
  const code = 'link/gateway-inside-own-network';
  it.each([
    ['service: LoadBalancer, addresses: [203.0.113.1], loadBalancerIP: 10.200.0.9', 'pod CIDR'],
    ['service: LoadBalancer, loadBalancerIP: 10.64.0.9', 'service CIDR'],
    ['addresses: [10.64.0.9]', 'service CIDR'],
    ['addresses: [10.68.0.9]', 'external CIDR'],
    ['addresses: [10.40.0.9]', 'internal CIDR'],
    ['service: ClusterIP, addresses: [10.64.0.9]', null],
    ['dial: { address: 10.64.0.9 }', null],
    ['addresses: [203.0.113.1]', null],
    ['addresses: [192.168.0.9]', null],
  ])('%s', (gateway, role) => {
    const europe = `serviceCIDR: 10.64.0.0/16, externalCIDR: 10.68.0.0/16, internalCIDR: 10.40.0.0/16, gateway: { ${gateway} }`;
    // rome sees the external CIDR elsewhere, because it reserves that network itself.
    const found = diagnose({ path: 'topology.yaml', text: two(europe, 'reserved: [10.68.0.0/24]') });
    const messages = found.filter((it) => it.code === code).map((it) => it.message);
    expect(messages).toEqual(role === null ? [] : [expect.stringContaining(`inside its own ${role} `)]);
    expect(found.filter((it) => it.severity === 'error')).toEqual([]);
  });
});

it.each([
  ['192.168.0.0', 'first'],
  ['192.168.0.255', 'last'],
])('the %s of a node subnet is no host', (address, which) => {
  const found = diagnose({ path: 'topology.yaml', text: two(`gateway: ${address}`) });
  const messages = found.filter((it) => it.code === 'link/gateway-inside-own-network').map((it) => it.message);
  expect(messages).toEqual([expect.stringContaining(`the ${which} address of its reserved network 192.168.0.0/24`)]);
});

describe('tolerations', () => {
  const gateway = (toleration: string): string =>
    two(`gateway: { addresses: [203.0.113.1], tolerations: [${toleration}] }`);
  const code = 'topology/wrong-value';
  check('without a key', gateway('«{}»'), { code });
  check('with an empty key', gateway('«{ key: "", operator: Equal }»'), { code });
  check('for any value, with a value', gateway('{ key: a, operator: Exists, value: «b» }'), { code });
  check('that end, but not of a taint that evicts', gateway('{ key: a, effect: NoSchedule, «tolerationSeconds»: 5 }'), {
    code,
  });
  check('with a value that is none of a label', gateway('{ key: a, value: «a b» }'), { code });
  check('with a key that is none of a label', gateway('{ key: «a b» }'), { code: 'topology/bad-name' });

  it.each(['{ key: "7", operator: Exists }', '{ key: a, value: "007" }'])(
    'that Liqo makes a number: %s',
    (toleration) => {
      expect(codesOf(gateway(toleration))).toContain('topology/integer-like-value');
    },
  );

  it.each([
    '{ operator: Exists }',
    '{ key: a }',
    '{ key: a, value: "" }',
    '{ key: "", operator: Exists }',
    '{ key: a, operator: Exists, value: "" }',
    '{ operator: Exists, effect: NoExecute, tolerationSeconds: -1 }',
  ])('accepted: %s', (toleration) => {
    expectNoErrors(diagnose, gateway(toleration));
  });
});

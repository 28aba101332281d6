import { describe, expect, it } from 'vitest';
import type { Share } from '../../../src/fleet/sharing/shared-model.ts';
import {
  apiServerOpening,
  destinationsOf,
  type Opening,
  openingsBetween,
  openingsOf,
  printPortRanges,
  readSource,
  targetInside,
  targetOfUrl,
} from '../../../src/reach/ports/openings.ts';
import { compiledText } from '../../support/compile-text.ts';
import { compiledFleets } from '../../support/fleets.ts';

function openingsIn(text: string, lock?: string): readonly Opening[] {
  const { model, inputs } = compiledText(text, lock);
  return openingsOf(model, { sources: new Map(), decisions: inputs.decisions });
}

/** `between` is the link of rome and milan; `milan` has the settings of its gateway. */
const fleetOf = (between: string, milan: string): string => `version: 1
name: europe
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  milan: { podCIDR: 10.201.0.0/16, gateway: ${milan} }
  rome:  { podCIDR: 10.202.0.0/16 }
peerings:
  - { between: [rome, milan]${between} }
`;

/** The port that rome dials, the one at a firewall in front of milan's nodes, and the target behind it. */
function pathIn(between: string, milan: string) {
  const [opening] = openingsIn(fleetOf(between, milan));
  if (opening === undefined) throw new Error('there is no opening');
  const text = ({ address, port }: Opening['dialled']): string => `${address ?? '?'}:${port ?? '?'}`;
  return {
    dialled: text(opening.dialled),
    inside: text(targetInside(opening)),
    behind: opening.places.map((it) => `${it.kind} ${it.port ?? '?'}`),
  };
}

describe('the port of a tunnel', () => {
  it('is the node port where nothing translates', () => {
    expect(pathIn(', nodePort: 30742', '192.0.2.30')).toEqual({
      dialled: '192.0.2.30:30742',
      inside: '192.0.2.30:30742',
      behind: ['node 30742', 'service 51840', 'pod 51840'],
    });
  });

  it('is the one outside a NAT, and another one behind it', () => {
    const milan = '{ addresses: [192.168.7.4], dial: { address: 198.51.100.4, port: 40000 }, listenPort: 51900 }';
    expect(pathIn(', nodePort: 30742', milan)).toEqual({
      dialled: '198.51.100.4:40000',
      inside: '192.168.7.4:30742',
      behind: ['node 30742', 'service 51840', 'pod 51900'],
    });
  });

  it('has no address behind a NAT where the topology has none', () => {
    expect(pathIn(', nodePort: 30742', '{ dial: { address: nat.example.com } }')).toMatchObject({
      dialled: 'nat.example.com:30742',
      inside: '?:30742',
    });
    expect(pathIn(', nodePort: 30742, port: 443', '198.51.100.4')).toMatchObject({
      dialled: '198.51.100.4:443',
      inside: '?:30742',
    });
  });

  it('is that of a load balancer, whose node port Kubernetes chooses', () => {
    const milan = '{ service: LoadBalancer, loadBalancerIP: 203.0.113.50 }';
    expect(pathIn(', servicePort: 51844', milan)).toEqual({
      dialled: '203.0.113.50:51844',
      inside: '203.0.113.50:51844',
      behind: ['load-balancer 51844', 'node ?', 'service 51844', 'pod 51844'],
    });
  });

  it.each([
    ['allocateLoadBalancerNodePorts: false'],
    ['serviceAnnotations: { service.beta.kubernetes.io/aws-load-balancer-nlb-target-type: ip }'],
  ])('has no node port with %s', (setting) => {
    const milan = `{ service: LoadBalancer, addresses: [lb.example.net], ${setting} }`;
    expect(pathIn(', servicePort: 51844', milan).behind).toEqual(['load-balancer 51844', 'pod 51844']);
  });

  it('is that of a Service which is dialled itself', () => {
    expect(pathIn(', servicePort: 51844', '{ service: ClusterIP, addresses: [172.20.0.20] }').behind).toEqual([
      'service 51844',
      'pod 51844',
    ]);
  });

  it('does not depend on networks: gateways are outside', () => {
    const text = fleetOf('', '192.0.2.30');
    expect(openingsIn(text.replace('10.201.0.0/16', '10.202.0.0/16'))).toEqual(openingsIn(text));
  });

  it('is recorded once the lock has it', () => {
    const text = fleetOf('', '192.0.2.30');
    expect(openingsIn(text).map((it) => it.recorded)).toEqual([false]);
    expect(openingsIn(text, compiledText(text).lock).map((it) => it.recorded)).toEqual([true]);
  });
});

describe('what must be open in every fleet', () => {
  it.each(compiledFleets().map((it) => [it.name, it.compiled] as const))(
    'is a tunnel for each link, and an API server for each loan: %s',
    (_, { model, inputs }) => {
      const openings = openingsOf(model, { sources: new Map(), decisions: inputs.decisions });
      const printed = (purpose: Opening['purpose']) =>
        openings.filter((it) => it.purpose === purpose).map(({ from, to, protocol }) => `${from} ${to} ${protocol}`);
      const tunnels = model.links.map((it) => `${it.client.cluster.name} ${it.server.cluster.name} udp`);
      const loans = model.shares.map((it) => `${it.consumer.name} ${it.provider.name} tcp`);
      expect(printed('tunnel')).toEqual(tunnels.sort());
      expect(printed('api-server')).toEqual(loans.sort());
      for (const { dialled, places } of openings.filter((it) => it.purpose === 'tunnel')) {
        expect(dialled.address).not.toBeNull();
        expect(places.at(-1)?.kind).toBe('pod');
      }
    },
  );
});

const SHARING = `version: 1
name: lending
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  milan: { podCIDR: 10.201.0.0/16, gateway: 192.0.2.30, apiServer: "https://192.0.2.31" }
  rome:  { podCIDR: 10.202.0.0/16 }
  turin: { podCIDR: 10.203.0.0/16 }
peerings:
  - [rome, milan]
sharing:
  - { consumer: rome, provider: milan }
  - { consumer: turin, provider: milan }
`;

describe('the API server of a provider', () => {
  it('is dialled by consumers, with a link or without', () => {
    const openings = openingsIn(SHARING);
    expect(openings.map((it) => [it.purpose, it.from, it.to, it.protocol, it.dialled.port])).toEqual([
      ['tunnel', 'rome', 'milan', 'udp', openings[0]?.dialled.port],
      ['api-server', 'rome', 'milan', 'tcp', 443],
      ['api-server', 'turin', 'milan', 'tcp', 443],
    ]);
    expect(openingsBetween(openings, ['rome', 'turin'])).toEqual([]);
    expect(openingsBetween(openings, ['milan', 'rome'])).toHaveLength(2);
  });

  it('is that of the recorded answer, and the proxy in it, before any setting', () => {
    const [share] = compiledText(SHARING).model.shares;
    if (share === undefined) throw new Error('there is no loan');
    const { provider } = share;
    const answer = { apiServer: 'https://milan.example.com:6443', ca: null, certificate: '', proxyURL: null };
    const dialledWith = (more: Partial<Share>) => {
      const { dialled, decidedBy } = apiServerOpening({ ...share, ...more }, []);
      return [dialled.address, dialled.port, decidedBy];
    };
    const silent = { ...provider, apiServer: null };
    expect(dialledWith({})).toEqual(['192.0.2.31', 443, 'topology']);
    expect(dialledWith({ identity: answer })).toEqual(['milan.example.com', 6443, 'answer']);
    const proxied = { ...answer, proxyURL: 'http://proxy.example.com:3128' };
    expect(dialledWith({ identity: proxied })).toEqual(['proxy.example.com', 3128, 'proxy']);
    expect(dialledWith({ provider: silent })).toEqual([null, 6443, 'liqo']);
    expect(dialledWith({ provider: silent, auth: 'credentials' })).toEqual([null, null, 'kubeconfig']);
  });

  it.each([
    ['https://milan.example.com:6443', 'milan.example.com', 6443],
    ['https://[2001:db8::10]:6443/', '2001:db8::10', 6443],
    ['https://rancher.example.com/k8s/clusters/c-m-rome', 'rancher.example.com', 443],
    ['http://user:word@proxy.example.com', 'proxy.example.com', 80],
    ['HTTPS://192.0.2.1?x', '192.0.2.1', 443],
    ['milan.example.com', null, null],
  ])('is at the place of its URL: %s', (url, address, port) => {
    expect(targetOfUrl(url)).toEqual({ address, port });
  });
});

it('ports of a hub are one destination', () => {
  const spokes = Array.from({ length: 90 }, (_, i) => `  s${i}: { podCIDR: 10.${i}.0.0/20 }`);
  const text = `version: 1
name: star
hub: hub
ipam: { carve: { from: 10.128.0.0/10, prefix: 24 } }
defaults: { serviceCIDR: 172.20.0.0/16, externalCIDR: auto }
clusters:
  hub: { podCIDR: 10.200.0.0/16, gateway: { addresses: [192.0.2.1], nodePorts: 30000-30089 } }
${spokes.join('\n')}
`;
  const openings = openingsIn(text);
  expect(openings).toHaveLength(90);
  expect(destinationsOf(openings).map((it) => ({ ...it, ports: printPortRanges(it.ports) }))).toEqual([
    {
      to: 'hub',
      protocol: 'udp',
      address: '192.0.2.1',
      ports: ['30000-30089'],
      range: { first: 30_000, last: 30_089 },
      count: 90,
    },
  ]);
});

it.each([
  [[], []],
  [[30_000], ['30000']],
  [
    [443, 30_000, 30_001, 30_002, 30_004],
    ['443', '30000-30002', '30004'],
  ],
])('ports that follow each other are a range: %j', (ports, printed) => {
  expect(printPortRanges(ports)).toEqual(printed);
});

it.each([
  ['rome=198.51.100.7', { ok: true, cluster: 'rome', network: '198.51.100.7' }],
  ['rome=198.51.100.0/28', { ok: true, cluster: 'rome', network: '198.51.100.0/28' }],
  ['198.51.100.7', { ok: false, problem: '"198.51.100.7" names no cluster' }],
  ['rome=', { ok: false, problem: '"rome=" names no cluster' }],
  ['rome=198.51.100.7/28', { ok: false, problem: expect.stringContaining('host bits') }],
  ['rome=gw.example.com', { ok: false, problem: expect.stringContaining('not an IPv4 address') }],
  ['rome=2001:db8::1', { ok: false, problem: expect.stringContaining('not an IPv4 address') }],
])('reads the source %s', (text, reading) => {
  expect(readSource(text)).toEqual(reading);
});

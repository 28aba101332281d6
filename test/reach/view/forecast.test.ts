import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/base/diagnostics/outcome.ts';
import { printPrefix } from '../../../src/base/net/text.ts';
import type { Compiled } from '../../../src/compile.ts';
import { forecast, type Limit } from '../../../src/reach/view/forecast.ts';
import { listedLinks } from '../../../src/reach/view/lists.ts';
import { compiledText, compileText } from '../../support/compile-text.ts';
import { RUNS_ALL, runsOf } from '../../support/drawn.ts';

interface Fleet {
  readonly head: string;
  /** The hubs of every cluster without a list of its own. */
  readonly hubs: readonly string[];
  /** The lines of clusters, by name. */
  readonly clusters: Readonly<Record<string, string>>;
  readonly peerings: readonly (readonly string[])[];
}

/** The topology with more clusters, which have the line of a present one, and peerings with the same clusters as all. */
function textOf({ head, hubs, clusters, peerings }: Fleet, more: readonly string[] = [], line = ''): string {
  const all = [...Object.entries(clusters), ...more.map((name) => [name, line])];
  const others = new Set(peerings.map(([, other]) => other));
  const links = [...peerings, ...more.flatMap((name) => [...others].map((other) => [name, other]))];
  return [
    ...['version: 1', 'name: europe', `hub: [${hubs.join(', ')}]`, head, 'clusters:'],
    ...all.map(([name, text]) => `  ${name}: ${text}`),
    ...(links.length === 0 ? [] : ['peerings:', ...links.map((it) => `  - [${it.join(', ')}]`)]),
    '',
  ].join('\n');
}

/** The errors that say the same; behind NAT all clients dial one port. */
const CODES: Readonly<Record<Limit['kind'], readonly string[]>> = {
  ports: ['link/ports-exhausted', 'link/endpoint-taken'],
  addresses: ['ipam/block-too-small'],
  networks: ['ipam/exhausted'],
  blocks: ['ipam/carve-exhausted'],
};

/** Adds clusters one after another, as pull requests would, until the compiler refuses one. */
function addedUntilRefused(fleet: Fleet, line: string): { readonly fits: number; readonly codes: readonly string[] } {
  let lock = compiledText(textOf(fleet)).lock;
  for (let fits = 0; ; fits++) {
    const names = Array.from({ length: fits + 1 }, (_, i) => `next-${i + 1}`);
    const result: Outcome<Compiled> = compileText(textOf(fleet, names, line), lock);
    if (!result.ok)
      return { fits, codes: result.diagnostics.filter((it) => it.severity === 'error').map((it) => it.code) };
    lock = result.value.lock;
  }
}

const ordersIn = ({ model }: Compiled): readonly string[] =>
  [...model.clusters.values()].flatMap((cluster) =>
    [...cluster.peers.values()].filter((it) => it.orderDependent).map((it) => `${cluster.name}/${it.name}`),
  );

const FLEET = fc.record({
  release: fc.constantFrom('1.0', '1.1', '1.2'),
  pool: fc.constantFrom('10.0.0.0/12', '10.0.0.0/13', '10.64.0.0/14, 172.16.0.0/15', '192.168.0.0/16'),
  carve: fc.constantFrom(
    '',
    '{ from: 10.64.0.0/18, prefix: 20 }',
    '{ from: 192.168.0.0/22, prefix: 24 }',
    '{ from: 10.64.0.0/18, prefix: 28 }',
  ),
  blocks: fc.constantFrom(
    ', externalCIDR: auto',
    ', externalCIDR: OWN',
    ', externalCIDR: auto, internalCIDR: auto',
    '',
  ),
  gateway: fc.constantFrom(
    '203.0.113.10',
    '{ addresses: [203.0.113.10], nodePorts: "30000-30003" }',
    '{ addresses: [203.0.113.10], service: LoadBalancer, ports: "51840-51844" }',
    '{ addresses: [203.0.113.10], service: LoadBalancer, loadBalancerIP: 203.0.113.10, ports: "51840-51844" }',
    '{ addresses: [192.168.0.10], dial: { address: 203.0.113.10 }, nodePorts: "30000-30003" }',
    '{ addresses: [192.168.0.10], dial: { address: 203.0.113.10, port: 40000 } }',
  ),
  pods: fc.array(fc.constantFrom('10.1.0.0/16', '10.2.0.0/16', '10.64.0.0/17', '192.168.64.0/18'), {
    minLength: 1,
    maxLength: 4,
  }),
  hub: fc.constantFrom('10.1.0.0/16', '10.3.0.0/16', '192.168.128.0/18'),
  /** Another cluster that all spokes join: as a hub, or with peerings. */
  second: fc.constantFrom('', 'hub', 'peering'),
});

type Drawn = typeof FLEET extends fc.Arbitrary<infer Value> ? Value : never;

function fleetOf({ release, pool, carve, blocks, gateway, pods, hub, second }: Drawn): Fleet {
  let clusters = 0;
  const line = (more: string): string =>
    `{ ${more}${blocks.replace('OWN', `192.168.${clusters++}.0/28`)}, serviceCIDR: 100.64.0.0/16 }`;
  return {
    head: [
      `liqo: { version: "${release}" }`,
      `ipam: { pools: [${pool}]${carve === '' ? '' : `, carve: ${carve}`} }`,
    ].join('\n'),
    clusters: {
      hub: line(`hub: [], podCIDR: ${hub}, gateway: ${gateway}`),
      ...(second !== '' && { other: line(`hub: [], podCIDR: ${hub}, gateway: 203.0.113.20`) }),
      ...Object.fromEntries(pods.map((it, i) => [`spoke-${i}`, line(`podCIDR: ${it}`)])),
    },
    hubs: second === 'hub' ? ['hub', 'other'] : ['hub'],
    peerings: second === 'peering' ? pods.map((_, i) => [`spoke-${i}`, 'other']) : [],
  };
}

describe('the forecast', () => {
  it('is what the compiler does when clusters join one after another', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(FLEET, (drawn) => {
        const fleet = fleetOf(drawn);
        const before = compileText(textOf(fleet));
        fc.pre(before.ok);
        if (!before.ok) return;
        for (const { like, fits, limit, again, distinct } of forecast(before.value.model).next) {
          // The other end of peerings has joined the spokes, too.
          if (like === 'other') continue;
          const line = fleet.clusters[like] ?? '';
          const hasOwnBlock = drawn.blocks.includes('OWN');
          // Another block for each further cluster is not known here.
          const found = hasOwnBlock ? null : addedUntilRefused(fleet, line);
          if (found !== null && limit !== null) {
            seen.add(limit.kind);
            expect(fits).toBe(found.fits);
            expect(found.codes.some((it) => CODES[limit.kind].includes(it))).toBe(true);
          }
          for (const cost of [again, distinct]) {
            if (cost === null) continue;
            const joined = line.replace(/podCIDR: [^,]+/, `podCIDR: ${cost.podCIDRs.join()}`);
            const next = hasOwnBlock
              ? joined.replace(/externalCIDR: [^,]+/, `externalCIDR: ${cost.externalCIDR}`)
              : joined;
            const after = compiledText(textOf(fleet, ['next-1'], next), before.value.lock);
            const remaps = listedLinks(after.model, 'next-1').flatMap((it) => it.remaps);
            const external = after.model.clusters.get('next-1')?.externalCIDR;
            expect(cost.externalCIDR).toBe(external && printPrefix(external));
            expect(new Set(cost.remaps)).toEqual(new Set(remaps));
            const ordered = ordersIn(after).filter((it) => !ordersIn(before.value).includes(it));
            expect(new Set(cost.ordered.map((it) => `${it.cluster}/${it.peer}`))).toEqual(new Set(ordered));
          }
        }
      }),
      { numRuns: RUNS_ALL ? runsOf(800) : 16 },
    );
    if (RUNS_ALL) expect([...seen]).toEqual(expect.arrayContaining(['blocks', 'networks', 'ports']));
  });

  it('counts the ports that are left, as every kind of Service assigns them', () => {
    const left = (gateway: string): unknown =>
      forecast(compiledText(textOf(smallFleet(gateway, 2))).model).joined[0]?.ports?.left;
    expect(left('203.0.113.10')).toBe(2766);
    expect(left('{ addresses: [203.0.113.10], nodePorts: "30000-30003" }')).toBe(2);
    expect(left('{ addresses: [203.0.113.10], service: LoadBalancer, ports: "51840-51844" }')).toBe(3);
    expect(left('{ addresses: [203.0.113.10], dial: { address: 203.0.113.11 }, nodePorts: "30000-30003" }')).toBe(2);
  });

  it('has one port for all clients behind NAT', () => {
    const gateway = '{ addresses: [192.168.0.10], dial: { address: 203.0.113.10, port: 40000 } }';
    const [next] = forecast(compiledText(textOf(smallFleet(gateway, 1))).model).next;
    expect(next).toMatchObject({ fits: 0, limit: { kind: 'ports', cluster: 'hub' }, again: null, distinct: null });
  });

  it('counts an address of the external CIDR of a hub for each peer', () => {
    const fleet = smallFleet('203.0.113.10', 2, ', externalCIDR: 10.70.0.0/28');
    const { joined, next } = forecast(compiledText(textOf(fleet)).model);
    expect(joined[0]?.peers).toBe(11);
    expect(next[0]).toMatchObject({ fits: 11, limit: { kind: 'addresses', cluster: 'hub' } });
  });

  it('tries the most frequent ways to join, and counts the others', () => {
    const hubs = Array.from({ length: 15 }, (_, i) => `hub-${i}`);
    const cluster = (more: string): string => `{ ${more}, serviceCIDR: 100.64.0.0/16, externalCIDR: auto }`;
    const spokes = hubs.flatMap((hub, i) =>
      [`${hub}-a`, ...(i === 7 ? [`${hub}-b`] : [])].map((it) => [it, hub] as const),
    );
    const all = [
      ...hubs.map((it, i) => [it, cluster(`hub: [], podCIDR: 10.${i}.0.0/16, gateway: 203.0.113.${i + 1}`)] as const),
      ...spokes.map(([it, hub], i) => [it, cluster(`hub: ${hub}, podCIDR: 10.${i + 100}.0.0/16`)] as const),
    ];
    const { model } = compiledText(
      textOf({ head: '', hubs: ['hub-0'], clusters: Object.fromEntries(all), peerings: [] }),
    );
    const { joined, next, leftOut } = forecast(model);
    expect([joined.length, next.length, leftOut]).toEqual([15, 12, 3]);
    expect(next[0]).toMatchObject({ like: 'hub-7-a', alike: 2, joins: ['hub-7'] });
    expect(forecast(model, 'hub-14-a')).toMatchObject({
      joined: [{ cluster: 'hub-14' }],
      next: [{ like: 'hub-14-a' }],
      leftOut: 0,
    });
  });

  it('is empty for a fleet that nothing joins', () => {
    const one = {
      head: '',
      hubs: [],
      clusters: { rome: '{ podCIDR: 10.1.0.0/16, serviceCIDR: 10.96.0.0/16 }' },
      peerings: [],
    };
    expect(forecast(compiledText(textOf(one)).model)).toMatchObject({ joined: [], next: [], leftOut: 0 });
  });
});

function smallFleet(gateway: string, spokes: number, ofHub = ', externalCIDR: auto'): Fleet {
  const clusters = Array.from({ length: spokes }, (_, i) => [
    `spoke-${i}`,
    `{ podCIDR: 10.${i + 1}.0.0/16, serviceCIDR: 100.64.0.0/16, externalCIDR: auto }`,
  ]);
  const hub = `{ hub: [], podCIDR: 10.0.0.0/16, serviceCIDR: 100.64.0.0/16${ofHub}, gateway: ${gateway} }`;
  return { head: '', hubs: ['hub'], clusters: { hub, ...Object.fromEntries(clusters) }, peerings: [] };
}

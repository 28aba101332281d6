import { describe, expect, it } from 'vitest';
import { prefixOf } from '../../../src/base/net/text.ts';
import { compile } from '../../../src/compile.ts';
import { adoptLock } from '../../../src/host/app/compile-live.ts';
import type { LiveNetwork, LiveView } from '../../../src/live/adopt/live-network.ts';
import { linesOf } from '../../support/compile-text.ts';

/** The base of E6 in the reference: two peers with equal networks, of which the first one gets other views than the second. */
const E6 = `version: 1
name: order
hub: hub
defaults: { serviceCIDR: 10.96.0.0/12, internalCIDR: 10.80.0.0/16, liqo: { version: '1.2' } }
clusters:
  hub: { podCIDR: 10.244.0.0/16, externalCIDR: 10.70.0.0/16, gateway: { addresses: [203.0.113.10] } }
  a: { podCIDR: 10.244.0.0/16, externalCIDR: 10.70.0.0/16 }
  b: { podCIDR: 10.244.0.0/16, externalCIDR: 10.71.0.0/16 }
`;

/** `a pod 10.244 10.71`: how the hub sees a CIDR of a peer, in octets of /16 networks. */
const seenByHub = (text: string): readonly LiveView[] =>
  text.split(', ').map((it) => {
    const [peer = '', kind = '', cidr = '', seenAs = ''] = it.split(' ');
    return {
      viewer: 'hub',
      peer,
      kind: kind === 'pod' ? 'pod' : 'external',
      cidr: prefixOf(`${cidr}.0.0/16`),
      object: { namespace: `liqo-tenant-${peer}`, name: peer },
      seenAs: prefixOf(seenAs.includes('/') ? seenAs : `${seenAs}.0.0/16`),
      given: { created: null, version: null },
    };
  });

const A_FIRST = 'a pod 10.244 10.71, a external 10.70 10.68, b pod 10.244 10.69, b external 10.71 10.64';
const B_FIRST = 'a pod 10.244 10.69, a external 10.70 10.64, b pod 10.244 10.71, b external 10.71 10.68';

function adopted(
  views: string,
  { topology = E6, ports = [] as LiveNetwork['ports'], before = '', keepsOrder = false } = {},
) {
  const sources = { topology: { path: 'fleet.yaml', text: topology }, keys: undefined, lock: undefined };
  const decisions = new Map(
    Object.entries(linesOf(before)).map(([key, value]) => [key, /^\d+$/.test(value) ? Number(value) : value]),
  );
  const live = { views: seenByHub(views), waiting: [], ports };
  const result = adoptLock({ sources, decisions, live, path: 'fleet.lock.yaml', keepsOrder });
  if (!result.ok) throw new Error(result.diagnostics.map((one) => one.message).join('\n'));
  const { lock, forced } = result.value;
  const compiled = compile({ ...sources, lock }, { relock: [], only: null });
  if (!compiled.ok) throw new Error(compiled.diagnostics.map((one) => one.message).join('\n'));
  // Compile keeps it as it is.
  expect(compiled.value.lock).toBe(lock.text);
  return {
    lines: linesOf(lock.text),
    text: lock.text,
    forced,
    found: result.diagnostics.map((one) => [one.code, one.message]),
  };
}

describe('an adopted lock', () => {
  it('has the order of joining that gives the live views', () => {
    const [first, second] = [adopted(A_FIRST), adopted(B_FIRST)];
    expect([first.forced, second.forced]).toEqual([0, 0]);
    expect([first.lines['a/hub/join'], first.lines['b/hub/join']]).toEqual(['1', '2']);
    expect([second.lines['a/hub/join'], second.lines['b/hub/join']]).toEqual(['2', '1']);
    expect([...first.found, ...second.found]).toEqual([]);
  });

  it('keeps the order that was meant unless another one explains more', () => {
    const { text } = adopted(B_FIRST);
    expect(adopted(B_FIRST, { before: text, keepsOrder: true }).text).toBe(text);
    expect(adopted(A_FIRST, { before: text, keepsOrder: true }).text).toBe(adopted(A_FIRST).text);
  });

  it('says which views no order gives, and what a rollout would give', () => {
    const { forced, found, lines } = adopted(A_FIRST.replace('b external 10.71 10.64', 'b external 10.71 10.120'));
    expect(forced).toBe(1);
    expect(lines['b/hub/view/hub/external/10.71.0.0/16']).toBe('10.120.0.0/16');
    expect(found).toEqual([
      [
        'import/forced-view',
        'the lock keeps 1 view of "hub" that no order of joining gives: external CIDR 10.71.0.0/16 of "b" as 10.120.0.0/16 (a rollout gives 10.64.0.0/16); other networks were taken when these were given; since then a peer was removed, or created again',
      ],
    ]);
  });

  it('says when networks of several peers were given in turn', () => {
    // Both pod CIDRs before both external ones.
    const { forced, found } = adopted(
      'a pod 10.244 10.71, b pod 10.244 10.68, a external 10.70 10.69, b external 10.71 10.64',
    );
    expect(forced).toBeGreaterThan(0);
    expect(found[0]?.[1]).toMatch(
      /; the networks of several peers were given in turn, as when all were applied at once$/,
    );
  });

  it('has no view that overlaps another one, and names both', () => {
    const { found, lines } = adopted(A_FIRST.replace('b pod 10.244 10.69', 'b pod 10.244 10.71'));
    expect(found[0]).toEqual([
      'import/broken-view',
      '"hub" sees the pod CIDR 10.244.0.0/16 of "b" as 10.71.0.0/16 (Configuration liqo-tenant-b/b), which overlaps how it sees the pod CIDR 10.244.0.0/16 of "a", 10.71.0.0/16 (Configuration liqo-tenant-a/a)',
    ]);
    expect(lines['a/hub/view/hub/pod/10.244.0.0/16']).toBe('10.71.0.0/16');
  });

  it.each([
    ['10.97', "it overlaps the cluster's own service CIDR 10.96.0.0/12"],
    ['11.1', 'it lies in none of its pools'],
    ['10.69.0.0/17', 'its length is not /16'],
  ])('has no view that the cluster cannot have: %s', (seenAs, why) => {
    const { found } = adopted(A_FIRST.replace('b pod 10.244 10.69', `b pod 10.244 ${seenAs}`));
    expect(found[0]?.[0]).toBe('import/broken-view');
    expect(found[0]?.[1]).toContain(`and ${why}; the lock has `);
  });

  it('has the live ports, and says which one the topology does not allow', () => {
    const ports = [
      { server: 'hub', client: 'a', port: 31111 },
      { server: 'hub', client: 'b', port: 52000 },
    ];
    const { found, lines } = adopted(A_FIRST, { ports });
    expect(lines['a/hub/port/hub']).toBe('31111');
    expect(lines['b/hub/port/hub']).not.toBe('52000');
    expect(found.map(([code]) => code)).toEqual(['import/unkept-port']);
    expect(found[0]?.[1]).toMatch(
      /^"hub" serves "b" at port 52000, which the topology does not allow, so the lock has \d+$/,
    );
  });
});

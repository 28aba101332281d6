import { describe, expect, it } from 'vitest';
import { compiledText, compileText, linesOf, ofCode } from '../../support/compile-text.ts';

/** A hub that serves these leaves, with a range of node ports. */
const fleet = (leaves: readonly string[], { range = '30000-30009', more = '' } = {}): string => `
version: 1
name: fleet
hub: hub
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  hub: { podCIDR: 10.200.0.0/16, gateway: { addresses: [203.0.113.1], nodePorts: ${range} } }
${leaves.map((it, i) => `  ${it}: { podCIDR: 10.20${i + 1}.0.0/16 }`).join('\n')}
${more}
`;

const portsOf = (text: string, lock?: string): Readonly<Record<string, number>> =>
  Object.fromEntries(compiledText(text, lock).model.links.map((it) => [it.client.cluster.name, it.endpoint.port]));

const LEAVES = ['a', 'b', 'c', 'd', 'e', 'f'];

describe('ports', () => {
  it('fill a range to its last one, each once', () => {
    const ports = Object.values(portsOf(fleet(LEAVES, { range: '30000-30005' })));
    expect(ports.sort()).toEqual([30_000, 30_001, 30_002, 30_003, 30_004, 30_005]);
  });

  it('beyond the size of a range are one mistake of the server', () => {
    const mistakes = ofCode(compileText(fleet(LEAVES, { range: '30000-30003' })), 'link/ports-exhausted');
    expect(mistakes.map((it) => it.message)).toEqual([
      '"hub" serves 6 links, but `gateway.nodePorts` 30000-30003 has room for 4',
    ]);
  });

  it('stay when links are added, also where a new link would have got the same port first', () => {
    const before = compiledText(fleet(['c', 'd'], { range: '30000-30003' })).lock;
    const ports = portsOf(fleet(['a', 'b', 'c', 'd'], { range: '30000-30003' }), before);
    expect([`${ports['c']}`, `${ports['d']}`]).toEqual([
      linesOf(before)['c/hub/port/hub'],
      linesOf(before)['d/hub/port/hub'],
    ]);
    expect(new Set(Object.values(ports)).size).toBe(4);
  });

  it('move when the topology sets the same port, with a warning', () => {
    const before = compiledText(fleet(['c'])).lock;
    const port = linesOf(before)['c/hub/port/hub'];
    const text = fleet(['c', 'd'], { more: `peerings: [{ between: [d, hub], nodePort: ${port} }]` });
    const result = compileText(text, before);
    expect(ofCode(result, 'lock/port-moved').map((it) => it.message)).toEqual([
      expect.stringContaining(`port ${port}`),
    ]);
    expect(portsOf(text, before)).toMatchObject({ d: Number(port) });
    expect(portsOf(text, before)['c']).not.toBe(Number(port));
  });

  it('move into a range that changed, with a warning', () => {
    const before = compiledText(fleet(['c'])).lock;
    const text = fleet(['c'], { range: '31000-31009' });
    expect(ofCode(compileText(text, before), 'lock/port-moved')).toHaveLength(1);
    expect(portsOf(text, before)['c']).toBeGreaterThanOrEqual(31_000);
  });

  it('of two clusters behind one NAT address differ', () => {
    const behindNat = '{ dial: { address: 198.51.100.7 }, nodePorts: 30000-30001 }';
    const text = `
version: 1
name: fleet
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  a: { podCIDR: 10.201.0.0/16, gateway: ${behindNat} }
  b: { podCIDR: 10.202.0.0/16, gateway: ${behindNat} }
  c: { podCIDR: 10.203.0.0/16 }
peerings: [[a, c], [b, c]]
`;
    const { links } = compiledText(text).model;
    expect(links.map((it) => it.endpoint.port).sort()).toEqual([30_000, 30_001]);
  });

  it('move, with a warning, when two clusters get one address without any merge', () => {
    const text = (addressOfB: string): string => `
version: 1
name: fleet
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  a: { podCIDR: 10.201.0.0/16, gateway: 203.0.113.1 }
  b: { podCIDR: 10.202.0.0/16, gateway: ${addressOfB} }
  c: { podCIDR: 10.203.0.0/16 }
peerings: [[a, c], [b, c]]
`;
    const lock = compiledText(text('203.0.113.2')).lock.replace(/(\/port\/[ab]): \d+/g, '$1: 30007');
    const separate = compiledText(text('203.0.113.2'), lock).model.links;
    expect(separate.map((it) => it.endpoint.port)).toEqual([30_007, 30_007]);
    const result = compileText(text('203.0.113.1'), lock);
    expect(ofCode(result, 'lock/port-moved').map((it) => it.message)).toEqual([
      'the gateway of "b" for "c" can no longer use port 30007, which the gateway of "a" for "c" uses at the same address',
    ]);
    const ports = result.ok ? result.value.model.links.map((it) => [it.server.cluster.name, it.endpoint.port]) : [];
    expect(ports[0]).toEqual(['a', 30_007]);
    expect(ports[1]?.[1]).not.toBe(30_007);
  });

  it('that two branches chose independently are a contradiction, and the relock in the hint moves one of them', () => {
    const text = fleet(['a', 'b']);
    const lock = compiledText(text).lock.replace(/(\/port\/hub): \d+/g, '$1: 30007');
    const [mistake, ...others] = ofCode(compileText(text, lock), 'lock/contradiction');
    expect(others).toEqual([]);
    expect(mistake?.hint).toContain('"weft compile --relock hub/b"');
    const relocked = compiledText(text, lock, [{ cluster: 'hub', peer: 'b' }]);
    const ports = Object.fromEntries(relocked.model.links.map((it) => [it.client.cluster.name, it.endpoint.port]));
    expect(ports['a']).toBe(30_007);
    expect(ports['b']).not.toBe(30_007);
  });
});

import { describe, expect, it } from 'vitest';
import { compile } from '../../../src/compile.ts';
import { trace } from '../../../src/reach/trace/trace.ts';
import { readEnd, type TraceRequest } from '../../../src/reach/trace/trace-request.ts';
import { keysOf } from '../../support/keys-of.ts';

const FLEET = `version: 1
name: europe
hub: europe
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  rome: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.20 }
  milan: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.30, boundary: closed }
shortcuts: [[rome, milan]]
`;

function compiled(more: string) {
  const topology = { path: 'topology.yaml', text: FLEET + more };
  return compile({ topology, keys: keysOf(topology), lock: undefined }, { relock: [], only: null });
}

function fateOf(boundaries: string, from: string, to: string, more: Partial<TraceRequest> = {}) {
  const result = compiled(boundaries);
  if (!result.ok) throw new Error(result.diagnostics.map((it) => it.message).join());
  const [start, end] = [readEnd(from), readEnd(to)];
  if (!start.ok || !end.ok || start.end.kind !== 'cluster') throw new Error('an end cannot be read');
  return trace(result.value.model, { from: start.end, to: end.end, ...more });
}

const DATABASE = 'boundaries: [{ from: rome, to: milan, toCIDR: 10.202.7.0/24, ports: 5432 }]\n';

describe('a trace over a closed link', () => {
  it.each([
    ['nothing is listed', '', 'rome', 'milan', {}, 'refused'],
    ['another direction is open', '', 'milan', 'rome', {}, 'delivered'],
    ['the port is listed', DATABASE, 'rome', 'milan/10.202.7.9:5432', {}, 'delivered'],
    [
      'the port is listed for the other protocol',
      DATABASE,
      'rome',
      'milan/10.202.7.9:5432',
      { protocol: 'udp' },
      'refused',
    ],
    ['another port', DATABASE, 'rome', 'milan/10.202.7.9:22', {}, 'refused'],
    ['another pod', DATABASE, 'rome', 'milan/10.202.8.9:5432', {}, 'refused'],
    ['no port is asked for', DATABASE, 'rome', 'milan/10.202.7.9', {}, 'delivered'],
    ['no pods are named', DATABASE, 'rome', 'milan:5432', {}, 'delivered'],
    ['no pods are named, and another port', DATABASE, 'rome', 'milan:22', {}, 'refused'],
    ['the sender is a node', DATABASE, 'rome', 'milan/10.202.7.9:5432', { fromNode: true }, 'refused'],
    ['another cluster', DATABASE, 'europe', 'milan/10.202.7.9:5432', {}, 'refused'],
  ] as const)('%s', (_, boundaries, from, to, more, fate) => {
    const traced = fateOf(boundaries, from, to, more);
    expect([traced.fate.kind, traced.fate.why]).toEqual([fate, expect.any(String)]);
    if (fate === 'refused') expect(traced.fate.change).toContain('`boundaries`');
  });

  it('names the rule that lets it in, and the one that does not', () => {
    const rules = (to: string) =>
      fateOf(DATABASE, 'rome', to).there.flatMap(({ did }) =>
        'rule' in did && did.rule?.table === 'weft-fence-rome' ? [did.rule.rule.name] : [],
      );
    expect(rules('milan/10.202.7.9:5432')).toEqual(['10-202-0-0-16-to-10-202-7-0-24-tcp-5432']);
    expect(rules('milan/10.202.7.9:22')).toEqual(['deny']);
  });
});

describe('an assertion about a closed link', () => {
  const broken = (more: string) => compiled(more).diagnostics.filter((it) => it.code === 'assertion/broken');

  it('that it is unreachable holds while nothing is listed, for any pod and port', () => {
    const assertion = 'assertions: [{ from: rome, to: milan, expect: unreachable }]\n';
    expect(broken(assertion)).toEqual([]);
    expect(broken(DATABASE + assertion)).toHaveLength(1);
    expect(
      broken(`boundaries: [{ from: rome, fromCIDR: 10.202.3.0/24, to: milan, ports: 1 }]\n${assertion}`),
    ).toHaveLength(1);
  });

  it('that it is reachable holds when something is listed, and the hint is the entry', () => {
    const assertion = 'assertions: [{ from: rome, to: milan, expect: reachable, via: shortcut }]\n';
    expect(broken(DATABASE + assertion)).toEqual([]);
    const [found] = broken(assertion);
    expect([found?.message, found?.hint]).toEqual([
      '"rome" does not reach "milan": a fence lets nothing in from one to the other',
      'add `{ from: rome, to: milan }` with its ports to `boundaries`, or correct the assertion',
    ]);
  });

  it('may ask that a fence refuses it, and not only that no link is there', () => {
    const assertion = 'assertions: [{ from: rome, to: milan, expect: unreachable, by: fence }]\n';
    expect(broken(assertion)).toEqual([]);
    expect(broken(DATABASE + assertion)).toHaveLength(1);
    const [found] = broken('assertions: [{ from: rome, to: milan, expect: unreachable, via: hub, by: fence }]\n');
    expect(found).toBeUndefined();
    const unlinked = FLEET.replace('shortcuts: [[rome, milan]]\n', '').replace('hub: europe\n', '');
    const topology = {
      path: 'topology.yaml',
      text: `${unlinked}peerings: [[rome, europe]]\n${assertion}`,
    };
    const { diagnostics } = compile({ topology, keys: keysOf(topology), lock: undefined }, { relock: [], only: null });
    expect(diagnostics.find((it) => it.code === 'assertion/broken')?.message).toBe(
      'no fence refuses packets from "rome" to "milan": they have no link, and no cluster has links to both',
    );
  });

  it('through a hub is about what the hub forwards, under its own address', () => {
    const assertion = 'assertions: [{ from: rome, to: milan, expect: unreachable, via: hub }]\n';
    expect(broken(DATABASE + assertion)).toEqual([]);
    expect(broken(`boundaries: [{ from: europe, to: milan }]\n${assertion}`)).toEqual([]);
    expect(broken(`boundaries: [{ from: europe, masqueraded: true, to: milan }]\n${assertion}`)).toHaveLength(1);
  });
});

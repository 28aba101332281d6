import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { oncePer } from '../../../src/base/core/once.ts';
import { moveHost } from '../../../src/base/net/prefix.ts';
import { printAddress, readAddress } from '../../../src/base/net/text.ts';
import { type Compiled, compile } from '../../../src/compile.ts';
import { clusterNamed } from '../../../src/fleet/ipam/addressed-model.ts';
import { pairFatesOf } from '../../../src/reach/trace/pair-fates.ts';
import { trace } from '../../../src/reach/trace/trace.ts';
import { readEnd, type TraceRequest } from '../../../src/reach/trace/trace-request.ts';
import { law } from '../../laws/law.ts';
import { keysOf } from '../../support/keys-of.ts';

const FLEET = `version: 1
name: europe
hub: europe
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, boundary: closed }
clusters:
  europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  rome: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.20 }
  milan: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.30 }
shortcuts: [[rome, milan]]
`;

function attempt(entries: readonly string[], fleet = FLEET): Compiled | undefined {
  const list = entries.length === 0 ? ' []' : `\n${entries.map((it) => `  - ${it}`).join('\n')}`;
  const topology = { path: 'topology.yaml', text: `${fleet}boundaries:${list}\n` };
  const result = compile({ topology, keys: keysOf(topology), lock: undefined }, { relock: [], only: null });
  return result.ok ? result.value : undefined;
}

function compiled(...entries: readonly string[]): Compiled {
  const result = attempt(entries);
  if (result === undefined) throw new Error(`the fleet has errors: ${entries.join()}`);
  return result;
}

function traced({ model }: Compiled, from: string, to: string, more: Partial<TraceRequest> = {}) {
  const [start, end] = [readEnd(from), readEnd(to)];
  if (!start.ok || !end.ok || start.end.kind !== 'cluster') throw new Error('an end cannot be read');
  return trace(model, { from: start.end, to: end.end, ...more });
}

const SHOP = '{ from: rome, to: milan, toNamespace: shop, ports: 5432 }';
const WEB = '{ from: rome, to: milan, toNamespace: web, ports: 80 }';
const FRONT = '{ from: rome, fromNamespace: front, to: milan, ports: 22 }';

describe('a trace into a namespace', () => {
  it.each<readonly [string, string, Partial<TraceRequest>, string]>([
    ['its port is listed', 'milan:5432', { toNamespace: 'shop' }, 'delivered'],
    ['the port is listed for another namespace', 'milan:80', { toNamespace: 'shop' }, 'refused-by-policy'],
    ['no entry names the namespace', 'milan:80', { toNamespace: 'other' }, 'delivered'],
    ['no entry lists the port', 'milan:81', { toNamespace: 'shop' }, 'refused'],
    ['no port is asked for', 'milan', { toNamespace: 'shop' }, 'delivered'],
    ['the port is listed for TCP', 'milan:5432/udp', { toNamespace: 'shop' }, 'refused'],
    ['the sender may use the port', 'milan:22', { fromNamespace: 'front' }, 'delivered'],
    ['an entry is about every namespace of the sender', 'milan:80', { fromNamespace: 'front' }, 'delivered'],
    ['both ends are limited', 'milan:22', { fromNamespace: 'front', toNamespace: 'shop' }, 'delivered'],
  ])('%s', (_, to, more, fate) => {
    const found = traced(compiled(SHOP, WEB, FRONT), 'rome', to, more);
    expect(found.fate.kind, found.fate.why).toBe(fate);
  });

  it('names the policy that refuses, at either end, and the entry that would let it in', () => {
    const into = traced(compiled(SHOP, WEB), 'rome', 'milan:80', { toNamespace: 'shop' });
    expect(into.fate).toEqual({
      kind: 'refused-by-policy',
      why: 'NetworkPolicy weft-boundaries in namespace "shop" of "milan" refuses it: no entry of `boundaries` opens this connection from "rome" to "milan" for the namespace.',
      change:
        'Add `{ from: rome, to: milan, toNamespace: shop }` with its ports to `boundaries`, if it is meant to pass.',
    });
    expect(into.there.at(-1)?.did.kind).toBe('overlay');
    const only = '{ from: rome, fromNamespace: back, to: milan, ports: 5432 }';
    const out = traced(compiled(only, FRONT), 'rome', 'milan:22', { fromNamespace: 'back' });
    expect([out.fate.kind, out.fate.why]).toEqual([
      'refused-by-policy',
      expect.stringContaining('in namespace "back" of "rome"'),
    ]);
    expect([out.there.map((it) => it.did.kind), out.back]).toEqual([['sent'], []]);
    expect(out.fate.change).toContain('{ from: rome, fromNamespace: back, to: milan }');
  });

  it('names the entries that let it in, one by one where they differ', () => {
    expect(traced(compiled(SHOP), 'rome', 'milan:5432', { toNamespace: 'shop' }).policies).toEqual([
      'An entry of `boundaries` lets it in, topology.yaml:11.',
    ]);
    const twice = compiled(
      '{ from: rome, to: milan, toCIDR: 10.202.7.0/24, toNamespace: shop, ports: 80 }',
      '{ from: rome, to: milan, toNamespace: web, ports: 80 }',
    );
    expect(traced(twice, 'rome', 'milan/10.202.9.9:80', { toNamespace: 'shop' }).policies).toEqual([
      'An entry of `boundaries` lets it in, topology.yaml:12: by the fence of "milan".',
      'An entry of `boundaries` lets it in, topology.yaml:11: by the policy of namespace "shop".',
    ]);
  });

  it('that is not named is listed when its policy refuses the packet', () => {
    const fleet = compiled(SHOP, WEB, '{ from: europe, fromNamespace: front, to: milan, ports: 22 }');
    expect(traced(fleet, 'rome', 'milan:80').policies.at(-1)).toBe(
      'A policy refuses it into namespace "shop" of "milan": --to-namespace decides for one.',
    );
    expect(traced(fleet, 'rome', 'milan').policies).toEqual(['An entry of `boundaries` lets it in, topology.yaml:11.']);
    expect(traced(fleet, 'europe', 'milan:22', { toNamespace: 'web' }).fate.kind).toBe('delivered');
  });

  it('may be about some of its pods only', () => {
    const pods = '{ from: rome, to: milan, toNamespace: shop, toPods: { app: db, tier: back }, ports: 5432 }';
    const found = traced(compiled(pods), 'rome', 'milan:5432', { toNamespace: 'shop' });
    expect([found.fate.kind, found.policies.at(-1)]).toEqual([
      'delivered',
      'Only pods with app=db,tier=back get it there.',
    ]);
    const policies = objectsIn(compiled(pods), 'milan/boundaries/shop.yaml');
    const packet = { address: Number(readAddress('10.81.0.9')), protocol: 'tcp', port: 5432 } as const;
    const isIn = (labels: object) => isAllowed(policies, 'Ingress', labels, packet);
    expect([{}, { app: 'db' }, { app: 'db', tier: 'back', more: '1' }].map(isIn)).toEqual([false, false, true]);
    const all = traced(
      compiled(pods, '{ from: rome, to: milan, toNamespace: shop, ports: 1-9999 }'),
      'rome',
      'milan:5432',
      {
        toNamespace: 'shop',
      },
    );
    expect(all.policies.join()).not.toContain('Only pods');
  });

  it('decides a port that the fence opens for one entry and the policy for another', () => {
    const fleet = compiled(
      '{ from: rome, to: milan, toCIDR: 10.202.7.0/24, toNamespace: shop, ports: [1, 80] }',
      '{ from: rome, to: milan, toCIDR: 10.202.8.0/24, toNamespace: web, ports: [2, 80] }',
    );
    const fate = (to: string) => traced(fleet, 'rome', to, { toNamespace: 'shop' }).fate.kind;
    expect(fate('milan/10.202.7.9:1')).toBe('delivered');
    expect(fate('milan/10.202.8.9:2')).toBe('refused-by-policy');
    expect(fate('milan/10.202.8.9:80')).toBe('delivered');
    expect(fate('milan/10.202.9.9:80')).toBe('refused');
  });
});

describe('an assertion about a namespace', () => {
  const broken = (entries: readonly string[], assertion: string) => {
    const text = `${FLEET}boundaries:\n${entries.map((it) => `  - ${it}\n`).join('')}assertions: [${assertion}]\n`;
    const topology = { path: 'topology.yaml', text };
    const { diagnostics } = compile({ topology, keys: keysOf(topology), lock: undefined }, { relock: [], only: null });
    return diagnostics.filter((it) => it.severity === 'error').map((it) => [it.message, it.hint]);
  };

  it.each<readonly [string, boolean]>([
    ['toNamespace: shop, port: 5432, expect: reachable', true],
    ['toNamespace: shop, port: 80, expect: reachable', false],
    ['toNamespace: shop, port: 80, expect: unreachable', true],
    ['toNamespace: shop, port: 80, expect: unreachable, by: policy', true],
    ['toNamespace: shop, port: 80, expect: unreachable, by: fence', false],
    ['toNamespace: shop, port: 81, expect: unreachable, by: policy', false],
    ['toNamespace: shop, port: 81, expect: unreachable, by: fence', true],
    ['toNamespace: shop, port: 5432, protocol: UDP, expect: unreachable, by: fence', true],
    ['toNamespace: shop, expect: unreachable', false],
    ['toNamespace: other, port: 80, expect: reachable', true],
    ['port: 80, expect: reachable', true],
    ['port: 81, expect: unreachable, by: fence', true],
    ['expect: unreachable, by: policy', false],
  ])('%s', (words, isMet) => {
    expect(broken([SHOP, WEB], `{ from: rome, to: milan, via: shortcut, ${words} }`)).toHaveLength(isMet ? 0 : 1);
  });

  it('names what is missing', () => {
    expect(broken([SHOP, WEB], '{ from: rome, to: milan, toNamespace: shop, port: 80, expect: reachable }')).toEqual([
      [
        '"rome" does not reach "milan": the policy of a namespace lets nothing in from one to the other',
        'add `{ from: rome, to: milan, toNamespace: shop }` with its ports to `boundaries`, or correct the assertion',
      ],
    ]);
    expect(broken([SHOP, WEB], '{ from: rome, to: milan, port: 80, expect: unreachable, by: policy }')).toEqual([
      [
        '"rome" reaches "milan" by their shortcut',
        'add `toNamespace` or `fromNamespace`, whose policy is meant, or correct the assertion',
      ],
    ]);
  });
});

// The emitted files, read as a gateway and a network plugin read them.

interface Policy {
  readonly kind: string;
  readonly metadata: { readonly namespace: string };
  readonly spec: {
    readonly podSelector: { readonly matchLabels?: Record<string, string> };
    readonly policyTypes: readonly string[];
    readonly ingress?: readonly PolicyRule[];
    readonly egress?: readonly PolicyRule[];
  };
}

interface PolicyRule {
  readonly from?: readonly PolicyPeer[];
  readonly to?: readonly PolicyPeer[];
  readonly ports?: readonly { readonly protocol: string; readonly port?: number; readonly endPort?: number }[];
}

interface PolicyPeer {
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

interface SentPacket {
  readonly address: number;
  readonly protocol: 'tcp' | 'udp';
  readonly port: number;
}

function isIn(cidr: string, address: number): boolean {
  const [text = '', length = '0'] = cidr.split('/');
  const size = 2 ** (32 - Number(length));
  const base = readAddress(text);
  return base !== undefined && Math.floor(address / size) === Math.floor(base / size);
}

function isAllowed(
  policies: readonly Policy[],
  type: 'Ingress' | 'Egress',
  labels: object,
  packet: SentPacket,
): boolean {
  const selecting = policies.filter(
    ({ spec }) =>
      spec.policyTypes.includes(type) &&
      Object.entries(spec.podSelector.matchLabels ?? {}).every(([key, value]) =>
        Object.entries(labels).some(([k, v]) => k === key && v === value),
      ),
  );
  if (selecting.length === 0) return true;
  const rules = selecting.flatMap(({ spec }) => (type === 'Ingress' ? spec.ingress : spec.egress) ?? []);
  return rules.some(({ from, to, ports }) => {
    const isPeer = (from ?? to ?? []).some(
      ({ ipBlock }) =>
        ipBlock !== undefined &&
        isIn(ipBlock.cidr, packet.address) &&
        !(ipBlock.except ?? []).some((it) => isIn(it, packet.address)),
    );
    const isPort = (ports ?? []).some(
      ({ protocol, port, endPort }) =>
        protocol === packet.protocol.toUpperCase() &&
        (port === undefined || (port <= packet.port && packet.port <= (endPort ?? port))),
    );
    return isPeer && (ports === undefined || isPort);
  });
}

const filesOf = oncePer(({ bundle }: Compiled) => {
  const kept = new Map<string, readonly ReturnType<JSON['parse']>[]>();
  return (path: string) => {
    const objects = kept.get(path) ?? parseAllDocuments(bundle.get(path) ?? '').map((it) => it.toJS());
    kept.set(path, objects);
    return objects;
  };
});

const objectsIn = (fleet: Compiled, path: string) => filesOf(fleet)(path);

/** The reason why a packet ends: the fence, then the policies. Some pod of the receiver may have the labels that entries name. */
function stoppedBy(
  fleet: Compiled,
  packet: {
    from: string;
    to: string;
    source: number;
    destination: number;
    fromNamespace: string | null;
    toNamespace: string | null;
    protocol: 'tcp' | 'udp';
    port: number;
  },
): string {
  const { from, to, source, destination, protocol, port } = packet;
  const [sender, receiver] = [clusterNamed(fleet.model, from), clusterNamed(fleet.model, to)];
  const there = receiver.peers.get(from)?.podViews[0]?.seenAs;
  const here = sender.peers.get(to)?.podViews[0]?.seenAs;
  if (!there || !here) throw new Error('the two have no link');
  const fence = objectsIn(fleet, `${to}/peers/${from}/${from}.yaml`).find((it) => it.kind === 'FirewallConfiguration');
  const allowed = fence.spec.table.chains[0].rules.natRules.some(
    (rule: { match: readonly Record<string, { value: string; position: string }>[] }) =>
      rule.match.every((it) => {
        if (it['ip']) return isIn(it['ip'].value, it['ip'].position === 'src' ? source : destination);
        if (it['proto']) return it['proto'].value === protocol;
        const [first = 0, last = first] = it['port']?.value.split('-').map(Number) ?? [];
        return it['port'] === undefined || (first <= port && port <= last);
      }),
  );
  if (!allowed) return 'refused';
  const policies = (cluster: string, namespace: string | null): readonly Policy[] =>
    namespace === null ? [] : objectsIn(fleet, `${cluster}/boundaries/${namespace}.yaml`);
  const leaves = isAllowed(
    policies(from, packet.fromNamespace),
    'Egress',
    {},
    { address: moveHost(destination, here), protocol, port },
  );
  const seen = { address: moveHost(source, there), protocol, port };
  const enters = [{}, { app: 'db' }, { app: 'db', tier: 'back' }].some((labels) =>
    isAllowed(policies(to, packet.toNamespace), 'Ingress', labels, seen),
  );
  return leaves && enters ? 'delivered' : 'refused-by-policy';
}

const some = <T>(...values: readonly T[]) => fc.constantFrom(...values);

const entry = fc
  .record({
    from: some('rome', 'milan', 'europe', '{}'),
    to: some('rome', 'milan', 'europe', '{}'),
    fromNamespace: some('', 'fromNamespace: web, ', 'fromNamespace: shop, '),
    toNamespace: some(
      '',
      '',
      'toNamespace: shop, ',
      'toNamespace: web, ',
      'toNamespace: shop, toPods: { app: db }, ',
      'toNamespace: shop, toPods: { tier: back, app: db }, ',
    ),
    fromCIDR: some('', '', 'fromCIDR: 10.202.7.0/24, '),
    toCIDR: some('', '', 'toCIDR: 10.202.7.0/24, ', 'toCIDR: 10.202.0.0/20, '),
    ports: some('', 'ports: 80, ', 'ports: [80-90, 443], ', 'protocol: UDP, ports: 53-85, ', 'protocol: UDP, '),
  })
  .map(
    (it) =>
      `{ from: ${it.from}, ${it.fromNamespace}${it.fromCIDR}${it.toNamespace}${it.toCIDR}${it.ports}to: ${it.to} }`,
  );

/** The fleet with those of the entries that it accepts. */
function fleetWith(entries: readonly string[]): Compiled {
  let kept: readonly string[] = [];
  for (const it of entries) if (attempt([...kept, it])) kept = [...kept, it];
  return compiled(...kept);
}

const NAMESPACES = [null, 'shop', 'web'];
const HOSTS = [readAddress('10.202.7.9'), readAddress('10.202.9.9'), readAddress('10.202.99.9')].map(Number);
const PORTS = [53, 80, 86, 443, 9999];

describe('the policies and the fences that are written', () => {
  law(
    'decide every packet as the trace does, and a trace that names less is about one of them',
    100,
    fc.property(fc.array(entry, { maxLength: 5 }), (entries) => {
      const fleet = fleetWith(entries);
      for (const [from, to] of [
        ['rome', 'milan'],
        ['milan', 'rome'],
      ] as const) {
        for (const fromNamespace of NAMESPACES) {
          for (const toNamespace of NAMESPACES) {
            const flows = HOSTS.flatMap((source) =>
              HOSTS.flatMap((destination) =>
                PORTS.flatMap((port) =>
                  (['tcp', 'udp'] as const).map((protocol) => ({ source, destination, port, protocol })),
                ),
              ),
            );
            const all = flows.map((it) => {
              const wanted = stoppedBy(fleet, { from, to, fromNamespace, toNamespace, ...it });
              const found = traced(
                fleet,
                `${from}/${printAddress(it.source)}`,
                `${to}/${printAddress(it.destination)}:${it.port}/${it.protocol}`,
                { fromNamespace, toNamespace },
              );
              expect(
                `${found.route.kind === 'through' ? wanted : found.fate.kind}`,
                JSON.stringify([entries, from, fromNamespace, to, toNamespace, it]),
              ).toBe(wanted);
              return wanted;
            });
            const best = all.includes('delivered')
              ? 'delivered'
              : all.includes('refused-by-policy')
                ? 'refused-by-policy'
                : 'refused';
            const names = JSON.stringify([entries, from, fromNamespace, to, toNamespace]);
            const any = traced(fleet, from, to, { fromNamespace, toNamespace });
            expect(any.route.kind === 'through' ? best : any.fate.kind, names).toBe(best);
            const flow = { fromNamespace, toNamespace, protocol: null, port: null };
            const [sender, receiver] = [clusterNamed(fleet.model, from), clusterNamed(fleet.model, to)];
            expect(pairFatesOf(fleet.model, undefined, flow).between(sender, receiver, 'shortcut').fate, names).toBe(
              best,
            );
          }
        }
      }
    }),
  );
});

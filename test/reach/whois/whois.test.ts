import { describe, expect, it } from 'vitest';
import { diagnosticsDocument, printJson } from '../../../src/answers/report/diagnostics-document.ts';
import { plainPaint } from '../../../src/answers/report/paint.ts';
import { printWhois, whoisDocument } from '../../../src/answers/report/whois.ts';
import { moveHost } from '../../../src/base/net/prefix.ts';
import { readAddress } from '../../../src/base/net/text.ts';
import { compile } from '../../../src/compile.ts';
import type { SharedModel } from '../../../src/fleet/sharing/shared-model.ts';
import { trace } from '../../../src/reach/trace/trace.ts';
import { readWhoisAddress, usesOf, whois } from '../../../src/reach/whois/whois.ts';
import { compiledFleets } from '../../support/fleets.ts';
import { faultsOf, fileOf } from '../../support/json-documents.ts';
import { keysOf } from '../../support/keys-of.ts';

const at = (text: string): number => readAddress(text) as number;

/** Rome and milan use one pod network; oslo is behind milan; paris has lost a key. */
const topology = {
  path: 'topology.yaml',
  text: `version: 1
name: europe
hub: europe
defaults: { serviceCIDR: 10.96.0.0/12, internalCIDR: 10.80.0.0/16 }
clusters:
  europe: { podCIDR: 10.200.0.0/16, externalCIDR: 192.168.60.0/24, gateway: 203.0.113.10, reserved: [192.168.7.0/24] }
  milan: { podCIDR: 10.202.0.0/16, externalCIDR: 192.168.61.0/24, gateway: { addresses: [203.0.113.30, 203.0.113.31] } }
  oslo: { podCIDR: 10.210.0.0/16, externalCIDR: 192.168.62.0/24, hub: milan }
  paris: { podCIDR: 10.204.0.0/16, externalCIDR: 192.168.63.0/24 }
  rome: { podCIDR: 10.202.0.0/16, externalCIDR: 192.168.64.0/24 }
`,
};

function modelOf(): SharedModel {
  const keys = keysOf(topology, (it) => it !== 'paris');
  const compiled = compile({ topology, keys, lock: undefined }, { relock: [], only: [] });
  if (!compiled.ok) throw new Error(compiled.diagnostics.map((it) => it.message).join('\n'));
  return compiled.value.model;
}

const model = modelOf();

const printed = (address: string, within?: string): readonly string[] =>
  printWhois(whois(model, at(address), within === undefined ? null : (model.clusters.get(within) ?? null)), plainPaint)
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((it) => it.trim().replace(/ {2,}/g, ': '));

const NOTHING = 'nothing of this fleet: packets leave by the default route';

describe('whois of', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'a pod',
      '10.202.0.7',
      [
        'europe, oslo: a pod of milan, there 10.202.0.7 (10.202.0.0/16)',
        'milan, rome: a pod of its own (10.202.0.0/16)',
        `paris: ${NOTHING}`,
      ],
    ],
    ['a Service', '10.96.0.1', ['europe, milan, oslo, paris, rome: a Service of its own (10.96.0.0/12)']],
    [
      'a node',
      '192.168.7.9',
      ['europe: in a network that it reserves (192.168.7.0/24)', `milan, oslo, paris, rome: ${NOTHING}`],
    ],
    [
      'the overlay',
      '10.80.0.9',
      ['europe, milan, oslo, paris, rome: an overlay address of its gateways and nodes (10.80.0.0/16)'],
    ],
    [
      'an address that run time assigns',
      '192.168.60.9',
      [
        'europe: an address of its external CIDR, which it maps to a pod that it has offloaded, at run time (192.168.60.0/24)',
        'milan, rome: an address that europe maps to a pod that it has offloaded, at run time; there 192.168.60.9 (192.168.60.0/24)',
        `oslo: ${NOTHING}`,
        'paris: an address that europe maps to a pod that it has offloaded, at run time; there 192.168.60.9 (192.168.60.0/24); the link carries nothing, because it lacks a public key',
      ],
    ],
    [
      'an unknown source',
      '192.168.61.0',
      [
        'europe, oslo: the unknown source of milan, the source of packets that it forwards or that are not from pods (192.168.61.0/24)',
        'milan: its unknown source, the source of its packets that are not from pods (192.168.61.0/24)',
        `paris, rome: ${NOTHING}`,
      ],
    ],
    [
      'an end of a tunnel',
      '169.254.18.2',
      ['europe, milan, oslo, paris, rome: an end of a tunnel, the same in every gateway (169.254.18.0/30)'],
    ],
    [
      'a second address of a gateway',
      '203.0.113.31',
      [`europe, milan, oslo, paris, rome: ${NOTHING}`, 'Gateway of milan (gateway.addresses); no peer dials it.'],
    ],
    ['nothing', '8.8.8.8', [`europe, milan, oslo, paris, rome: ${NOTHING}`]],
    ...[
      ['127.0.0.1', '127.0.0.0/8 are loopback addresses'],
      ['0.0.0.0', '0.0.0.0/8 are addresses that mean "this host"'],
      ['169.254.169.254', '169.254.0.0/16 are link-local addresses'],
      ['239.1.2.3', '224.0.0.0/4 are multicast addresses'],
      ['255.255.255.255', '240.0.0.0/4 are addresses that are never routed'],
    ].map(([address = '', why]): [string, string, readonly string[]] => [
      'an address that no packet leaves its host or link for',
      address,
      [`europe, milan, oslo, paris, rome: nothing of this fleet, and no cluster routes it: ${why}`],
    ]),
  ])('%s: %s', (_, address, lines) => expect(printed(address)).toEqual(lines));

  it('a gateway names the peers that dial it', () => {
    const [, gateway] = printed('203.0.113.10');
    expect(gateway).toMatch(
      /^Gateway of europe \(gateway\.addresses\); dialled by milan at port \d+, paris at port \d+, rome at port \d+\.$/,
    );
  });

  it('one cluster names the others that use the address, and what to dial instead', () => {
    expect(printed('10.202.0.7', 'rome')).toEqual([
      'rome: a pod of its own (10.202.0.0/16)',
      'milan uses 10.202.0.7 for a pod of its own; rome dials that pod through "europe", at an address in 192.168.60.0/24 that is assigned at run time.',
    ]);
    const [seen, other, ...more] = printed('10.202.0.7', 'europe');
    expect(seen).toBe('europe: a pod of milan, there 10.202.0.7 (10.202.0.0/16)');
    expect(other).toMatch(/^rome uses 10\.202\.0\.7 for a pod of its own; europe dials that pod at 10\.\d+\.0\.7\.$/);
    expect(more).toEqual([]);
    expect(printed('10.204.0.7', 'oslo')).toEqual([
      `oslo: ${NOTHING}`,
      'paris uses 10.204.0.7 for a pod of its own; oslo has no path to that pod.',
    ]);
    expect(printed('10.202.0.7', 'paris')).toEqual([
      `paris: ${NOTHING}`,
      'milan uses 10.202.0.7 for a pod of its own; paris does not reach that pod, because a gateway has no public key.',
      'rome uses 10.202.0.7 for a pod of its own; paris does not reach that pod, because a gateway has no public key.',
    ]);
  });
});

describe('a trace to an address', () => {
  const others = (from: string, address: string) =>
    trace(model, { from: { cluster: from, address: null }, to: { kind: 'address', address: at(address) } }).others;

  it('names another cluster that uses the address, and what to dial for it', () => {
    expect(others('rome', '10.202.0.7')).toEqual([
      '"milan" uses 10.202.0.7 for a pod of its own; "rome" dials that pod through "europe", at an address in 192.168.60.0/24 that is assigned at run time.',
    ]);
    expect(others('rome', '10.210.0.7')).toEqual([
      '"oslo" uses 10.210.0.7 for a pod of its own; "rome" has no path to that pod.',
    ]);
    expect(others('europe', '10.200.0.7')).toEqual([]);
    expect(others('europe', '10.204.0.7')).toEqual([
      '"paris" uses 10.204.0.7 for a pod of its own; "europe" does not reach that pod, because a gateway has no public key.',
    ]);
    expect(others('oslo', '192.168.60.9')).toEqual([
      '"europe" uses 192.168.60.9 in its external CIDR; "oslo" has no path to that address.',
    ]);
    expect(others('rome', '192.168.7.9')).toEqual([
      '"europe" uses 192.168.7.9 in a network that it reserves, and no other cluster can dial it.',
    ]);
    expect(others('rome', '203.0.113.30')).toEqual([
      '"milan" has a gateway at 203.0.113.30, outside of the networks of all clusters.',
    ]);
    expect(others('rome', '192.168.61.0')).toEqual([
      '"milan" uses 192.168.61.0 as its unknown source, and no other cluster can dial it.',
    ]);
    expect(others('milan', '10.204.0.7')).toEqual([
      '"paris" uses 10.204.0.7 for a pod of its own; "milan" does not reach that pod, because a gateway has no public key.',
    ]);
  });

  it('names the cluster that sees a pod at an address', () => {
    const view = model.clusters.get('europe')?.peers.get('rome')?.podViews[0]?.seenAs;
    if (!view) throw new Error('europe sees rome');
    const address = moveHost(7, view);
    expect(trace(model, { from: { cluster: 'oslo', address: null }, to: { kind: 'address', address } }).others).toEqual(
      [
        expect.stringMatching(
          /^"europe" sees a pod of "rome" at 10\.\d+\.0\.7, there 10\.202\.0\.7; "oslo" has no path to that pod\.$/,
        ),
      ],
    );
    expect(others('oslo', '8.8.8.8')).toEqual([]);
  });

  it('does so for an address that the named cluster has for no pod', () => {
    const traced = trace(model, {
      from: { cluster: 'europe', address: null },
      to: { kind: 'cluster', cluster: 'rome', address: at('10.210.0.7') },
    });
    expect([traced.fate.kind, ...traced.others]).toEqual([
      'not-a-pod-address',
      '"oslo" uses 10.210.0.7 for a pod of its own; "europe" dials that pod through "milan", at an address in 192.168.61.0/24 that is assigned at run time.',
    ]);
  });
});

describe.each(compiledFleets().map((it) => [it.name, it.compiled.model] as const))('in %s', (_, fleet) => {
  it('every address that a cluster sees leads to the pod that has it', () => {
    for (const cluster of fleet.clusters.values()) {
      for (const { name, podViews } of cluster.peers.values()) {
        for (const { cidr, seenAs } of podViews) {
          const uses = usesOf(cluster, seenAs.base + 1);
          expect(uses).toEqual([
            expect.objectContaining({ kind: 'seen', role: 'pod', peer: name, real: cidr.base + 1 }),
          ]);
          const real = fleet.clusters.get(name);
          expect(real && usesOf(real, cidr.base + 1)).toContainEqual(
            expect.objectContaining({ kind: 'own', role: 'pod', network: cidr }),
          );
        }
      }
    }
  });

  it('the document is what the schema says', () => {
    for (const cluster of [null, ...fleet.clusters.values()]) {
      for (const address of ['10.202.0.7', '10.70.0.0', '10.70.0.9', '10.96.0.1', '203.0.113.10', '169.254.18.1']) {
        const document = { ...diagnosticsDocument([]), whois: whoisDocument(whois(fleet, at(address), cluster)) };
        expect(faultsOf(fileOf('whois'), JSON.parse(printJson(document)))).toEqual([]);
      }
    }
  });
});

describe('whois of a pod behind two hubs', () => {
  /** An address for a pod is assigned by a hub that has offloaded it. */
  const hubsOf = (sharing: string) => {
    const text = `version: 1
name: europe
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  a: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  b: { podCIDR: 10.201.0.0/16, gateway: 203.0.113.11 }
  oslo: { podCIDR: 10.202.0.0/16 }
  rome: { podCIDR: 10.203.0.0/16 }
peerings: [[a, oslo], [a, rome], [b, oslo], [b, rome]]
${sharing}`;
    const source = { path: 'topology.yaml', text };
    const compiled = compile({ topology: source, keys: keysOf(source), lock: undefined }, { relock: [], only: [] });
    if (!compiled.ok) throw new Error(compiled.diagnostics.map((it) => it.message).join('\n'));
    const { model } = compiled.value;
    const [dial] = whois(model, at('10.203.0.7'), model.clusters.get('oslo') ?? null).elsewhere.map((it) => it.dial);
    return dial?.kind === 'through' ? [dial.hub, ...dial.others] : [];
  };

  it('names those that have borrowed from its cluster', () => {
    expect(hubsOf('sharing: [{ consumer: b, provider: rome }]')).toEqual(['b']);
  });

  it('names both where no loan says who offloads there', () => {
    expect(hubsOf('')).toEqual(['a', 'b']);
    expect(hubsOf('sharing: [{ consumer: b, provider: oslo }]')).toEqual(['a', 'b']);
  });
});

describe('whois of the unknown source of a cluster whose nodes translate pods, too', () => {
  const eks = compiledFleets().find((it) => it.name === 'warns-eks-on-1.2')?.compiled.model;
  const text = eks ? printWhois(whois(eks, eks.clusters.get('rome')?.externalCIDR.base ?? 0, null), plainPaint) : '';

  it('says so in the cluster and in its peers', () => {
    expect(text).toContain('europe, milan  the unknown source of rome, the source of all its packets (');
    expect(text).toContain('its unknown source, the source of all its packets to peers (');
  });
});

describe('the argument', () => {
  it.each([
    ['10.0.0.0/16', '"10.0.0.0/16" is a network, and one address is needed', 'run "weft whois 10.0.0.0"'],
    ['rome/10.0.0.1', '"rome/10.0.0.1" is an address in a cluster', 'run "weft whois 10.0.0.1 --in rome"'],
    ['10.0.0.1:80', '"10.0.0.1:80" has a port, and only an address is needed', 'run "weft whois 10.0.0.1"'],
    ['fd00::1', '"fd00::1" is IPv6, which Liqo does not carry', null],
    ['10.0.0.256', '"10.0.0.256" is not an IPv4 address', null],
    [
      'rome',
      '"rome" is not an IPv4 address',
      'run "weft view rome" for the networks of a cluster; whois takes an address of a packet',
    ],
    ['10.81.3', '"10.81.3" is not an IPv4 address', null],
    ['', '"" is not an IPv4 address', null],
  ])('%j is refused', (text, problem, hint) => expect(readWhoisAddress(text)).toEqual({ ok: false, problem, hint }));
});

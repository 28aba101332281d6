import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printHeader } from '../../../src/base/core/generated-files.ts';
import { printPrefix } from '../../../src/base/net/text.ts';
import { RELEASE_LINES } from '../../../src/base/releases/release.ts';
import { lowerGatewayRuleset, lowerNodeRuleset } from '../../../src/bundle/nftables/lower-rulesets.ts';
import {
  gatewayHeader,
  gatewaySnippet,
  nodeHeader,
  nodeSnippet,
} from '../../../src/bundle/nftables/render-snippets.ts';
import { type NftRule, type Ruleset, ruleLines } from '../../../src/bundle/nftables/ruleset.ts';
import { type AddressedEnd, type AddressedPair, addressedPair, type EndSettings } from '../../support/addressed.ts';
import { nftAvailable, nftProblems } from '../../support/nft.ts';

const rulesOf = (ruleset: Ruleset): readonly NftRule[] =>
  ruleset.tables.flatMap((table) => table.chains.flatMap((chain) => chain.rules));

const gatewayText = ({ fleet }: AddressedPair, end: AddressedEnd) => gatewaySnippet(end.cluster, end.peer, fleet);
const nodeText = ({ fleet }: AddressedPair, end: AddressedEnd) => nodeSnippet(end.cluster, end.peer, fleet);

const allTexts = (pair: AddressedPair): readonly string[] =>
  [pair.server, pair.client].flatMap((end) => [gatewayText(pair, end), nodeText(pair, end)]);

/** The text without its comment at the top. */
const body = (text: string): string => text.replace(/^(#.*\n)*\n/, '');

/** E2 of Liqo's worked examples: the shortcut of two leaves with one pod CIDR, Liqo 1.0. */
const leaves = addressedPair({
  server: {
    ...{ name: 'c2', release: '1.0', pods: ['10.200.0.0/16'], external: '10.70.0.0/16' },
    ...{ seesPods: ['10.61.0.0/16'], seesExternal: '10.56.0.0/16' },
  },
  client: {
    ...{ name: 'c3', release: '1.0', pods: ['10.200.0.0/16'], external: '10.70.0.0/16' },
    ...{ seesPods: ['10.61.0.0/16'], seesExternal: '10.56.0.0/16' },
  },
});

/** Two pod CIDRs each on 1.2; the client needs one remap only. */
const several = addressedPair({
  server: {
    ...{ name: 'rome', pods: ['10.1.0.0/16', '10.2.0.0/24'], external: '10.71.0.0/16' },
    ...{ seesPods: ['10.61.0.0/16', '10.5.0.0/20'], seesExternal: '10.68.0.0/16' },
  },
  client: { name: 'milan', pods: ['10.1.0.0/16', '10.4.0.0/20'], external: '10.70.0.0/16', seesPods: ['10.64.0.0/16'] },
});

const plain = (release: string, over: Partial<EndSettings> = {}) =>
  addressedPair({
    server: { name: 'rome', release, pods: ['10.1.0.0/16'], external: '10.71.0.0/16', ...over },
    client: { name: 'milan', release, pods: ['10.2.0.0/16'], external: '10.70.0.0/16' },
  });

describe('gatewaySnippet', () => {
  it('prints the translations of a link that is remapped', () => {
    expect(gatewayText(leaves, leaves.server)).toBe(`\
${printHeader('topology.yaml')}#
# The gateway of c2 towards c3: on the way out addresses that c2 uses for
# c3 become c3's own, on the way in c3's own become those again.
#
# c2 sees the pod CIDR 10.200.0.0/16 of c3 as 10.61.0.0/16.
# c2 sees the external CIDR 10.70.0.0/16 of c3 as 10.56.0.0/16.
#
# Liqo programs this by itself. The file documents and simulates it: do not load it beside
# Liqo, or addresses would be translated twice.

table ip remap-podcidr {
  chain outgoing {
    type nat hook prerouting priority -100; policy accept;
    ip daddr 10.61.0.0/16 iifname != "eth0" iifname != "liqo-tunnel" dnat ip prefix to 10.200.0.0/16 comment "outgoing-c3-pod-10-200-0-0-16"
  }
  chain incoming {
    type nat hook postrouting priority 100; policy accept;
    oifname != "eth0" ip saddr 10.200.0.0/16 iifname "liqo-tunnel" snat ip prefix to 10.61.0.0/16 comment "incoming-c3-pod-10-200-0-0-16"
  }
}

table ip remap-externalcidr {
  chain outgoing {
    type nat hook prerouting priority -100; policy accept;
    ip daddr 10.56.0.0/16 iifname != "eth0" iifname != "liqo-tunnel" dnat ip prefix to 10.70.0.0/16 comment "outgoing-c3-external-10-70-0-0-16"
  }
  chain incoming {
    type nat hook postrouting priority 100; policy accept;
    oifname != "eth0" ip saddr 10.70.0.0/16 iifname "liqo-tunnel" snat ip prefix to 10.56.0.0/16 comment "incoming-c3-external-10-70-0-0-16"
  }
}
`);
  });

  it('has tables without rules on 1.2 where nothing is remapped', () => {
    expect(body(gatewayText(plain('1.2'), plain('1.2').server))).toBe(`\
table ip remap-podcidr {
  chain outgoing {
    type nat hook prerouting priority -100; policy accept;
  }
  chain incoming {
    type nat hook postrouting priority 100; policy accept;
  }
}

table ip remap-externalcidr {
  chain outgoing {
    type nat hook prerouting priority -100; policy accept;
  }
  chain incoming {
    type nat hook postrouting priority 100; policy accept;
  }
}
`);
    expect(gatewayText(plain('1.2'), plain('1.2').server)).toContain('10.2.0.0/16 of milan as it is.');
  });

  it.each(['1.0', '1.1'])('has rules that change nothing on %s', (release) => {
    const { cluster, peer } = plain(release).server;
    const moves = rulesOf(lowerGatewayRuleset(cluster, peer)).map((rule) => [rule.kind, rule.name]);
    expect(moves).toEqual([
      ['dnat-prefix', 'outgoing-milan-pod-10-2-0-0-16'],
      ['snat-prefix', 'incoming-milan-pod-10-2-0-0-16'],
      ['dnat-prefix', 'outgoing-milan-external-10-70-0-0-16'],
      ['snat-prefix', 'incoming-milan-external-10-70-0-0-16'],
    ]);
  });

  it('has a pair of rules for every pod CIDR that is remapped, on 1.2', () => {
    const names = ({ cluster, peer }: AddressedEnd) => rulesOf(lowerGatewayRuleset(cluster, peer)).map((it) => it.name);
    expect(names(several.server)).toEqual([
      ...['outgoing-milan-pod-10-1-0-0-16', 'outgoing-milan-pod-10-4-0-0-20'],
      ...['incoming-milan-pod-10-1-0-0-16', 'incoming-milan-pod-10-4-0-0-20'],
      ...['outgoing-milan-external-10-70-0-0-16', 'incoming-milan-external-10-70-0-0-16'],
    ]);
    expect(names(several.client)).toEqual(['outgoing-rome-pod-10-1-0-0-16', 'incoming-rome-pod-10-1-0-0-16']);
  });

  it('names the view behind each rule', () => {
    const { cluster, peer } = leaves.client;
    const origins = rulesOf(lowerGatewayRuleset(cluster, peer)).map((it) => it.origin);
    expect(origins.map((it) => [it?.peer, it?.cidr])).toEqual([
      ...[
        ['c2', 'pod'],
        ['c2', 'pod'],
      ],
      ...[
        ['c2', 'external'],
        ['c2', 'external'],
      ],
    ]);
    expect(origins[0]?.view).toBe(peer.podViews[0]);
    expect(origins[3]?.view).toBe(peer.externalView);
  });
});

describe('nodeSnippet', () => {
  it('keeps sources of pods and translates the others to the unknown source', () => {
    expect(nodeText(leaves, leaves.server)).toBe(`\
${printHeader('topology.yaml')}#
# Every node of c2, for packets to c3: pods of c2 keep their address, and any other
# source becomes 10.70.0.0, the first address of c2's external CIDR.
#
# c2 sees the pod CIDR 10.200.0.0/16 of c3 as 10.61.0.0/16.
# c2 sees the external CIDR 10.70.0.0/16 of c3 as 10.56.0.0/16.
#
# Mappings of single addresses and of nodes exist at run time only and are not here.
# Liqo programs this by itself. The file documents and simulates it: do not load it beside
# Liqo, or addresses would be translated twice.

table ip c3-masquerade-bypass {
  chain pre-postrouting {
    type nat hook postrouting priority 99; policy accept;
    ip daddr 10.61.0.0/16 ip saddr 10.200.0.0/16 snat ip prefix to 10.200.0.0/16 comment "podcidr-c3"
    ip daddr 10.61.0.0/16 ip saddr != 10.200.0.0/16 snat to 10.70.0.0 comment "service-nodeport-c3"
    ip daddr 10.56.0.0/16 ip saddr 10.200.0.0/16 snat ip prefix to 10.200.0.0/16 comment "podcidr-c3-ext"
    ip daddr 10.56.0.0/16 ip saddr != 10.200.0.0/16 snat to 10.70.0.0 comment "service-nodeport-c3-ext"
  }
}
`);
  });

  it('has rules for every pod CIDR of both ends on 1.2', () => {
    expect(body(nodeText(several, several.server))).toBe(`\
table ip milan-masquerade-bypass {
  chain pre-postrouting {
    type nat hook postrouting priority 99; policy accept;
    ip daddr 10.61.0.0/16 ip saddr 10.1.0.0/16 snat ip prefix to 10.1.0.0/16 comment "podcidr-milan-10-1-0-0-16-10-61-0-0-16"
    ip daddr 10.5.0.0/20 ip saddr 10.1.0.0/16 snat ip prefix to 10.1.0.0/16 comment "podcidr-milan-10-1-0-0-16-10-5-0-0-20"
    ip daddr 10.61.0.0/16 ip saddr 10.2.0.0/24 snat ip prefix to 10.2.0.0/24 comment "podcidr-milan-10-2-0-0-24-10-61-0-0-16"
    ip daddr 10.5.0.0/20 ip saddr 10.2.0.0/24 snat ip prefix to 10.2.0.0/24 comment "podcidr-milan-10-2-0-0-24-10-5-0-0-20"
    ip daddr 10.61.0.0/16 ip saddr != 10.1.0.0/16 ip saddr != 10.2.0.0/24 snat to 10.71.0.0 comment "service-nodeport-milan-10-61-0-0-16"
    ip daddr 10.5.0.0/20 ip saddr != 10.1.0.0/16 ip saddr != 10.2.0.0/24 snat to 10.71.0.0 comment "service-nodeport-milan-10-5-0-0-20"
    ip daddr 10.68.0.0/16 ip saddr 10.1.0.0/16 snat ip prefix to 10.1.0.0/16 comment "podcidr-milan-ext-10-1-0-0-16"
    ip daddr 10.68.0.0/16 ip saddr 10.2.0.0/24 snat ip prefix to 10.2.0.0/24 comment "podcidr-milan-ext-10-2-0-0-24"
    ip daddr 10.68.0.0/16 ip saddr != 10.1.0.0/16 ip saddr != 10.2.0.0/24 snat to 10.71.0.0 comment "service-nodeport-milan-ext"
  }
}
`);
  });

  it('prints a table that nft could not parse under another name', () => {
    const pair = plain('1.2', { name: '1a' });
    expect(lowerNodeRuleset(pair.client.cluster, pair.client.peer).tables[0]?.name).toBe('1a-masquerade-bypass');
    expect(body(nodeText(pair, pair.client))).toMatch(
      /^# Liqo calls this table 1a-masquerade-bypass, a name that nft cannot parse\.\ntable ip _1a-masquerade-bypass \{\n/,
    );
  });
});

describe('headers', () => {
  it('stay comments whatever the name of the topology file', () => {
    const pair = { ...leaves, fleet: { ...leaves.fleet, topologyFile: 'a\nflush ruleset\r\u2028.yaml' } };
    for (const text of allTexts(pair)) {
      expect(`${text.split('\n', 1)[0]}\n`).toBe(printHeader('a\u240aflush ruleset\u240d\ufffd.yaml'));
      expect(text).not.toMatch(/^flush/m);
    }
  });
});

const prefix = fc
  .tuple(fc.integer({ min: 1, max: 2 ** 24 }), fc.integer({ min: 8, max: 32 }))
  .map(([seed, length]) => ({ seed, length }));

/** The text of a network of that length, chosen from 10.0.0.0/8 and beyond by a seed. */
function networkText({ seed, length }: { readonly seed: number; readonly length: number }): string {
  const address = (0x0a000000 + seed * 97) >>> 0;
  const base = (address & (0xffffffff << (32 - length))) >>> 0;
  return printPrefix({ base, length });
}

/** A network and another one of the same length, as in a view; sometimes equal. */
const view = fc.tuple(prefix, fc.integer({ min: 1, max: 2 ** 24 }), fc.boolean()).map(([own, seed, same]) => {
  const cidr = networkText(own);
  return { cidr, seenAs: same ? cidr : networkText({ seed, length: own.length }) };
});

const end = fc.record({
  name: fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,49}[a-z0-9])?$/),
  release: fc.constantFrom(...RELEASE_LINES),
  pods: fc.array(view, { minLength: 1, maxLength: 3 }),
  external: view,
});

type End = typeof end extends fc.Arbitrary<infer T> ? T : never;

/** Several pod CIDRs need two ends whose release supports them. */
const withPodsForBoth = (own: End, other: End): End =>
  own.release === '1.2' && other.release === '1.2' ? own : { ...own, pods: own.pods.slice(0, 1) };

const pair = fc
  .tuple(end, end)
  .filter(([server, client]) => server.name !== client.name)
  .map(([server, client]) => [withPodsForBoth(server, client), withPodsForBoth(client, server)] as const)
  .map(([server, client]) => {
    const settingsOf = (own: typeof server, other: typeof server): EndSettings => ({
      name: own.name,
      release: own.release,
      pods: own.pods.map((it) => it.cidr),
      external: own.external.cidr,
      seesPods: other.pods.map((it) => it.seenAs),
      seesExternal: other.external.seenAs,
    });
    return addressedPair({ server: settingsOf(server, client), client: settingsOf(client, server) });
  });

describe('laws', () => {
  it('a rule with its name is on the line that ruleLines returns', () => {
    fc.assert(
      fc.property(pair, (it) => {
        for (const { cluster, peer } of [it.server, it.client]) {
          const printed = [
            { ruleset: lowerGatewayRuleset(cluster, peer), header: gatewayHeader(cluster, peer, it.fleet) },
            { ruleset: lowerNodeRuleset(cluster, peer), header: nodeHeader(cluster, peer, it.fleet) },
          ];
          const texts = [gatewaySnippet(cluster, peer, it.fleet), nodeSnippet(cluster, peer, it.fleet)];
          printed.forEach(({ ruleset, header }, index) => {
            const lines = (texts[index] ?? '').split('\n');
            const places = ruleLines(ruleset, header);
            expect([...places.keys()]).toEqual(rulesOf(ruleset));
            for (const [rule, line] of places) expect(lines[line - 1]).toContain(`comment "${rule.name}"`);
            expect(new Set(places.values()).size).toBe(places.size);
          });
        }
      }),
      { numRuns: 100 },
    );
  });

  it('every prefix rule has a target as long as what it matches', () => {
    fc.assert(
      fc.property(pair, ({ server, client }) => {
        for (const { cluster, peer } of [server, client]) {
          const rules = [lowerGatewayRuleset(cluster, peer), lowerNodeRuleset(cluster, peer)].flatMap(rulesOf);
          for (const rule of rules) {
            if (rule.kind === 'dnat-prefix') expect(rule.match.daddr?.length).toBe(rule.to.length);
            if (rule.kind === 'snat-prefix') expect(rule.match.saddr?.length).toBe(rule.to.length);
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  it.skipIf(!nftAvailable() && !process.env['CI'])('nft accepts every snippet (skipped without nft or root)', () => {
    const random = fc.sample(pair, { numRuns: 60, seed: 20_260_101 });
    const fixed = [
      leaves,
      several,
      plain('1.0'),
      plain('1.1'),
      plain('1.2'),
      plain('1.2', { name: '1a' }),
      plain('1.1', { name: '0' }),
    ];
    expect(nftProblems([...fixed, ...random].flatMap(allTexts))).toBe('');
    expect(nftProblems(['table ip 1a { }\n'])).toContain('syntax error');
  });
});

import { describe, expect, it } from 'vitest';
import * as rules from '../../../../src/fleet/topology/rules/links.ts';
import { compileText, ofCode } from '../../../support/compile-text.ts';
import { ruleTable } from '../../../support/rule-table.ts';

const names = (count: number, prefix: string): readonly string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}-${i}`);

/** A fleet in which every leaf is linked to every hub. */
function meshOfLinks(hubs: number, leaves: number, [open, close] = ['', '']): string {
  const [first, ...others] = names(hubs, 'hub');
  const clusters = [...names(hubs, 'hub'), ...names(leaves, 'leaf')].map((it) => `  ${it}: {}\n`).join('');
  return `version: 1
name: europe
hub: [${[`${open}${first}${close}`, ...others].join(', ')}]
defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, gateway: 203.0.113.10 }
clusters:
${clusters}`;
}

/** A fleet of so many clusters of which every one lends to every one. */
function meshOfLoans(clusters: number): string {
  const lines = Array.from(
    { length: clusters },
    (_, i) => `  c-${i}: { podCIDR: 10.${i % 250}.0.0/16, serviceCIDR: 172.16.0.0/16, hub: [] }`,
  );
  return `version: 1
name: mesh
clusters:
${lines.join('\n')}
sharing:
  - { consumer: c-0, provider: c-1 }
  - «{ consumer: {}, provider: {} }»
`;
}

/** Two linked clusters with so many pod CIDRs each. */
function twoWithPods(first: number, second: number, [open, close] = ['', '']): string {
  const pods = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => `10.${from + (i >> 8)}.${i & 255}.0/24`);
  const [own, ...others] = pods(0, first);
  return `version: 1
name: europe
liqo: { version: "1.2" }
defaults: { serviceCIDR: 172.20.0.0/16, externalCIDR: 172.21.0.0/16 }
clusters:
  rome: { podCIDR: [${[`${open}${own}${close}`, ...others].join(', ')}], gateway: 203.0.113.10 }
  milan: { podCIDR: [${pods(100, second).join(', ')}], externalCIDR: 172.22.0.0/16 }
peerings: [[rome, milan]]
`;
}

ruleTable(rules, {
  linksNameKnownClusters: [
    {
      code: 'topology/unknown-cluster',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
          milan: { gateway: 203.0.113.102 }
        shortcuts: [ [ rome, «milano» ] ]
      `,
    },
  ],
  linksJoinTwoClusters: [
    {
      code: 'topology/self-link',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
          milan: { gateway: 203.0.113.102 }
        shortcuts: [ [ rome, «rome» ] ]
      `,
    },
    {
      code: 'topology/unknown-end',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
          milan: { gateway: 203.0.113.102 }
        shortcuts:
          - { between: [ rome, milan ], server: «europe» }
      `,
    },
  ],
  linksCanBeWritten: [{ code: 'topology/too-many-links', topology: meshOfLinks(2000, 2000, ['«', '»']) }],
  rulesCanBeWritten: [{ code: 'topology/too-many-rules', topology: twoWithPods(501, 500, ['«', '»']) }],
  loansCanBeWritten: [{ code: 'topology/too-many-loans', topology: meshOfLoans(224) }],
  linkOptionsAreInRange: [
    {
      code: 'topology/mtu-out-of-range',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { gateway: 203.0.113.10 }
          milan: { gateway: 203.0.113.20 }
        peerings:
          - { between: [rome, milan], mtu: «70000» }
      `,
    },
  ],
  spokesHaveAHub: [
    {
      code: 'topology/selects-no-link',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100, retired: true }
          «rome»: { gateway: 203.0.113.101 }
          milan: { gateway: 203.0.113.102 }
          oslo: { gateway: 203.0.113.103 }
          bari: { gateway: 203.0.113.104 }
          kiel: { hub: [] }
        peerings: [[oslo, bari]]
      `,
    },
  ],
});

describe('a fleet that is too large', () => {
  it('is refused with its size, before any link exists', () => {
    const [found] = ofCode(compileText(meshOfLinks(2000, 2000)), 'topology/too-many-links');
    expect(found?.message).toBe('the fleet would have 4,000,000 links, and out/ would have about 32,000,000 files');
  });

  it('has more than 50,000 links', () => {
    expect(ofCode(compileText(meshOfLinks(251, 200)), 'topology/too-many-links')).toHaveLength(1);
    expect(ofCode(compileText(meshOfLinks(2, 30)), 'topology/too-many-links')).toEqual([]);
  });

  it('has more rules in its nodes than pod CIDRs allow, at both ends of each link', () => {
    const [found] = ofCode(compileText(twoWithPods(501, 500)), 'topology/too-many-rules');
    expect(found?.message).toBe('the nodes of the fleet would have 501,000 rules, and out/ would have about 83 MB');
    const leaves = names(15, 'leaf').map((it) => `  ${it}: {}\n`);
    const hub = twoWithPods(130, 130)
      .replace(/peerings.*/, leaves.join(''))
      .replace('defaults: {', 'hub: rome\ndefaults: { podCIDR: [10.200.0.0/24, 10.200.1.0/24],');
    expect(ofCode(compileText(hub), 'topology/too-many-rules')).toEqual([]);
  });

  it('is refused with the number of its loans, before they exist', () => {
    const found = ofCode(compileText(meshOfLoans(224).replace(/[«»]/g, '')), 'topology/too-many-loans');
    expect(found.map((it) => it.message)).toEqual(['`sharing` up to here selects 50177 pairs of clusters']);
  });
});

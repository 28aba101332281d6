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

/** A hub with some pod CIDRs and annotations of its gateways, and its spokes. */
function hubWith({ pods = 1, annotation = '', spokes = 0 }): string {
  const leaves = names(spokes, 'leaf').map((it) => `  ${it}: {}\n`);
  return twoWithPods(pods, 1)
    .replace(
      'gateway: 203.0.113.10',
      `gateway: { addresses: [203.0.113.10], serviceAnnotations: { example.com/a: "${annotation}" } }`,
    )
    .replace(/peerings.*/, leaves.join(''))
    .replace('defaults: {', 'hub: rome\ndefaults: { podCIDR: 10.200.0.0/24,');
}

const manyReserved = (count: number): string =>
  Array.from({ length: count }, (_, i) => `10.${128 + (i >> 8)}.${i & 255}.0/24`)
    .join(', ')
    .replace(/^\S+(?=,)/, '«$&»');

const LONG = 'x'.repeat(250_000);

/** Clusters that all borrow from each other, with a long annotation on each virtual node. */
const annotatedLoans = (clusters: number): string =>
  meshOfLoans(clusters).replace(
    '«{ consumer: {}, provider: {} }»',
    `«{ consumer: {}, provider: {}, virtualNode: { annotations: { example.com/a: "${LONG}" } } }»`,
  );

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
  rulesCanBeWritten: [{ code: 'topology/too-many-rules', topology: twoWithPods(560, 550, ['«', '»']) }],
  repeatedPartsCanBeWritten: [
    {
      code: 'topology/wrong-value',
      topology: hubWith({ annotation: LONG, spokes: 401 }).replace('rome: {', '«rome»: {'),
    },
    { code: 'topology/wrong-value', topology: annotatedLoans(21) },
    {
      code: 'topology/wrong-value',
      topology: hubWith({ spokes: 150 }).replace('defaults: {', `defaults: { reserved: [${manyReserved(2000)}],`),
    },
  ],
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
    const messageOf = (text: string) => ofCode(compileText(text), 'topology/too-many-rules')[0]?.message;
    expect(messageOf(twoWithPods(560, 550))).toBe(
      'the pod CIDRs of the fleet would become 616,000 rules of nodes and 1,110 views of peers, about 103 MB in out/',
    );
    expect(messageOf(hubWith({ pods: 1000, spokes: 110 }))).toBe(
      'the pod CIDRs of the fleet would become 222,000 rules of nodes and 111,111 views of peers, about 136 MB in out/',
    );
    const leaves = names(15, 'leaf').map((it) => `  ${it}: {}\n`);
    const hub = twoWithPods(130, 130)
      .replace(/peerings.*/, leaves.join(''))
      .replace('defaults: {', 'hub: rome\ndefaults: { podCIDR: [10.200.0.0/24, 10.200.1.0/24],');
    expect(ofCode(compileText(hub), 'topology/too-many-rules')).toEqual([]);
  });

  it('has longer annotations than its links and loans allow, with the size of all', () => {
    const [found] = ofCode(compileText(hubWith({ annotation: LONG, spokes: 401 })), 'topology/wrong-value');
    expect(found?.message).toBe('`serviceAnnotations` are written for each link of a gateway, about 101 MB in out/');
    expect(ofCode(compileText(hubWith({ annotation: LONG, spokes: 3 })), 'topology/wrong-value')).toEqual([]);
  });

  it('is refused with the number of its loans, before they exist', () => {
    const found = ofCode(compileText(meshOfLoans(224).replace(/[«»]/g, '')), 'topology/too-many-loans');
    expect(found.map((it) => it.message)).toEqual(['`sharing` up to here selects 50177 pairs of clusters']);
  });
});

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

  it('is refused with the number of its loans, before they exist', () => {
    const found = ofCode(compileText(meshOfLoans(224).replace(/[«»]/g, '')), 'topology/too-many-loans');
    expect(found.map((it) => it.message)).toEqual(['`sharing` up to here selects 50177 pairs of clusters']);
  });
});

import * as rules from '../../../../src/fleet/topology/rules/lists.ts';
import { ruleTable } from '../../../support/rule-table.ts';

ruleTable(rules, {
  namesAppearOnceInLists: [
    {
      code: 'topology/wrong-value',
      topology: `
        version: 1
        name: europe
        hub: [‹rome›, «rome»]
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { gateway: 203.0.113.10 }
      `,
    },
    {
      code: 'topology/wrong-value',
      topology: `
        version: 1
        name: europe
        order: [‹rome›, «rome»]
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { gateway: 203.0.113.10 }
      `,
    },
  ],
  acceptancesDiffer: [
    {
      code: 'topology/self-link',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { gateway: 203.0.113.10 }
        accept:
          - { code: link/mtu-differs, link: [‹rome›, «rome»], reason: both are ours }
      `,
    },
    {
      code: 'topology/wrong-value',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { gateway: 203.0.113.10 }
        accept:
          - { code: ‹topology/nothing-reserved›, cluster: rome, reason: one }
          - { code: «topology/nothing-reserved», cluster: rome, reason: two }
      `,
    },
  ],
});

import * as rules from '../../../../src/fleet/topology/rules/pools.ts';
import { ruleTable } from '../../../support/rule-table.ts';

ruleTable(rules, {
  poolsContainOwnCidrs: [
    {
      code: 'topology/own-cidr-outside-pools',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        liqo: { version: "1.1" }
        clusters:
          rome: { podCIDR: «100.64.0.0/16», gateway: 203.0.113.100 }
      `,
    },
    {
      code: 'topology/pools-overlap',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        ipam: { pools: [ 10.0.0.0/8, «10.128.0.0/9» ] }
        clusters:
          rome: { gateway: 203.0.113.100 }
      `,
    },
  ],
  carveLiesInPools: [
    {
      code: 'topology/carve-outside-pools',
      topology: `
        version: 1
        name: europe
        ipam: { pools: [10.0.0.0/8], carve: { from: «172.16.0.0/12», prefix: 20 } }
        defaults: { podCIDR: 10.202.0.0/16, serviceCIDR: 10.96.0.0/12 }
        clusters:
          rome: { externalCIDR: auto }
      `,
    },
    {
      code: 'topology/wrong-value',
      topology: `
        version: 1
        name: europe
        ipam: { carve: { from: 10.128.0.0/20, prefix: «16» } }
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { gateway: 203.0.113.10 }
      `,
    },
  ],
});

import * as rules from '../../../../src/fleet/topology/rules/networks.ts';
import { ruleTable } from '../../../support/rule-table.ts';

ruleTable(rules, {
  ownCidrsAreDisjoint: [
    {
      code: 'topology/own-cidrs-overlap',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { podCIDR: 10.96.0.0/16, serviceCIDR: «10.96.0.0/12», gateway: 203.0.113.100 }
      `,
    },
    {
      code: 'topology/reserved-overlap',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        liqo: { version: "1.1" }
        clusters:
          rome: { podCIDR: 10.202.0.0/16, reserved: [ «10.202.8.0/24», 192.168.10.0/24 ], gateway: 203.0.113.100 }
      `,
    },
    {
      code: 'topology/cidr-twice',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { podCIDR: 10.202.0.0/16, externalCIDR: «10.202.0.0/16», gateway: 203.0.113.100 }
      `,
    },
  ],
  podCidrsArePrivate: [
    {
      code: 'topology/unusual-value',
      topology: `
        version: 1
        name: europe
        defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { podCIDR: «8.8.8.0/24» }
          milan: { podCIDR: 100.64.0.0/16 }
      `,
    },
  ],
  ownCidrsHoldACluster: [
    {
      code: 'topology/service-cidr-small',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { podCIDR: 10.202.0.0/16, serviceCIDR: «10.96.0.0/30», gateway: 203.0.113.100 }
      `,
    },
    {
      code: 'topology/pod-cidr-small',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { podCIDR: «10.202.0.0/30», gateway: 203.0.113.100 }
      `,
    },
  ],
  podAndServiceCidrsAreNotExchanged: [
    {
      code: 'topology/cidrs-swapped',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { podCIDR: «10.43.0.0/16», serviceCIDR: 10.42.0.0/16, gateway: 203.0.113.100 }
      `,
    },
  ],
});

import * as rules from '../../../../src/fleet/topology/rules/resources.ts';
import { ruleTable } from '../../../support/rule-table.ts';

ruleTable(rules, {
  amountsOfBytesHaveASuffix: [
    {
      code: 'topology/unusual-value',
      topology: `
        version: 1
        name: europe
        defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { podCIDR: 10.0.0.0/16, capacity: { cpu: 8, memory: «8» } }
      `,
    },
    {
      code: 'topology/unusual-value',
      topology: `
        version: 1
        name: europe
        defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { podCIDR: 10.0.0.0/16, gateway: 203.0.113.10 }
          milan: { podCIDR: 10.1.0.0/16, apiServer: "https://milan.example.com:6443" }
        peerings: [[rome, milan]]
        sharing:
          - { consumer: rome, provider: milan, resources: { cpu: 4, memory: «16» } }
      `,
    },
    {
      code: 'topology/unusual-value',
      topology: `
        version: 1
        name: europe
        defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { podCIDR: 10.0.0.0/16, helmValues: { offloading: { defaultNodeResources: { memory: «16» } } } }
      `,
    },
    {
      code: 'topology/unusual-value',
      topology: `
        version: 1
        name: europe
        defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { podCIDR: 10.0.0.0/16, helmValues: { webhook: { pod: { resources: { limits: { memory: «512» } } } } } }
      `,
    },
  ],
  countsAreModest: [
    {
      code: 'topology/unusual-value',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          «rome»: { gateway: { addresses: [203.0.113.20], replicas: 11 } }
      `,
    },
    {
      code: 'topology/unusual-value',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { gateway: 203.0.113.20, helmValues: { virtualKubelet: { replicas: «2147483647» } } }
      `,
    },
    {
      code: 'topology/unusual-value',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { gateway: 203.0.113.20, helmValues: { offloading: { reflection: { pod: { workers: «1001» } } } } }
      `,
    },
  ],
});

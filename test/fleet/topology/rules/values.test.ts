import * as rules from '../../../../src/fleet/topology/rules/values.ts';
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
  helmValuesAreInTheRelease: [
    {
      code: 'topology/not-in-release',
      topology: `
        version: 1
        name: europe
        defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { podCIDR: 10.0.0.0/16, helmValues: { networking: { gateway: { mssclamp: { enabled: false } } } } }
          milan:
            podCIDR: 10.1.0.0/16
            liqo: { version: "1.0" }
            helmValues: { networking: { gateway: { mssclamp: { «enabled»: false } } }, webhook: { replicas: 2 } }
      `,
    },
    {
      // A patch of a release has it, and it is in `defaults`.
      code: 'topology/not-in-release',
      topology: `
        version: 1
        name: europe
        liqo: { version: 1.0.0 }
        defaults: { serviceCIDR: 10.96.0.0/12, helmValues: { «imagePullSecrets»: [{ name: mirror }] } }
        clusters:
          rome: { podCIDR: 10.0.0.0/16 }
          milan: { podCIDR: 10.1.0.0/16, liqo: { version: 1.0.1 } }
      `,
    },
    {
      // The release candidates had another name for it.
      code: 'topology/not-in-release',
      topology: `
        version: 1
        name: europe
        defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { podCIDR: 10.0.0.0/16, helmValues: { telemetry: { «enable»: false } } }
      `,
    },
  ],
});

import * as rules from '../../../../src/fleet/topology/rules/gitops.ts';
import { ruleTable } from '../../../support/rule-table.ts';

ruleTable(rules, {
  gitopsNamesARepository: [
    {
      code: 'topology/no-gitops-repository',
      topology: `
        version: 1
        name: «europe»
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { gateway: 203.0.113.100 }
      `,
    },
  ],
  bundlesHaveTheirOwnDestination: [
    {
      code: 'topology/wrong-value',
      topology: `
        version: 1
        name: europe
        gitops: { repository: https://git.example.com/fleet.git }
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { gateway: 203.0.113.10, gitops: { name: italy } }
          «milan»: { gateway: 203.0.113.20, gitops: { name: italy } }
      `,
    },
    {
      code: 'topology/wrong-value',
      topology: `
        version: 1
        name: europe
        gitops: { repository: https://git.example.com/fleet.git }
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { gateway: 203.0.113.10, gitops: { name: in-cluster } }
          «milan»: { gateway: 203.0.113.20, gitops: { server: https://kubernetes.default.svc } }
      `,
    },
    {
      code: 'topology/wrong-value',
      topology: `
        version: 1
        name: europe
        gitops: { repository: https://git.example.com/fleet.git }
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { gateway: 203.0.113.10, gitops: { server: https://API.example.com } }
          «milan»: { gateway: 203.0.113.20, gitops: { server: 'https://api.example.com:443/' } }
      `,
    },
    {
      code: 'topology/wrong-value',
      topology: `
        version: 1
        name: europe
        gitops: { repository: https://git.example.com/fleet.git }
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { gateway: 203.0.113.10, apiServer: { address: 'https://api.example.com' } }
          «milan»: { gateway: 203.0.113.20, gitops: { server: https://api.example.com/ } }
      `,
    },
  ],
  apiServersAreOfOneCluster: [
    {
      code: 'topology/wrong-value',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { apiServer: https://api.example.com:443/, gateway: 203.0.113.101 }
          milan: { apiServer: «API.example.com», gateway: 203.0.113.102 }
      `,
    },
    {
      code: 'topology/wrong-value',
      topology: `
        version: 1
        name: europe
        hub: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto, apiServer: «api.example.com» }
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
          milan: { gateway: 203.0.113.102 }
        sharing:
          - { consumer: europe, provider: rome }
          - { consumer: europe, provider: milan }
      `,
    },
  ],
});

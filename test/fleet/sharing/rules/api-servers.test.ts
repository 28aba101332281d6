import * as rules from '../../../../src/fleet/sharing/rules/api-servers.ts';
import { ruleTable } from '../../../support/rule-table.ts';

ruleTable(rules, {
  providersHaveAnApiServer: [
    {
      code: 'sharing/no-api-server',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { platform: «gke-v1», gateway: 203.0.113.101 }
        sharing:
          - { consumer: europe, provider: rome }
      `,
    },
  ],
  apiServersLieOutsideTunnels: [
    {
      code: 'sharing/api-server-inside',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { apiServer: «https://10.96.0.1», gateway: 203.0.113.101 }
        sharing:
          - { consumer: europe, provider: rome }
      `,
    },
  ],
});

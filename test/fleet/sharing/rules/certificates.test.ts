import * as rules from '../../../../src/fleet/sharing/rules/certificates.ts';
import { ruleTable } from '../../../support/rule-table.ts';

ruleTable(rules, {
  providersSignCertificates: [
    {
      code: 'sharing/answers-with-a-secret',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { platform: «eks», apiServer: https://rome.example, gateway: 203.0.113.101 }
        sharing:
          - { consumer: europe, provider: rome }
      `,
    },
  ],
  certificatesAreRenewed: [
    {
      code: 'sharing/not-renewed',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        liqo: { version: "1.1.2" }
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
        sharing:
          - «{ consumer: europe, provider: rome }»
      `,
    },
  ],
  credentialsHaveASource: [
    {
      code: 'sharing/kubeconfig-by-hand',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
        sharing:
          - «{ consumer: europe, provider: rome, auth: credentials }»
      `,
    },
  ],
});

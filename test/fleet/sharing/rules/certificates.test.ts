import * as rules from '../../../../src/fleet/sharing/rules/certificates.ts';
import { ruleTable } from '../../../support/rule-table.ts';

ruleTable(rules, {
  providersHaveTheirOwnKubeconfig: [
    {
      code: 'topology/wrong-value',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
          milan: { gateway: 203.0.113.102 }
        sharing:
          - { consumer: europe, provider: milan, auth: credentials, credentials: { store: vault, key: fleet } }
          - «{ consumer: europe, provider: rome, auth: credentials, credentials: { store: vault, key: fleet } }»
          - { consumer: rome, provider: milan, auth: credentials, credentials: { store: vault, key: fleet } }
      `,
    },
  ],
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

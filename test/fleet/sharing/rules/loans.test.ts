import * as rules from '../../../../src/fleet/sharing/rules/loans.ts';
import { ruleTable } from '../../../support/rule-table.ts';

ruleTable(rules, {
  loansHaveALink: [
    {
      code: 'sharing/without-link',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
        sharing:
          - «{ consumer: europe, provider: rome }»
      `,
    },
  ],
  loansHaveTheirParts: [
    {
      code: 'topology/decided-value',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101, helmValues: { offloading: { «enabled»: false } } }
          milan: { helmValues: { authentication: { enabled: false } } }
        sharing:
          - { consumer: europe, provider: rome }
      `,
    },
  ],
  loansAreActive: [
    {
      code: 'sharing/not-active',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
        sharing:
          - «{ consumer: europe, provider: rome, condition: Drained }»
      `,
    },
  ],
  directConnectionsNeedEveryLink: [
    {
      code: 'sharing/no-direct-connections',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
          milan: { gateway: 203.0.113.102 }
          turin: { gateway: 203.0.113.103 }
        shortcuts:
          - [ rome, milan ]
        sharing:
          - { consumer: europe, provider: {} }
        offloading:
          - «{ cluster: europe, namespace: demo }»
      `,
    },
  ],
  consumersReadMetrics: [
    {
      code: 'sharing/metrics-not-bound',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        liqo: { version: "1.0.3" }
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
        sharing:
          - «{ consumer: europe, provider: rome, auth: credentials }»
      `,
    },
  ],
});

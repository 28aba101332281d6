import * as rules from '../../../../src/fleet/sharing/rules/namespaces.ts';
import { ruleTable } from '../../../support/rule-table.ts';

ruleTable(rules, {
  namespacesHaveAProvider: [
    {
      code: 'sharing/no-provider',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { labels: { tier: leaf }, gateway: 203.0.113.101 }
        sharing:
          - { consumer: europe, provider: rome }
        offloading:
          - «{ cluster: europe, namespace: batch, to: { tier: leave }, pods: Remote }»
      `,
    },
  ],
  namespacesAreOffloadedOnce: [
    {
      code: 'sharing/offloaded-onwards',
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
          - { consumer: rome, provider: europe }
          - { consumer: europe, provider: milan }
        offloading:
          - { cluster: rome, namespace: demo }
          - «{ cluster: europe, namespace: demo-rome, createNamespace: false }»
      `,
    },
  ],
  systemNamespacesStay: [
    {
      code: 'sharing/system-namespace',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
        sharing:
          - { consumer: rome, provider: europe }
        offloading:
          - «{ cluster: rome, namespace: liqo, remoteName: liqo-of-rome }»
      `,
    },
  ],
});

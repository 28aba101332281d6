import * as rules from '../../../../src/fleet/boundaries/rules/enforcement.ts';
import { ruleTable } from '../../../support/rule-table.ts';

ruleTable(rules, {
  portsNeedAFence: [
    {
      code: 'boundaries/no-fence',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          «europe»: { gateway: 203.0.113.100, boundary: closed, liqo: { version: "1.0" } }
          rome: { gateway: 203.0.113.101, liqo: { version: "1.0" } }
      `,
    },
    {
      code: 'boundaries/ports-without-fence',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100, boundary: closed, liqo: { version: "1.0" } }
          rome: { gateway: 203.0.113.101, liqo: { version: "1.0" } }
        boundaries:
          - { from: rome, to: europe, ports: «443» }
      `,
    },
  ],
  cnisEnforcePolicies: [
    {
      code: 'boundaries/policies-ignored',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100, boundary: closed, cni: «flannel» }
          rome: { gateway: 203.0.113.101 }
        boundaries:
          - { from: rome, to: europe, toNamespace: shop }
      `,
    },
    {
      code: 'boundaries/policies-ignored',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100, boundary: closed }
          rome: { gateway: 203.0.113.101, cni: «azure» }
        boundaries:
          - { from: rome, fromNamespace: web, to: europe }
      `,
    },
  ],
  ciliumLimitsNodes: [
    {
      code: 'boundaries/nodes-not-matched',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100, boundary: closed, cni: «cilium» }
          rome: { gateway: 203.0.113.101 }
        boundaries:
          - { from: rome, to: europe, toNamespace: shop }
      `,
    },
  ],
  loansKeepTheirFlows: [
    {
      code: 'boundaries/loan-cut',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100, boundary: closed }
          rome: { gateway: 203.0.113.101 }
        sharing:
          - { consumer: rome, provider: europe }
        offloading:
          - «{ cluster: rome, namespace: shop }»
      `,
    },
    {
      code: 'boundaries/loan-cut',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100, boundary: closed }
          rome: { gateway: 203.0.113.101 }
        sharing:
          - { consumer: rome, provider: europe }
        offloading:
          - «{ cluster: rome, namespace: shop }»
        boundaries:
          - { from: rome, to: europe, toNamespace: other }
      `,
    },
    {
      code: 'boundaries/loan-cut',
      topology: `
        version: 1
        name: europe
        defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: rome
        clusters:
          rome: { podCIDR: 10.201.0.0/16, gateway: 203.0.113.101 }
          milan: { podCIDR: 10.202.0.0/16, boundary: closed }
          turin: { podCIDR: 10.203.0.0/16 }
        sharing:
          - { consumer: rome, provider: milan }
          - { consumer: rome, provider: turin }
        offloading:
          - «{ cluster: rome, namespace: shop }»
        boundaries:
          - { from: rome, to: milan, toNamespace: shop-rome }
      `,
    },
    {
      code: 'boundaries/loan-cut',
      topology: `
        version: 1
        name: europe
        defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: rome
        clusters:
          rome: { podCIDR: 10.201.0.0/16, gateway: 203.0.113.101 }
          milan: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.102 }
          turin: { podCIDR: 10.203.0.0/16 }
        shortcuts:
          - { between: [milan, turin], boundary: closed }
        sharing:
          - { consumer: rome, provider: milan }
          - { consumer: rome, provider: turin }
        offloading:
          - «{ cluster: rome, namespace: shop, directConnections: true }»
      `,
    },
  ],
});

import * as rules from '../../../../src/fleet/topology/rules/gateways.ts';
import { ruleTable } from '../../../support/rule-table.ts';

ruleTable(rules, {
  gatewaysHaveOneAddress: [
    {
      code: 'topology/several-addresses',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { gateway: { addresses: [ 203.0.113.20, «203.0.113.21» ] } }
      `,
    },
  ],
  gatewayAddressesNameNoCluster: [
    {
      code: 'topology/unusual-value',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { gateway: «milan» }
          milan: { gateway: milan.example.com }
      `,
    },
  ],
  nodesBelongToOneCluster: [
    {
      code: 'topology/unusual-value',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { gateway: ‹203.0.113.20› }
          milan: { gateway: «203.0.113.20» }
          oslo: { gateway: { addresses: [203.0.113.20], server: never } }
          bari: { gateway: { addresses: [203.0.113.20], service: LoadBalancer } }
      `,
    },
  ],
  gatewaysOnEksCanBeDialled: [
    {
      code: 'topology/node-port-on-eks',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome:
            podCIDR: 10.0.0.0/16
            platform: eks
            gateway: { addresses: [ «203.0.113.20» ], service: NodePort }
      `,
    },
  ],
  nodePortsNeedNoFlag: [
    {
      code: 'topology/node-port-range',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { podCIDR: 10.202.0.0/16, gateway: { addresses: [ 203.0.113.20 ], nodePorts: «20000-20099» } }
      `,
    },
  ],
  alertsNeedThePing: [
    {
      code: 'topology/alerts-without-ping',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { gateway: { addresses: [ 203.0.113.20 ], ping: false }, monitoring: { prometheusRules: «true» } }
      `,
    },
  ],
  lostTunnelsAreNoticed: [
    {
      code: 'topology/unusual-value',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          «rome»: { gateway: { addresses: [203.0.113.20], ping: { interval: 24h } } }
      `,
    },
    {
      code: 'topology/unusual-value',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { gateway: 203.0.113.20, monitoring: { prometheusRules: «true», downFor: 10y } }
      `,
    },
    {
      code: 'topology/unusual-value',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { gateway: 203.0.113.20, monitoring: { prometheusRules: «true», latencyFor: 25h } }
      `,
    },
    {
      code: 'topology/unusual-value',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { gateway: 203.0.113.20, monitoring: { prometheusRules: «true», latencyAbove: 10s } }
      `,
    },
  ],
});

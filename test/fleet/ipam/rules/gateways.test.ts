import * as rules from '../../../../src/fleet/ipam/rules/gateways.ts';
import { ruleTable } from '../../../support/rule-table.ts';

ruleTable(rules, {
  gatewaysLieOutsideTheDialler: [
    {
      code: 'link/gateway-inside-dialler',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          europe: { podCIDR: 10.200.0.0/16, gateway: «10.202.0.10» }
          rome: { podCIDR: 10.202.0.0/16, gateway: { server: never } }
        peerings: [ [ europe, rome ] ]
      `,
    },
  ],
  gatewaysLieOutsideTheirOwnCluster: [
    {
      code: 'link/gateway-inside-own-network',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          europe: { serviceCIDR: 10.96.0.0/16, gateway: { service: LoadBalancer, loadBalancerIP: 10.96.0.10 } }
          «rome»: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.101 }
        hub: europe
      `,
    },
  ],
});

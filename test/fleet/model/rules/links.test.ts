import * as rules from '../../../../src/fleet/model/rules/links.ts';
import { ruleTable } from '../../../support/rule-table.ts';

ruleTable(rules, {
  clientsDialAnotherCluster: [
    {
      code: 'link/dials-itself',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          europe: { gateway: «203.0.113.10» }
          rome: { gateway: 203.0.113.10 }
        hub: europe
      `,
    },
    {
      code: 'link/behind-one-address',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          europe: { gateway: { dial: { address: «198.51.100.7» } } }
          rome: { gateway: { dial: { address: 198.51.100.7 } } }
        hub: europe
      `,
    },
  ],
  linkOptionsHaveAnEffect: [
    {
      code: 'link/option-without-effect',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { gateway: { addresses: [ 203.0.113.20 ], service: LoadBalancer, server: prefer } }
          milan: { gateway: 203.0.113.101 }
        peerings:
          - { between: [ rome, milan ], nodePort: «31840» }
      `,
    },
  ],
  gatewaysAgreeOnMtu: [
    {
      code: 'link/mtu-differs',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { gateway: { addresses: [ 203.0.113.20 ], mtu: 1400 } }
          milan: { gateway: { addresses: [ 203.0.113.30 ], mtu: 1340 } }
        peerings: [ «[ rome, milan ]» ]
      `,
    },
  ],
});

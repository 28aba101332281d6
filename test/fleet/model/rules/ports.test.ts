import * as rules from '../../../../src/fleet/model/rules/ports.ts';
import { ruleTable } from '../../../support/rule-table.ts';

ruleTable(rules, {
  tunnelsListenOnAFreePort: [
    {
      code: 'link/listen-port-taken',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          europe: { gateway: { addresses: [ 203.0.113.10 ], service: LoadBalancer, ports: «6091» } }
          rome: { gateway: { server: never } }
        hub: europe
      `,
    },
  ],
  nodePortsAnswerWherePeersDial: [
    {
      code: 'link/local-traffic-policy',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { gateway: { addresses: [ 203.0.113.20 ], externalTrafficPolicy: «Local», server: prefer } }
          milan: { gateway: 203.0.113.101 }
        peerings:
          - [ rome, milan ]
      `,
    },
  ],
  servicesHaveAddressesOfTheirOwn: [
    {
      code: 'link/cluster-ip-shared',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { podCIDR: 10.200.0.0/16, gateway: { service: ClusterIP, addresses: [ «192.0.2.10» ] } }
          milan: { podCIDR: 10.201.0.0/16, gateway: 203.0.113.101 }
          rome: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.102 }
      `,
    },
    {
      code: 'link/load-balancer-shared',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { podCIDR: 10.200.0.0/16, gateway: { service: LoadBalancer, addresses: [ «203.0.113.10» ] } }
          milan: { podCIDR: 10.201.0.0/16, gateway: 203.0.113.101 }
          rome: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.102 }
      `,
    },
  ],
});

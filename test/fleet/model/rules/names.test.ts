import * as rules from '../../../../src/fleet/model/rules/names.ts';
import { ruleTable } from '../../../support/rule-table.ts';

ruleTable(rules, {
  namesAreUsedOnce: [
    {
      code: 'link/name-taken',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: rome
        clusters:
          rome: { gateway: 203.0.113.100 }
          milan: { gateway: 203.0.113.101 }
          turin: { gateway: 203.0.113.102 }
        peerings:
          - { between: [ rome, milan ], names: { rome: { namespace: peers } } }
          - { between: [ rome, turin ], names: { rome: { namespace: «peers» } } }
      `,
    },
  ],
  templatesOfOthersAreProvided: [
    {
      code: 'link/template-to-provide',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { gateway: { addresses: [ 203.0.113.20 ], server: prefer } }
          milan: { gateway: 203.0.113.101 }
        peerings:
          - «{ between: [ rome, milan ], template: { server: wireguard-server-ha } }»
      `,
    },
  ],
});

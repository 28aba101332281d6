import * as rules from '../../../../src/fleet/ipam/rules/shortcuts.ts';
import { ruleTable } from '../../../support/rule-table.ts';

ruleTable(rules, {
  servicesUseShortcuts: [
    {
      code: 'ipam/shortcut-services',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.100 }
          rome: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.101 }
          milan: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.102 }
        shortcuts: [ «[ rome, milan ]» ]
      `,
    },
  ],
});

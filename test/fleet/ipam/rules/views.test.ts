import * as rules from '../../../../src/fleet/ipam/rules/views.ts';
import { ruleTable } from '../../../support/rule-table.ts';

ruleTable(rules, {
  viewsNeedNoOrder: [
    {
      code: 'ipam/order-dependent',
      topology: `
        version: 1
        name: europe
        hub: europe
        defaults: { serviceCIDR: 10.96.0.0/12 }
        clusters:
          «europe»: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
          rome: { podCIDR: 10.202.0.0/16 }
          milan: { podCIDR: 10.203.0.0/16 }
      `,
    },
  ],
  chainsAreReadyAtAnyCommit: [
    {
      code: 'ipam/chains-before-flux-2.7',
      topology: `
        version: 1
        name: europe
        hub: europe
        gitops: { repository: https://git.example.com/fleet.git, flux: { version: «"2.6"» } }
        defaults: { serviceCIDR: 10.96.0.0/12 }
        clusters:
          europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
          rome: { podCIDR: 10.202.0.0/16 }
      `,
    },
  ],
  viewsSurviveARebuild: [
    {
      code: 'ipam/history',
      topology: `
        version: 1
        name: europe
        hub: europe
        defaults: { serviceCIDR: 10.96.0.0/12 }
        clusters:
          «europe»: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
          rome: { podCIDR: 10.202.0.0/16 }
      `,
      lock: `
        # topology.lock.yaml
        version: 1
        decisions:
          rome/europe/join: 2
          rome/europe/view/europe/external/10.70.0.0/16: 10.68.0.0/16
      `,
    },
  ],
  blocksHoldWhatLiqoAssigns: [
    {
      code: 'ipam/block-too-small',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          europe: { externalCIDR: «10.65.0.0/31», gateway: 203.0.113.100 }
          rome: { externalCIDR: auto, gateway: 203.0.113.20 }
        hub: europe
      `,
    },
    {
      code: 'ipam/block-tight',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          europe: { externalCIDR: «10.65.0.0/26», gateway: 203.0.113.100 }
          rome: { externalCIDR: auto, gateway: 203.0.113.20 }
        hub: europe
      `,
    },
  ],
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

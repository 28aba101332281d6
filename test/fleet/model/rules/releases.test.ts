import * as rules from '../../../../src/fleet/model/rules/releases.ts';
import { ruleTable } from '../../../support/rule-table.ts';

ruleTable(rules, {
  peersRunOneRelease: [
    {
      code: 'topology/version-skew',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { liqo: { version: "1.2" }, gateway: 203.0.113.100 }
          «rome»: { liqo: { version: "1.1" }, gateway: 203.0.113.101 }
      `,
    },
  ],
  peersReadEveryPodCidr: [
    {
      code: 'topology/several-pod-cidrs',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        liqo: { version: "1.1" }
        clusters:
          rome: { podCIDR: [ 10.202.0.0/16, «10.203.0.0/16» ], gateway: 203.0.113.100 }
      `,
    },
  ],
  hubsMapPodsOfOthers: [
    {
      code: 'link/hub-transit-untested',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { podCIDR: 10.200.0.0/16, platform: «eks», gateway: europe.gw.example.com }
          rome: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.101 }
          milan: { podCIDR: 10.203.0.0/16, gateway: 203.0.113.30 }
      `,
    },
  ],
  shortcutOperatorSupportsTheReleases: [
    {
      code: 'topology/shortcut-operator-release',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        liqo: { version: "1.2", shortcutOperator: «true» }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
          milan: { gateway: 203.0.113.102 }
        shortcuts: [ [ rome, milan ] ]
      `,
    },
  ],
  shortcutOperatorFindsItsObjects: [
    {
      code: 'link/shortcut-operator-names',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        liqo: { version: "1.0", shortcutOperator: true }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
          milan: { gateway: 203.0.113.102 }
        shortcuts:
          - { between: [ rome, milan ], names: { rome: { namespace: «peer-milan» } } }
      `,
    },
  ],
  shortcutOperatorUsesEveryShortcut: [
    {
      code: 'link/shortcut-operator-unused',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        liqo: { version: "1.0", shortcutOperator: true }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
          milan: { gateway: 203.0.113.102 }
          turin: { gateway: 203.0.113.103 }
        shortcuts: [ [ rome, milan ], [ milan, turin ], «[ rome, turin ]» ]
      `,
    },
  ],
});

import * as rules from '../../../../src/fleet/sharing/rules/slices.ts';
import { ruleTable } from '../../../support/rule-table.ts';

ruleTable(rules, {
  sliceNamesAreUnique: [
    {
      code: 'sharing/slice-name-twice',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
        sharing:
          - { consumer: europe, provider: rome, name: «pool» }
          - { consumer: rome, provider: europe, name: pool }
      `,
    },
  ],
  slicesUseAnAccountOfTheirOwn: [
    {
      code: 'sharing/account-shared',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
        sharing:
          - { consumer: europe, provider: rome, name: «rome» }
      `,
    },
  ],
  slicesHoldPods: [
    {
      code: 'sharing/slice-of-nothing',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
        sharing:
          - «{ consumer: europe, provider: rome, resources: { cpu: 0, memory: 8Gi } }»
      `,
    },
  ],
  classesAreAnswered: [
    {
      code: 'sharing/class-of-others',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
        sharing:
          - «{ consumer: europe, provider: rome, class: gold }»
      `,
    },
  ],
  providersHaveTheCapacity: [
    {
      code: 'sharing/over-capacity',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { capacity: { cpu: «8» }, gateway: 203.0.113.101 }
        sharing:
          - { consumer: europe, provider: rome, resources: { cpu: 12 } }
      `,
    },
  ],
  taintsAreListedOnce: [
    {
      code: 'topology/wrong-value',
      topology: `
        version: 1
        name: europe
        hub: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
        sharing:
          - «{ consumer: europe, provider: rome, virtualNode: { taints: [{ key: a, effect: NoSchedule }, { key: a, value: b, effect: NoSchedule }] } }»
      `,
    },
  ],
});

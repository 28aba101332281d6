import * as rules from '../../../../src/fleet/topology/rules/names.ts';
import { ruleTable } from '../../../support/rule-table.ts';

ruleTable(rules, {
  fleetNameIsADnsLabel: [
    {
      code: 'topology/bad-name',
      topology: `
        version: 1
        name: «Europe_1»
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { gateway: 203.0.113.10 }
      `,
    },
    {
      code: 'topology/name-too-long',
      topology: `
        version: 1
        name: «eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee»
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { gateway: 203.0.113.10 }
      `,
    },
  ],
  clusterNamesAreDnsLabels: [
    {
      code: 'topology/bad-name',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          «Rome_1»: { gateway: 203.0.113.100 }
      `,
    },
    {
      code: 'topology/name-too-long',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          «production-europe-west-milan-datacenter-two-cluster-seven»: { gateway: 203.0.113.100 }
      `,
    },
    {
      code: 'topology/name-like-integer',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          «"42"»: { gateway: 203.0.113.100 }
      `,
    },
  ],
  clusterNamesLeaveFileNamesFree: [
    {
      code: 'topology/bad-name',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          «kustomization»: { gateway: 203.0.113.10 }
      `,
    },
  ],
  namespaceNamesLeaveFileNamesFree: [
    {
      code: 'topology/bad-name',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: rome
        clusters:
          rome: { gateway: 203.0.113.10 }
          milan: {}
        sharing:
          - { consumer: rome, provider: milan, auth: credentials }
        offloading:
          - { cluster: rome, namespace: «kustomization», to: [milan] }
      `,
    },
  ],
  secretNamesHaveRoomForPeers: [
    {
      code: 'topology/name-too-long',
      topology: `
        version: 1
        name: europe
        keys: { secretName: «"kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk-{peer}"» }
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome-of-many-gateways: { gateway: 203.0.113.10 }
      `,
    },
  ],
  renamesNameFormerClusters: [
    {
      code: 'topology/bad-rename',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          oslo: { gateway: 203.0.113.101 }
          bergen: { renamedFrom: «oslo», gateway: 203.0.113.102 }
      `,
    },
  ],
  namesAppearOnceInLists: [
    {
      code: 'topology/wrong-value',
      topology: `
        version: 1
        name: europe
        hub: [‹rome›, «rome»]
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { gateway: 203.0.113.10 }
      `,
    },
    {
      code: 'topology/wrong-value',
      topology: `
        version: 1
        name: europe
        order: [‹rome›, «rome»]
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { gateway: 203.0.113.10 }
      `,
    },
  ],
  acceptancesDiffer: [
    {
      code: 'topology/self-link',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { gateway: 203.0.113.10 }
        accept:
          - { code: link/mtu-differs, link: [‹rome›, «rome»], reason: both are ours }
      `,
    },
    {
      code: 'topology/wrong-value',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { gateway: 203.0.113.10 }
        accept:
          - { code: ‹topology/nothing-reserved›, cluster: rome, reason: one }
          - { code: «topology/nothing-reserved», cluster: rome, reason: two }
      `,
    },
  ],
});

import * as rules from '../../../../src/fleet/sharing/rules/namespaces.ts';
import { ruleTable } from '../../../support/rule-table.ts';

ruleTable(rules, {
  namespacesHaveAProvider: [
    {
      code: 'sharing/no-provider',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { labels: { tier: leaf }, gateway: 203.0.113.101 }
        sharing:
          - { consumer: europe, provider: rome }
        offloading:
          - «{ cluster: europe, namespace: batch, to: { tier: leave }, pods: Remote }»
      `,
    },
    {
      code: 'sharing/no-provider',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
          milan: { gateway: 203.0.113.102 }
        sharing:
          - { consumer: europe, provider: rome, virtualNode: { createNode: false } }
        offloading:
          - «{ cluster: europe, namespace: batch }»
      `,
    },
  ],
  namespacesAreReflected: [
    {
      code: 'topology/wrong-value',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100, helmValues: { offloading: { reflection: { pod: { workers: 0 } } } } }
          rome: { gateway: 203.0.113.101 }
          milan: { gateway: 203.0.113.102 }
        sharing:
          - { consumer: europe, provider: rome }
        offloading:
          - «{ cluster: europe, namespace: batch }»
          - { cluster: europe, namespace: local, pods: Local }
      `,
    },
    {
      code: 'topology/wrong-value',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100, helmValues: { offloading: { reflection: { endpointslice: { workers: 0 } } } } }
          rome: { gateway: 203.0.113.101 }
          milan: { gateway: 203.0.113.102 }
        sharing:
          - { consumer: europe, provider: rome }
        offloading:
          - «{ cluster: europe, namespace: batch, directConnections: true }»
      `,
    },
    {
      code: 'topology/wrong-value',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100, helmValues: { networking: { reflectIPs: false } } }
          rome: { gateway: 203.0.113.101 }
          milan: { gateway: 203.0.113.102 }
        sharing:
          - { consumer: europe, provider: rome }
        offloading:
          - «{ cluster: europe, namespace: batch, directConnections: true }»
      `,
    },
    {
      code: 'topology/wrong-value',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101, helmValues: { networking: { denyDirectConnections: true } } }
        sharing:
          - { consumer: europe, provider: rome }
        offloading:
          - «{ cluster: europe, namespace: batch, directConnections: true }»
      `,
    },
    {
      code: 'topology/unused-setting',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
          milan: { gateway: 203.0.113.102 }
        sharing:
          - { consumer: europe, provider: rome }
        offloading:
          - «{ cluster: europe, namespace: batch, pods: Local, directConnections: true }»
      `,
    },
  ],
  namespacesAreOffloadedOnce: [
    {
      code: 'sharing/offloaded-onwards',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
          milan: { gateway: 203.0.113.102 }
        sharing:
          - { consumer: rome, provider: europe }
          - { consumer: europe, provider: milan }
        offloading:
          - { cluster: rome, namespace: demo }
          - «{ cluster: europe, namespace: demo-rome, createNamespace: false }»
      `,
    },
  ],
  systemNamespacesStay: [
    {
      code: 'sharing/system-namespace',
      topology: `
        version: 1
        name: europe
        hub: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
        gitops: { repository: https://git.example.com/fleet.git, argo: {} }
        sharing:
          - { consumer: rome, provider: europe }
        offloading:
          - «{ cluster: rome, namespace: argocd }»
      `,
    },
    {
      code: 'sharing/system-namespace',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
        sharing:
          - { consumer: rome, provider: europe }
        offloading:
          - «{ cluster: rome, namespace: liqo, remoteName: liqo-of-rome }»
      `,
    },
  ],
  probersStay: [
    {
      code: 'sharing/prober-namespace',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        conformance: true
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
        sharing:
          - { consumer: rome, provider: europe }
        offloading:
          - «{ cluster: rome, namespace: weft-conformance }»
      `,
    },
    {
      code: 'sharing/prober-namespace',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        conformance: true
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
        sharing:
          - { consumer: rome, provider: europe }
        offloading:
          - «{ cluster: rome, namespace: weft-conformance, pods: Local }»
      `,
    },
    {
      code: 'sharing/prober-namespace',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        conformance: true
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
        sharing:
          - { consumer: rome, provider: europe }
        offloading:
          - «{ cluster: rome, namespace: weft-conformance, createNamespace: false }»
      `,
    },
  ],
  remoteNamesFit: [
    {
      code: 'sharing/remote-name-too-long',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          production-of-the-milan-region: { gateway: 203.0.113.101 }
        sharing:
          - { consumer: production-of-the-milan-region, provider: europe }
        offloading:
          - «{ cluster: production-of-the-milan-region, namespace: web-applications-of-all-our-customers }»
      `,
    },
  ],
  remoteNamesDiffer: [
    {
      code: 'sharing/remote-names-meet',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
          milan: { gateway: 203.0.113.102 }
        sharing:
          - { consumer: rome, provider: europe }
          - { consumer: milan, provider: europe }
        offloading:
          - «{ cluster: rome, namespace: demo, remoteName: demo }»
          - { cluster: milan, namespace: demo, remoteName: demo }
      `,
    },
  ],
  remoteNamesAreFree: [
    {
      code: 'sharing/remote-name-taken',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
        sharing:
          - { consumer: rome, provider: europe }
          - { consumer: europe, provider: rome }
        offloading:
          - «{ cluster: rome, namespace: demo, remoteName: demo }»
          - { cluster: europe, namespace: demo }
      `,
    },
  ],
});

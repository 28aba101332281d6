import * as rules from '../../../../src/fleet/topology/rules/platforms.ts';
import { ruleTable } from '../../../support/rule-table.ts';

ruleTable(rules, {
  releasesFitSettings: [
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
  platformsRunTheNetwork: [
    {
      code: 'topology/platform-in-progress',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { podCIDR: 10.128.0.0/14, platform: «openshift», gateway: 203.0.113.100 }
      `,
    },
  ],
  platformsRunAllOfLiqo: [
    {
      code: 'topology/platform-limits',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { platform: «k3s», gateway: 203.0.113.100 }
      `,
    },
  ],
  platformsReserveNodeSubnets: [
    {
      code: 'topology/node-subnet-not-reserved',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { podCIDR: 10.244.0.0/16, platform: «aks-overlay», gateway: 203.0.113.100 }
      `,
    },
  ],
  clustersReserveNetworks: [
    {
      code: 'topology/nothing-reserved',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          «rome»: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.100 }
      `,
    },
  ],
  cnisLeaveLiqoAlone: [
    {
      code: 'topology/cni-settings',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { cni: «cilium», gateway: 203.0.113.100 }
      `,
    },
  ],
  sendersKeepTheirAddresses: [
    {
      code: 'topology/one-source-address',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { podCIDR: 10.0.0.0/16, platform: «eks», gateway: 203.0.113.100 }
      `,
    },
  ],
  platformsTakeTheirSettings: [
    {
      code: 'topology/wrong-value',
      topology: `
        version: 1
        name: europe
        hub: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { platform: eks, cni: «azure», gateway: rome.example.com }
      `,
    },
    {
      code: 'topology/wrong-value',
      topology: `
        version: 1
        name: europe
        hub: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { platform: kind, cni: «aws-vpc», gateway: 203.0.113.1 }
      `,
    },
    {
      code: 'topology/wrong-value',
      topology: `
        version: 1
        name: europe
        hub: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { platform: gke-v1, gateway: { addresses: [203.0.113.1], mtu: «9000» } }
      `,
    },
    {
      code: 'topology/wrong-value',
      topology: `
        version: 1
        name: europe
        hub: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { platform: «gke-v1», gateway: { addresses: [203.0.113.1], loadBalancerClass: service.k8s.aws/nlb } }
      `,
    },
    {
      code: 'topology/unused-setting',
      topology: `
        version: 1
        name: europe
        hub: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { platform: «aks-cni», gateway: { addresses: [203.0.113.1], serviceAnnotations: { service.beta.kubernetes.io/aws-load-balancer-type: nlb } } }
      `,
    },
  ],
});

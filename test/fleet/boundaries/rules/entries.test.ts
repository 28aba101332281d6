import * as rules from '../../../../src/fleet/boundaries/rules/entries.ts';
import { ruleTable } from '../../../support/rule-table.ts';

ruleTable(rules, {
  entriesSelectPairs: [
    {
      code: 'boundaries/matches-nothing',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100, boundary: closed }
          rome: { gateway: 203.0.113.101 }
        boundaries:
          - «{ from: rome, to: rome }»
      `,
    },
    {
      code: 'boundaries/matches-nothing',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100, boundary: closed }
          rome: { gateway: 203.0.113.101 }
        boundaries:
          - «{ from: { tier: leaf }, to: europe }»
      `,
    },
  ],
  entriesHaveALink: [
    {
      code: 'boundaries/without-link',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
          milan: { gateway: 203.0.113.102, boundary: closed }
        boundaries:
          - «{ from: rome, to: milan, ports: 443 }»
      `,
    },
    {
      code: 'boundaries/without-link',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
          milan: { gateway: 203.0.113.102, boundary: closed }
        peerings: [[rome, europe]]
        boundaries:
          - «{ from: milan, to: rome }»
      `,
    },
  ],
  entriesOpenAClosedLink: [
    {
      code: 'boundaries/all-open',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
        boundaries:
          - «{ from: rome, to: europe }»
      `,
    },
    {
      code: 'boundaries/all-open',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100, boundary: closed }
          rome: { gateway: 203.0.113.101 }
        peerings:
          - { between: [rome, europe], boundary: open }
        boundaries:
          - «{ from: rome, to: europe }»
      `,
    },
    {
      code: 'boundaries/all-open',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100, boundary: closed }
          rome: { gateway: 203.0.113.101 }
        boundaries:
          - «{ from: europe, to: rome }»
      `,
    },
  ],
  networksAreOfPods: [
    {
      code: 'boundaries/outside-pods',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100, boundary: closed }
          rome: { gateway: 203.0.113.101 }
        boundaries:
          - { from: rome, fromCIDR: «10.9.0.0/24», to: europe }
      `,
    },
    {
      code: 'boundaries/outside-pods',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100, boundary: closed }
          rome: { gateway: 203.0.113.101 }
        boundaries:
          - { from: rome, to: europe, toCIDR: «10.200.0.0/15» }
      `,
    },
  ],
  masqueradedPodsLookAlike: [
    {
      code: 'boundaries/masqueraded-pods',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100, boundary: closed }
          rome: { gateway: 203.0.113.101 }
        boundaries:
          - { from: rome, fromCIDR: «10.200.3.0/24», masqueraded: true, to: europe }
      `,
    },
    {
      code: 'boundaries/masqueraded-pods',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100, boundary: closed }
          rome: { platform: eks, gateway: { dial: { address: rome.example.com } } }
        boundaries:
          - { from: rome, fromCIDR: «10.200.3.0/24», to: europe }
      `,
    },
    {
      code: 'boundaries/masqueraded-pods',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100, boundary: closed }
          rome: { gateway: 203.0.113.101 }
        boundaries:
          - { from: rome, fromNamespace: «web», masqueraded: true, to: europe }
      `,
    },
    {
      code: 'boundaries/one-source-address',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100, boundary: closed }
          rome: { cni: aws-vpc, gateway: 203.0.113.101 }
        boundaries:
          - «{ from: rome, to: europe }»
      `,
    },
  ],
  systemNamespacesHaveNoPolicies: [
    {
      code: 'boundaries/system-namespace',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100, boundary: closed }
          rome: { gateway: 203.0.113.101 }
        boundaries:
          - { from: rome, to: europe, toNamespace: «liqo» }
      `,
    },
    {
      code: 'boundaries/system-namespace',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100, boundary: closed }
          rome: { gateway: 203.0.113.101 }
        boundaries:
          - { from: rome, fromNamespace: «liqo-tenant-europe», to: europe }
      `,
    },
  ],
  entriesAreNotRepeated: [
    {
      code: 'boundaries/repeated',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100, boundary: closed }
          rome: { gateway: 203.0.113.101 }
        boundaries:
          - { from: rome, to: europe, toNamespace: shop, toPods: { app: db }, ports: 1-9 }
          - { from: rome, to: europe, toNamespace: shop, toPods: { app: web }, ports: 1-9 }
          - «{ from: rome, to: europe, toNamespace: shop, toPods: { app: db, tier: back }, ports: 5 }»
      `,
    },
    {
      code: 'boundaries/repeated',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100, boundary: closed }
          rome: { gateway: 203.0.113.101 }
        boundaries:
          - { from: rome, to: europe, ports: [443] }
          - «{ from: rome, to: europe, ports: [443] }»
      `,
    },
    {
      code: 'boundaries/repeated',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100, boundary: closed }
          rome: { gateway: 203.0.113.101 }
        boundaries:
          - «{ from: rome, to: europe, ports: [443] }»
          - ‹{ from: {}, to: europe, protocol: TCP }›
      `,
    },
  ],
});

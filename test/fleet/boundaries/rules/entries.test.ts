import * as rules from '../../../../src/fleet/boundaries/rules/entries.ts';
import { ruleTable } from '../../../support/rule-table.ts';
import { closedHub } from './closed-hub.ts';

const hub = 'europe: { gateway: 203.0.113.100 }';
const leaves = 'rome: { gateway: 203.0.113.101 }, milan: { gateway: 203.0.113.102, boundary: closed }';

const shop = (pods: string, ports: string) =>
  `{ from: rome, to: europe, toNamespace: shop, toPods: ${pods}, ports: ${ports} }`;

ruleTable(rules, {
  entriesSelectPairs: [
    { code: 'boundaries/matches-nothing', topology: closedHub('«{ from: rome, to: rome }»') },
    { code: 'boundaries/matches-nothing', topology: closedHub('«{ from: { tier: leaf }, to: europe }»') },
  ],
  entriesHaveALink: [
    {
      code: 'boundaries/without-link',
      topology: closedHub('«{ from: rome, to: milan, ports: 443 }»', { hub, leaves }),
    },
    {
      code: 'boundaries/without-link',
      topology: closedHub('«{ from: milan, to: rome }»', { hub, leaves, more: 'peerings: [[rome, europe]]' }),
    },
  ],
  entriesOpenAClosedLink: [
    { code: 'boundaries/all-open', topology: closedHub('«{ from: rome, to: europe }»', { hub }) },
    {
      code: 'boundaries/all-open',
      topology: closedHub('«{ from: rome, to: europe }»', {
        more: 'peerings: [{ between: [rome, europe], boundary: open }]',
      }),
    },
    { code: 'boundaries/all-open', topology: closedHub('«{ from: europe, to: rome }»') },
  ],
  networksAreOfPods: [
    { code: 'boundaries/outside-pods', topology: closedHub('{ from: rome, fromCIDR: «10.9.0.0/24», to: europe }') },
    { code: 'boundaries/outside-pods', topology: closedHub('{ from: rome, to: europe, toCIDR: «10.200.0.0/15» }') },
  ],
  masqueradedPodsLookAlike: [
    {
      code: 'boundaries/masqueraded-pods',
      topology: closedHub('{ from: rome, fromCIDR: «10.200.3.0/24», masqueraded: true, to: europe }'),
    },
    {
      code: 'boundaries/masqueraded-pods',
      topology: closedHub('{ from: rome, fromCIDR: «10.200.3.0/24», to: europe }', {
        leaves: 'rome: { platform: eks, gateway: { dial: { address: rome.example.com } } }',
      }),
    },
    {
      code: 'boundaries/masqueraded-pods',
      topology: closedHub('{ from: rome, fromNamespace: «web», masqueraded: true, to: europe }'),
    },
    {
      code: 'boundaries/one-source-address',
      topology: closedHub('«{ from: rome, to: europe }»', {
        leaves: 'rome: { cni: aws-vpc, gateway: 203.0.113.101 }',
      }),
    },
  ],
  systemNamespacesHaveNoPolicies: [
    { code: 'boundaries/system-namespace', topology: closedHub('{ from: rome, to: europe, toNamespace: «liqo» }') },
    {
      code: 'boundaries/system-namespace',
      topology: closedHub('{ from: rome, fromNamespace: «liqo-tenant-europe», to: europe }'),
    },
  ],
  entriesAreNotRepeated: [
    {
      code: 'boundaries/repeated',
      topology: closedHub(
        [shop('{ app: db }', '1-9'), shop('{ app: web }', '1-9'), `«${shop('{ app: db, tier: back }', '5')}»`].join(
          ', ',
        ),
      ),
    },
    {
      code: 'boundaries/repeated',
      topology: closedHub('{ from: rome, to: europe, ports: [443] }, «{ from: rome, to: europe, ports: [443] }»'),
    },
    {
      code: 'boundaries/repeated',
      topology: closedHub('«{ from: rome, to: europe, ports: [443] }», ‹{ from: {}, to: europe, protocol: TCP }›'),
    },
  ],
});

import * as rules from '../../../../src/fleet/boundaries/rules/enforcement.ts';
import { ruleTable } from '../../../support/rule-table.ts';
import { closedHub } from './closed-hub.ts';

const liqo = 'liqo: { version: "1.0" }';

const LENT_BY_HUB = `sharing: [{ consumer: rome, provider: europe }]
offloading: [«{ cluster: rome, namespace: shop }»]`;
const LENT_BY_LEAVES = `sharing: [{ consumer: europe, provider: milan }, { consumer: europe, provider: turin }]
offloading: [«{ cluster: europe, namespace: shop }»]`;

ruleTable(rules, {
  portsNeedAFence: [
    {
      code: 'boundaries/no-fence',
      topology: closedHub('', { hub: '«europe»: { gateway: 203.0.113.100, boundary: closed }', more: liqo }),
    },
    {
      code: 'boundaries/ports-without-fence',
      topology: closedHub('{ from: rome, to: europe, ports: «443» }', { more: liqo }),
    },
  ],
  cnisEnforcePolicies: [
    {
      code: 'boundaries/policies-ignored',
      topology: closedHub('{ from: rome, to: europe, toNamespace: shop }', {
        hub: 'europe: { gateway: 203.0.113.100, boundary: closed, cni: «flannel» }',
      }),
    },
    {
      code: 'boundaries/policies-ignored',
      topology: closedHub('{ from: rome, fromNamespace: web, to: europe }', {
        leaves: 'rome: { gateway: 203.0.113.101, cni: «azure» }',
      }),
    },
  ],
  ciliumLimitsNodes: [
    {
      code: 'boundaries/nodes-not-matched',
      topology: closedHub('{ from: rome, to: europe, toNamespace: shop }', {
        hub: 'europe: { gateway: 203.0.113.100, boundary: closed, cni: «cilium» }',
      }),
    },
    {
      code: 'boundaries/nodes-not-matched',
      topology: closedHub('{ from: rome, fromNamespace: web, to: europe }', {
        leaves: 'rome: { gateway: 203.0.113.101, cni: «cilium» }',
      }),
    },
  ],
  loansKeepTheirFlows: [
    { code: 'boundaries/loan-cut', topology: closedHub('', { more: LENT_BY_HUB }) },
    {
      code: 'boundaries/loan-cut',
      topology: closedHub('{ from: rome, to: europe, toNamespace: other }', { more: LENT_BY_HUB }),
    },
    {
      code: 'boundaries/loan-cut',
      topology: closedHub('{ from: europe, to: milan, toNamespace: shop-europe }', {
        hub: 'europe: { gateway: 203.0.113.100 }',
        leaves: 'milan: { boundary: closed }, turin: {}',
        more: LENT_BY_LEAVES,
      }),
    },
    {
      code: 'boundaries/loan-cut',
      topology: closedHub('', {
        hub: 'europe: { gateway: 203.0.113.100 }',
        leaves: 'milan: { gateway: 203.0.113.101 }, turin: {}',
        more: `shortcuts: [{ between: [milan, turin], boundary: closed }]
${LENT_BY_LEAVES.replace('shop', 'shop, directConnections: true')}`,
      }),
    },
  ],
});

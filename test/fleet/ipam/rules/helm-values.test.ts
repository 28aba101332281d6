import * as rules from '../../../../src/fleet/ipam/rules/helm-values.ts';
import { ruleTable } from '../../../support/rule-table.ts';

const fleet = (rome: string) => `
  version: 1
  name: europe
  defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
  clusters:
    rome: { podCIDR: 10.0.0.0/16, ${rome} }
`;

const example = (rome: string) => ({ code: 'topology/decided-value', topology: fleet(rome) }) as const;

ruleTable(rules, {
  helmValuesAgreeWithTheTopology: [
    example('helmValues: { ipam: { «podCIDR»: 10.1.0.0/16 } }'),
    example('helmValues: { ipam: { «externalCIDR»: 10.70.0.0/16 } }'),
    example('helmValues: { ipam: { «reservedSubnets»: [10.1.0.0/16] } }'),
    example('helmValues: { discovery: { config: { «clusterID»: milan } } }'),
    example('helmValues: { apiServer: { «address»: "https://rome.example.com:6443" } }'),
    example('helmValues: { metrics: { «enabled»: true } }'),
    example('monitoring: { prometheusRules: true }, helmValues: { metrics: { «enabled»: false } }'),
    example('platform: k3s, helmValues: { networking: { fabric: { config: { «nftablesMonitor»: true } } } }'),
    example('platform: kind, helmValues: { networking: { fabric: { config: { «gatewayMasqueradeBypass»: false } } } }'),
    example('helmValues: { networking: { fabric: { config: { «fullMasquerade»: true } } } }'),
    example('platform: aks-cni, helmValues: { discovery: { config: { clusterLabels: { «liqo.io/provider»: eks } } } }'),
    example('helmValues: { networking: { gatewayTemplates: { «replicas»: 2 } } }'),
    example('helmValues: { networking: { «genevePort»: 6092 } }'),
    example('helmValues: { «tag»: v1.1.0 }'),
    // Only one of several differs.
    example(
      'helmValues: { tag: v1.2.0, ipam: { podCIDR: 10.0.0.0/16, internal: { replicas: 2 } }, metrics: { enabled: false }, «nameOverride»: weft }',
    ),
  ],
});

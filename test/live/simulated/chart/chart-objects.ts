import { NETWORKING, type ReleaseLine, type SimulatedObject } from '../objects.ts';
import { gatewayTemplates } from './gateway-templates.ts';
import type { HelmValues } from './helm-values.ts';
import { liqoDeployments } from './liqo-deployments.ts';
import { ownNetworks } from './own-networks.ts';

interface Installation {
  readonly release: ReleaseLine;
  readonly values: HelmValues;
  readonly namespace: string;
}

/** The objects of a cluster before any peering: Kubernetes' namespaces, and the objects of Liqo's chart. */
export function chartObjects({ release, values, namespace }: Installation): readonly SimulatedObject[] {
  const names = ['kube-system', 'kube-public', 'default', 'kube-node-lease', namespace];
  return [
    ...names.map(namespaceObject),
    ...liqoDeployments(release, values, namespace),
    clusterIdOf(values, namespace),
    ...gatewayTemplates(release, namespace),
    ...(release === '1.0' ? [] : [mssClamping(namespace)]),
    ...ownNetworks(values, release, namespace),
  ];
}

const namespaceObject = (name: string): SimulatedObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name },
});

/** Source: liqotech/liqo@v1.2.0 deployments/liqo/templates/liqo-clusterid-configmap.yaml. */
const clusterIdOf = (values: HelmValues, namespace: string): SimulatedObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: 'liqo-clusterid-configmap',
    namespace,
    labels: { 'app.kubernetes.io/name': 'clusterid-configmap', 'app.kubernetes.io/part-of': 'liqo' },
  },
  data: { CLUSTER_ID: values.discovery.config.clusterID },
});

/** Source: liqotech/liqo@v1.1.2 deployments/liqo/templates/liqo-gw-mssclamp-firewallconfiguration.yaml. */
const mssClamping = (namespace: string): SimulatedObject => ({
  apiVersion: NETWORKING,
  kind: 'FirewallConfiguration',
  metadata: {
    name: 'gw-mss-clamping',
    namespace,
    labels: {
      'liqo.io/webhook-skip': 'true',
      'networking.liqo.io/firewall-category': 'gateway',
      'networking.liqo.io/firewall-subcategory': 'all-gateways',
    },
  },
  spec: {
    table: {
      name: 'mss-clamping',
      family: 'IPV4',
      chains: [
        {
          name: 'mss-clamping',
          type: 'filter',
          hook: 'forward',
          policy: 'accept',
          priority: 0,
          rules: {
            filterRules: [
              {
                name: 'mss-clamping-out',
                action: 'tcpmssclamp',
                counter: true,
                value: '0',
                match: [{ op: 'eq', dev: { position: 'out', value: 'liqo-tunnel' }, proto: { value: 'tcp' } }],
              },
            ],
          },
        },
      ],
    },
  },
});

import type { Cluster, ServiceType } from '../../fleet/model/network-model.ts';
import { goText } from './go-text.ts';
import { yamlScalar } from './yaml-scalar.ts';

/**
 * The lines of the Service of a gateway for which neither a GatewayServer nor the chart's template has a place; none while
 * they are as Kubernetes sets them by itself. Types of Service for which Kubernetes refuses a setting do not get it.
 * Source: kubernetes/kubernetes@v1.32.0 pkg/apis/core/validation/validation.go (ValidateService).
 */
export function serviceSettings({ gateway }: Cluster, service: ServiceType): readonly string[] {
  const { externalTrafficPolicy, loadBalancerClass, allocatesNodePorts } = gateway;
  const balanced = service === 'LoadBalancer';
  return [
    ...(service !== 'ClusterIP' && externalTrafficPolicy.value === 'Local' ? ['externalTrafficPolicy: Local'] : []),
    ...(balanced && loadBalancerClass !== null ? [`loadBalancerClass: ${yamlScalar(goText(loadBalancerClass))}`] : []),
    ...(balanced && !allocatesNodePorts ? ['allocateLoadBalancerNodePorts: false'] : []),
  ];
}

import { sortedRecord } from '../../base/core/order.ts';
import { PROVIDER_LABEL } from '../../base/releases/labels.ts';
import {
  AKS_NODE_LABELS,
  chartAnnotations,
  platformFacts,
  ROUTING_RULE_PRIORITY,
} from '../../base/releases/platforms.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import type { Field } from './manifest.ts';

type Values = { readonly [key: string]: Field | undefined };

/**
 * The values that `liqoctl install <provider>` of the cluster's release adds to the chart's, but for the credentials of
 * AWS, and for a traffic policy that no template reads. `undefined` for each that the platform does not need.
 * Source: liqotech/liqo@v1.0.3, @v1.1.2 and @v1.2.0 pkg/liqoctl/install/<provider>/provider.go and handler.go.
 */
export function platformValues(cluster: AddressedCluster): {
  readonly clusterLabels: Values | undefined;
  readonly networking: Values | undefined;
  readonly openshiftConfig: Values | undefined;
  readonly virtualKubelet: Values | undefined;
} {
  const platform = cluster.platform?.value ?? null;
  const provider = platform === null ? null : platformFacts(platform).provider;
  return {
    clusterLabels: provider === null ? undefined : { [PROVIDER_LABEL]: provider },
    networking: whenAny({ fabric: fabricValues(cluster), gatewayTemplates: templateValues(cluster) }),
    openshiftConfig: platform === 'openshift' ? { enabled: true } : undefined,
    virtualKubelet: provider === 'aks' ? { virtualNode: { extra: { labels: AKS_NODE_LABELS } } } : undefined,
  };
}

function fabricValues({ fabric, platform, traits }: AddressedCluster): Values | undefined {
  const config = whenAny({
    fullMasquerade: fabric.fullMasquerade || undefined,
    gatewayMasqueradeBypass: fabric.gatewayMasqueradeBypass || undefined,
    nftablesMonitor: platform?.value === 'k3s' ? false : undefined,
    routeConfigurationRulePriority:
      fabric.ordersRoutingRules && traits.ordersRoutingRules ? ROUTING_RULE_PRIORITY : undefined,
  });
  return config && { config };
}

/** For gateways that are made from the chart's templates; weft's own have the same settings. */
function templateValues({ platform, traits }: AddressedCluster): Values | undefined {
  const annotations = chartAnnotations(platform?.value ?? null, traits);
  const isAnnotated = Object.keys(annotations).length > 0;
  return whenAny({
    server: isAnnotated ? { service: { annotations: sortedRecord(annotations) } } : undefined,
    wireguard: platform?.value === 'openshift' ? { implementation: 'userspace' } : undefined,
  });
}

const whenAny = (values: Values): Values | undefined =>
  Object.values(values).some((it) => it !== undefined) ? values : undefined;

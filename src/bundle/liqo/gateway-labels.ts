import {
  COMPONENT_LABEL,
  GATEWAY_ACTIVE_LABEL,
  GATEWAY_NAME_LABEL,
  GATEWAY_NAMESPACE_LABEL,
} from '../../base/releases/labels.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import { isReplicated } from './gateway-containers.ts';

type Labels = Readonly<Record<string, string>>;

/**
 * The labels by which the Deployment selects its pods. A Deployment's selector is immutable, so it equals the chart's:
 * then a gateway can change from the chart's template to ours and back.
 * Source: liqotech/liqo@v1.2.0 deployments/liqo/templates/_helpers.tpl (liqo.selectorTemplate), the same since v1.0.0.
 */
export const SELECTOR_LABELS: Labels = {
  'app.kubernetes.io/name': '{{ .Name }}',
  'app.kubernetes.io/instance': 'liqo-{{ .Name }}',
  'app.kubernetes.io/component': 'networking',
  'app.kubernetes.io/part-of': 'liqo',
  'app.kubernetes.io/managed-by': 'Helm',
  [COMPONENT_LABEL]: 'gateway',
  [GATEWAY_NAME_LABEL]: '{{ .Name }}',
  [GATEWAY_NAMESPACE_LABEL]: '{{ .Namespace }}',
};

/** The labels by which the Service selects the active pod of the Deployment. */
export const SERVICE_SELECTOR_LABELS: Labels = { ...SELECTOR_LABELS, [GATEWAY_ACTIVE_LABEL]: 'true' };

/** Labels of every object that a gateway template creates. */
export function gatewayLabels(cluster: AddressedCluster): Labels {
  const { tag } = cluster.image;
  // A single pod is active from the start. Before 1.1, and with several pods, the elected leader sets the label on
  // itself.
  const active = cluster.traits.labelsSingleGatewayActive && !isReplicated(cluster);
  return {
    ...SELECTOR_LABELS,
    'helm.sh/chart': labelValue(`liqo-${tag}`),
    'app.kubernetes.io/version': labelValue(tag),
    ...(active ? { [GATEWAY_ACTIVE_LABEL]: 'true' } : {}),
  };
}

/**
 * An image tag may exceed the 63 characters of a label value and end in a character that a label value must not end in.
 */
const labelValue = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .slice(0, 63)
    .replace(/[._-]+$/, '');

import { isJsonMap, type Json, jsonAt } from '../dumps/json.ts';
import type { KubernetesObject } from '../dumps/kubernetes-object.ts';
import type { ObservedChart } from './observed-sharing.ts';

/** Source: liqotech/liqo@v1.2.0 deployments/liqo/templates (liqo-controller-manager-deployment.yaml, liqo-webhook-deployment.yaml, liqo-vk-options-template.yaml). */
export function observeChart(
  deployments: readonly KubernetesObject[],
  options: readonly KubernetesObject[],
): ObservedChart {
  const argsOf = (name: string): readonly string[] | null => {
    const found = deployments.find((it) => it.metadata.name === name);
    return found === undefined ? null : argsIn(found);
  };
  const kubelet = options.find((it) => it.metadata.name === 'virtual-kubelet-default')?.['spec'];
  return {
    manager: argsOf('liqo-controller-manager'),
    webhook: argsOf('liqo-webhook'),
    kubelet: isJsonMap(kubelet) ? kubelet : null,
  };
}

function argsIn({ spec }: KubernetesObject): readonly string[] {
  const containers = jsonAt(spec, 'template', 'spec', 'containers');
  return (Array.isArray(containers) ? (containers as readonly Json[]) : []).flatMap((it) => {
    const args = jsonAt(it, 'args');
    return (Array.isArray(args) ? (args as readonly Json[]) : []).filter((one) => typeof one === 'string');
  });
}

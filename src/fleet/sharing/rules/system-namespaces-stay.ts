import { quoted } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { TENANT_NAMESPACE_PREFIX } from '../../../base/releases/tenant-namespace.ts';
import { tenantNamespacesIn } from '../../ipam/namespace-in.ts';
import type { OffloadedNamespace } from '../shared-model.ts';
import type { SharingRule } from './sharing-rule.ts';

/**
 * No namespace in which Kubernetes or Liqo works is offloaded: a virtual kubelet copies the Secrets of an offloaded namespace
 * to its providers, and there these are private keys and kubeconfigs.
 * Source: liqotech/liqo@v1.2.0 pkg/virtualKubelet/reflection/configuration/secret.go.
 */
export const systemNamespacesStay: SharingRule = function* ({ model }) {
  for (const it of model.offloadings) {
    const why = systemOf(it);
    if (why === undefined) continue;
    yield diagnostic(
      'sharing/system-namespace',
      it.at,
      `namespace ${quoted(it.namespace)} of ${quoted(it.cluster.name)} ${why}, and offloading it copies its Secrets to every provider`,
      { hint: 'remove the entry, and offload namespaces of applications only' },
    );
  }
};

/** What works in a namespace, as the end of a sentence; `undefined` for one of an application. */
export function systemOf({ namespace, cluster }: OffloadedNamespace): string | undefined {
  if (namespace.startsWith('kube-')) return 'belongs to Kubernetes';
  if (namespace === cluster.liqoNamespace) return 'is the one of Liqo, with the private authentication key';
  if (namespace.startsWith(TENANT_NAMESPACE_PREFIX) || tenantNamespacesIn(cluster).has(namespace))
    return 'is a tenant namespace, with kubeconfigs and private keys';
  return undefined;
}

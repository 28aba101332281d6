import { printHeader } from '../../base/core/header.ts';
import { render } from '../../base/text/render.ts';
import type { ArgoSettings, Fleet } from '../../fleet/model/network-model.ts';

/** Keys of `argocd-cm` end in group and kind. Source: argoproj/argo-cd docs/operator-manual/health.md. */
const CHECKS = [
  { object: 'authentication.liqo.io_Identity', script: 'gitops/health/identity.lua' },
  { object: 'authentication.liqo.io_ResourceSlice', script: 'gitops/health/resource-slice.lua' },
  { object: 'authentication.liqo.io_Tenant', script: 'gitops/health/tenant.lua' },
  { object: 'core.liqo.io_ForeignCluster', script: 'gitops/health/foreign-cluster.lua' },
  { object: 'ipam.liqo.io_Network', script: 'gitops/health/network.lua' },
  { object: 'networking.liqo.io_Configuration', script: 'gitops/health/configuration.lua' },
  { object: 'networking.liqo.io_Connection', script: 'gitops/health/connection.lua' },
  { object: 'networking.liqo.io_ForeignClusterConnection', script: 'gitops/health/foreign-cluster-connection.lua' },
  { object: 'networking.liqo.io_GatewayClient', script: 'gitops/health/gateway-client.lua' },
  { object: 'networking.liqo.io_GatewayServer', script: 'gitops/health/gateway-server.lua' },
  { object: 'offloading.liqo.io_NamespaceOffloading', script: 'gitops/health/namespace-offloading.lua' },
  { object: 'offloading.liqo.io_VirtualNode', script: 'gitops/health/virtual-node.lua' },
] as const;

/** A gateway updates the latency at each ping; without this Argo CD would refresh the application each time. */
const IGNORED_UPDATES = {
  key: 'resource.customizations.ignoreResourceUpdates.networking.liqo.io_Connection',
  text: 'jsonPointers:\n- /status/latency\n',
};

/**
 * The patch with the health checks of Liqo's objects for Argo CD. The kustomization in the same folder does not list
 * it: applying a ConfigMap `argocd-cm` with only these keys can remove all other keys, merging it cannot.
 */
export function argoHealthChecks(fleet: Fleet, argo: ArgoSettings): string {
  const checks = CHECKS.map((it) => ({
    key: `resource.customizations.health.${it.object}`,
    text: render(it.script, {}),
  }));
  return render('gitops/argocd-cm-patch', {
    header: printHeader(fleet.topologyFile),
    namespace: argo.namespace,
    data: [...checks, IGNORED_UPDATES].map((it) => `  ${it.key}: |\n${indented(it.text)}`).join('\n'),
  });
}

/** Lines of a block scalar below a key of `data`. */
function indented(text: string): string {
  const lines = text.trimEnd().split('\n');
  return lines.map((it) => (it === '' ? '' : `    ${it}`)).join('\n');
}

import type { ApiServer } from '../api-server.ts';
import { controlledBy, field, type SimulatedObject } from '../objects.ts';
import type { SimulatedCluster } from '../simulated-cluster.ts';
import { activePod } from './active-pod.ts';
import { type Controller, itself, ownersOf } from './controller.ts';
import { ensureDeployment } from './gateway-deployment.ts';
import { ensureKeys } from './gateway-keys.ts';
import { endpointOf, ensureService } from './gateway-service.ts';

const FINALIZER = 'networking.liqo.io/clusterrolebinding';

/**
 * Makes of a rendered gateway what runs: rights, keys, a Deployment and, for servers, a Service.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/external-network/wireguard/wggateway{server,client}_controller.go.
 */
export function wireguardGateways(kind: 'WgGatewayServer' | 'WgGatewayClient'): Controller {
  const gatewayOf = ({ metadata: { labels = {} } }: SimulatedObject): readonly string[] => {
    const name = labels['networking.liqo.io/gateway-name'];
    return name === undefined ? [] : [`${labels['networking.liqo.io/gateway-namespace']}/${name}`];
  };
  return {
    name: kind,
    watches: {
      [kind]: itself,
      Deployment: ownersOf(kind),
      Service: ownersOf(kind),
      ServiceAccount: ownersOf(kind),
      Pod: gatewayOf,
      ClusterRoleBinding: gatewayOf,
      // A gateway without its keys is tried again, so the Secret itself need not be watched.
    },
    reconcile(cluster, namespace, name) {
      const { server } = cluster;
      const gateway = server.get(kind, name, namespace);
      if (gateway === undefined) return true;
      const binding = `liqo-gateway-${namespace}-${name}`;
      if (gateway.metadata.deletionTimestamp !== undefined) {
        const found = server.get('ClusterRoleBinding', binding);
        if (found !== undefined) server.remove(found);
        server.update(gateway, (it) => {
          it.metadata.finalizers = (it.metadata.finalizers ?? []).filter((one) => one !== FINALIZER);
        });
        return true;
      }
      ensureRights(server, gateway, binding);
      if (!gateway.metadata.finalizers?.includes(FINALIZER)) {
        server.update(gateway, (it) => {
          it.metadata.finalizers = [...(it.metadata.finalizers ?? []), FINALIZER];
        });
        return true;
      }
      return run(cluster, gateway);
    },
  };
}

function run(cluster: SimulatedCluster, gateway: SimulatedObject): boolean {
  const { server } = cluster;
  const { name, namespace = '' } = gateway.metadata;
  const isServer = gateway.kind === 'WgGatewayServer';
  const isDeployed = server.get('Deployment', `gw-${name}`, namespace) !== undefined;
  const pod = activePod(server, namespace);
  const status = { ...gateway.status };
  const finish = (isDone: boolean): boolean => {
    server.update(gateway, (it) => {
      it.status = status;
    });
    return isDone;
  };
  if (isDeployed) {
    const endpoint = isServer ? endpointOf(server, namespace, name, pod) : undefined;
    if (isServer && endpoint === undefined) return finish(false);
    if (endpoint !== undefined) status['endpoint'] = endpoint;
    if (pod === undefined) return finish(false);
    const ip = field<string>(pod, 'status', 'podIP');
    status['internalEndpoint'] = { ip, node: field<string>(pod, 'spec', 'nodeName') };
  }
  const secret = ensureKeys(server, gateway);
  if (secret === undefined) return finish(false);
  status['secretRef'] = { name: secret, namespace };
  ensureDeployment(server, gateway, secret);
  if (isServer) ensureService(cluster, gateway);
  return finish(true);
}

function ensureRights(server: ApiServer, gateway: SimulatedObject, binding: string): void {
  const { name, namespace = '' } = gateway.metadata;
  // The pod template of the gateway names it.
  const account =
    field<string>(gateway, 'spec', 'deployment', 'spec', 'template', 'spec', 'serviceAccountName') ?? name;
  if (server.get('ServiceAccount', account, namespace) === undefined) {
    server.create({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: account, namespace, ownerReferences: [controlledBy(gateway)] },
    });
  }
  if (server.get('ClusterRoleBinding', binding) !== undefined) return;
  server.create({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: {
      name: binding,
      labels: {
        'app.kubernetes.io/managed-by': 'liqo',
        'networking.liqo.io/gateway-name': name,
        'networking.liqo.io/gateway-namespace': namespace,
      },
    },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'liqo-gateway' },
    subjects: [{ kind: 'ServiceAccount', name: account, namespace }],
  });
}

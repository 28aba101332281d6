import { CIDR_TYPE_LABEL, CONFIGURED_LABEL } from '../../base/releases/labels.ts';
import { type Json, jsonAt, textAt } from '../dumps/json.ts';
import { groupOf, type KubernetesObject, kindKey } from '../dumps/kubernetes-object.ts';
import { momentOf, numberAt, placeOf, textMapAt, textsAt } from './field.ts';
import type {
  CidrLists,
  ObservedConfiguration,
  ObservedGateway,
  ObservedPeer,
  PeerNetwork,
  Place,
} from './observed-cluster.ts';

/** What a cluster has for one remote cluster, from the objects that are labelled with its ID. */
export function observePeer(remote: string, objects: readonly KubernetesObject[]): ObservedPeer {
  const of = (...keys: readonly string[]): readonly KubernetesObject[] =>
    objects.filter((it) => keys.includes(kindKey(groupOf(it.apiVersion), it.kind)));
  return {
    remote,
    namespaces: of('Namespace').map((it) => it.metadata.name),
    configurations: of('Configuration.networking.liqo.io').map(observeConfiguration),
    gateways: of('GatewayServer.networking.liqo.io', 'GatewayClient.networking.liqo.io').map(observeGateway),
    publicKeys: of('PublicKey.networking.liqo.io').map((it) => ({
      ...placeOf(it),
      key: textAt(it['spec'], 'publicKey') ?? null,
    })),
    keySecrets: of('Secret').map(placeOf),
    connections: of('Connection.networking.liqo.io').map((it) => ({
      ...placeOf(it),
      value: textAt(it['status'], 'value') ?? null,
    })),
    networks: of('Network.ipam.liqo.io').map(observePeerNetwork),
  };
}

function observeConfiguration(object: KubernetesObject): ObservedConfiguration {
  return {
    ...placeOf(object),
    remote: listsIn(jsonAt(object['spec'], 'remote', 'cidr')) ?? { pod: [], external: [] },
    local: listsIn(jsonAt(object['spec'], 'local', 'cidr')),
    seen: listsIn(jsonAt(object['status'], 'remote', 'cidr')),
    isReady: isReady(object),
    made: momentOf(object),
  };
}

/**
 * Since 1.2 a condition says it, before a label does, which an upgrade leaves where it is.
 * Source: liqotech/liqo@v1.2.0 apis/networking/v1beta1/configuration_types.go.
 */
function isReady({ metadata, status }: KubernetesObject): boolean {
  const conditions = jsonAt(status, 'conditions');
  if (!Array.isArray(conditions) || conditions.length === 0) return metadata.labels?.[CONFIGURED_LABEL] === 'true';
  return (conditions as readonly Json[]).some(
    (it) => textAt(it, 'type') === 'NetworkCIDRsConfigured' && textAt(it, 'status') === 'True',
  );
}

const listsIn = (cidr: Json | undefined): CidrLists | null =>
  cidr === undefined ? null : { pod: textsAt(cidr, 'pod'), external: textsAt(cidr, 'external') };

function observePeerNetwork(object: KubernetesObject): PeerNetwork {
  const kind = object.metadata.labels?.[CIDR_TYPE_LABEL];
  const owners = object.metadata['ownerReferences'];
  return {
    ...placeOf(object),
    kind: kind === 'pod' || kind === 'external' ? kind : null,
    owner: Array.isArray(owners) ? (textAt((owners as readonly Json[])[0], 'name') ?? null) : null,
    asked: textAt(object['spec'], 'cidr') ?? '',
    given: textAt(object['status'], 'cidr') ?? null,
    made: momentOf(object),
  };
}

/** A GatewayServer or GatewayClient. Source: liqotech/liqo@v1.2.0 apis/networking/v1beta1/gateway{server,client}_types.go. */
function observeGateway(object: KubernetesObject): ObservedGateway {
  const isServer = object.kind === 'GatewayServer';
  const { spec, status } = object;
  const endpoint = jsonAt(spec, 'endpoint');
  return {
    ...placeOf(object),
    role: isServer ? 'server' : 'client',
    template: templateIn(jsonAt(spec, isServer ? 'serverTemplateRef' : 'clientTemplateRef')),
    mtu: numberAt(spec, 'mtu'),
    service: isServer
      ? {
          // The default of the CRD.
          type: textAt(endpoint, 'serviceType') ?? 'ClusterIP',
          port: numberAt(endpoint, 'port'),
          nodePort: numberAt(endpoint, 'nodePort'),
          loadBalancerIP: textAt(endpoint, 'loadBalancerIP') ?? null,
          annotations: textMapAt(spec, 'serviceAnnotations'),
          labels: textMapAt(spec, 'serviceLabels'),
        }
      : null,
    dials: isServer ? null : { addresses: textsAt(endpoint, 'addresses'), port: numberAt(endpoint, 'port') },
    secret: textAt(spec, 'secretRef', 'name') ?? null,
    usedSecret: textAt(status, 'secretRef', 'name') ?? null,
    reachable: isServer
      ? { addresses: textsAt(status, 'endpoint', 'addresses'), port: numberAt(status, 'endpoint', 'port') }
      : null,
  };
}

const TEMPLATE_KINDS = ['WgGatewayServerTemplate', 'WgGatewayClientTemplate'];

function templateIn(ref: Json | undefined): Place | null {
  const name = textAt(ref, 'name');
  if (name === undefined || !TEMPLATE_KINDS.includes(textAt(ref, 'kind') ?? '')) return null;
  return { name, namespace: textAt(ref, 'namespace') ?? '' };
}

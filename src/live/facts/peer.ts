import { CIDR_TYPE_LABEL, CONFIGURED_LABEL, GATEWAY_RESOURCE_LABEL } from '../../base/releases/labels.ts';
import { type Json, jsonAt, listAt, numberAt, textAt, textMapAt, textsAt } from '../dumps/json.ts';
import {
  isTenantNamespace,
  type KubernetesObject,
  kindKeyOf,
  type Place,
  placeOf,
} from '../dumps/kubernetes-object.ts';

/** Everything that a cluster has for one remote cluster. Where Liqo wants exactly one object there may be none or several. */
export interface ObservedPeer {
  readonly remote: string;
  readonly namespaces: readonly string[];
  readonly configurations: readonly ObservedConfiguration[];
  readonly gateways: readonly ObservedGateway[];
  readonly publicKeys: readonly ObservedKey[];
  /** Secrets with keys of gateways, which have no values here. */
  readonly keySecrets: readonly Place[];
  readonly connections: readonly ObservedConnection[];
  readonly networks: readonly PeerNetwork[];
}

export interface CidrLists {
  readonly pod: readonly string[];
  readonly external: readonly string[];
}

export interface ObservedConfiguration extends Place {
  readonly remote: CidrLists;
  /** What the cluster believes about itself; `null` before its controller has written it. */
  readonly local: CidrLists | null;
  /** How the cluster sees `remote`, in the same order; `null` without a status. */
  readonly seen: CidrLists | null;
  /** Whether Liqo says that the networks are there. */
  readonly isReady: boolean;
  readonly conditions: readonly ObservedCondition[];
  /** Counts up with every change of its spec. */
  readonly generation: number | null;
  readonly made: Moment;
}

interface ObservedCondition {
  readonly type: string | null;
  readonly status: string | null;
  /** The generation of the object that its controller has followed. */
  readonly generation: number | null;
}

export interface ObservedGateway extends Place {
  readonly role: 'server' | 'client';
  /** Of Liqo's own kinds; `null` for a template of another kind. */
  readonly template: Place | null;
  readonly mtu: number | null;
  /** Of a server. */
  readonly service: ObservedService | null;
  /** Of a client: what it dials. */
  readonly dials: { readonly addresses: readonly string[]; readonly port: number | null } | null;
  /** `spec.secretRef`; `null` where Liqo chose the Secret. */
  readonly secret: string | null;
  /** The Secret that it uses, from its status. */
  readonly usedSecret: string | null;
  /** Of a server: where it can be dialled, as its status says; `null` before Liqo has written it. */
  readonly reachable: { readonly addresses: readonly string[]; readonly port: number | null } | null;
  /** Whether a pod of it runs: Liqo then writes its address. */
  readonly hasPod: boolean;
  readonly made: Moment;
}

interface ObservedService {
  readonly type: string;
  readonly port: number | null;
  readonly nodePort: number | null;
  readonly loadBalancerIP: string | null;
  readonly annotations: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
}

interface ObservedKey extends Place {
  /** Of the gateway at the other end, base64 as written. */
  readonly key: string | null;
}

interface ObservedConnection extends Place {
  /** `Connecting`, `Connected`, `Error`. */
  readonly value: string | null;
}

/** A Network that a Configuration asks for. */
interface PeerNetwork extends Place {
  readonly kind: 'pod' | 'external' | null;
  /** Name of the Configuration that owns it. */
  readonly owner: string | null;
  readonly asked: string;
  readonly given: string | null;
  readonly made: Moment;
}

/** When an object was made and last written, as far as its API server says. */
interface Moment {
  /** RFC 3339 in seconds. */
  readonly created: string | null;
  /** Counts up with every write in a cluster. */
  readonly version: number | null;
}

/** What a cluster has for one remote cluster, from the objects about it; those of loans with it are passed over. */
export function observePeer(remote: string, objects: readonly KubernetesObject[]): ObservedPeer {
  const of = (...keys: readonly string[]): readonly KubernetesObject[] =>
    objects.filter((it) => keys.includes(kindKeyOf(it)));
  return {
    remote,
    namespaces: objects.filter(isTenantNamespace).map((it) => it.metadata.name),
    configurations: of('Configuration.networking.liqo.io').map(observeConfiguration),
    gateways: of('GatewayServer.networking.liqo.io', 'GatewayClient.networking.liqo.io').map(observeGateway),
    publicKeys: of('PublicKey.networking.liqo.io').map((it) => ({
      ...placeOf(it),
      key: textAt(it['spec'], 'publicKey') ?? null,
    })),
    keySecrets: objects.filter(isKeySecret).map(placeOf),
    connections: of('Connection.networking.liqo.io').map((it) => ({
      ...placeOf(it),
      value: textAt(it['status'], 'value') ?? null,
    })),
    networks: of('Network.ipam.liqo.io').map(observePeerNetwork),
  };
}

/** A Secret with the keys of a gateway: loans have Secrets with the label of the remote cluster, too. */
export const isKeySecret = ({ kind, metadata }: KubernetesObject): boolean =>
  kind === 'Secret' && metadata.labels?.[GATEWAY_RESOURCE_LABEL] === 'true';

function observeConfiguration(object: KubernetesObject): ObservedConfiguration {
  return {
    ...placeOf(object),
    remote: listsIn(jsonAt(object['spec'], 'remote', 'cidr')) ?? { pod: [], external: [] },
    local: listsIn(jsonAt(object['spec'], 'local', 'cidr')),
    seen: listsIn(jsonAt(object['status'], 'remote', 'cidr')),
    isReady: isReady(object),
    conditions: listAt(object['status'], 'conditions').map((it) => ({
      type: textAt(it, 'type') ?? null,
      status: textAt(it, 'status') ?? null,
      generation: numberAt(it, 'observedGeneration'),
    })),
    generation: numberAt(object.metadata, 'generation'),
    made: momentOf(object),
  };
}

/**
 * Since 1.2 a condition says it, before a label does, which an upgrade leaves where it is.
 * Source: liqotech/liqo@v1.2.0 apis/networking/v1beta1/configuration_types.go.
 */
function isReady({ metadata, status }: KubernetesObject): boolean {
  const conditions = listAt(status, 'conditions');
  if (conditions.length === 0) return metadata.labels?.[CONFIGURED_LABEL] === 'true';
  return conditions.some((it) => textAt(it, 'type') === NETWORKS_CONDITION && textAt(it, 'status') === 'True');
}

/** The condition that all of Liqo waits for since 1.2. */
export const NETWORKS_CONDITION = 'NetworkCIDRsConfigured';

/** The second list is in the order of the first one, so an item that is no text keeps its place. */
function listsIn(cidr: Json | undefined): CidrLists | null {
  const cidrs = (type: string) => listAt(cidr, type).map((it) => (typeof it === 'string' ? it : ''));
  return cidr === undefined ? null : { pod: cidrs('pod'), external: cidrs('external') };
}

function observePeerNetwork(object: KubernetesObject): PeerNetwork {
  const kind = object.metadata.labels?.[CIDR_TYPE_LABEL];
  return {
    ...placeOf(object),
    kind: kind === 'pod' || kind === 'external' ? kind : null,
    owner: textAt(listAt(object.metadata, 'ownerReferences')[0], 'name') ?? null,
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
    reachable:
      isServer && jsonAt(status, 'endpoint') !== undefined
        ? { addresses: textsAt(status, 'endpoint', 'addresses'), port: numberAt(status, 'endpoint', 'port') }
        : null,
    hasPod: jsonAt(status, 'internalEndpoint') !== undefined,
    made: momentOf(object),
  };
}

/** Where a server listens for its client, or what a client dials. The API server chooses a node port where none is asked for. */
export function tunnelPort({ service, dials, reachable }: ObservedGateway): number | null {
  if (service === null) return dials?.port || null;
  return (service.type === 'NodePort' ? service.nodePort || reachable?.port : service.port) || null;
}

export const gatewayKind = (role: ObservedGateway['role']): 'GatewayServer' | 'GatewayClient' =>
  role === 'server' ? 'GatewayServer' : 'GatewayClient';

const TEMPLATE_KINDS = ['WgGatewayServerTemplate', 'WgGatewayClientTemplate'];

function templateIn(ref: Json | undefined): Place | null {
  const name = textAt(ref, 'name');
  if (name === undefined || !TEMPLATE_KINDS.includes(textAt(ref, 'kind') ?? '')) return null;
  return { name, namespace: textAt(ref, 'namespace') ?? '' };
}

function momentOf({ metadata }: KubernetesObject): Moment {
  const version = textAt(metadata, 'resourceVersion');
  return {
    created: textAt(metadata, 'creationTimestamp') ?? null,
    version: version !== undefined && /^\d{1,15}$/.test(version) ? Number(version) : null,
  };
}

import { CIDR_TYPE_LABEL, CONFIGURED_LABEL, GATEWAY_RESOURCE_LABEL } from '../../base/releases/labels.ts';
import { type Json, jsonAt, listAt, numberAt, textAt, textMapAt, textsAt } from '../dumps/json.ts';
import {
  isTenantNamespace,
  type KubernetesObject,
  kindKeyOf,
  type Place,
  placeOf,
  remoteOf,
} from '../dumps/kubernetes-object.ts';
import { PUBLIC_FIELD } from '../dumps/public-halves.ts';

/** The objects of a cluster for one remote cluster: any number of each kind, even if Liqo expects exactly one. */
export interface ObservedPeer {
  readonly remote: string;
  readonly namespaces: readonly string[];
  readonly configurations: readonly ObservedConfiguration[];
  readonly gateways: readonly ObservedGateway[];
  readonly publicKeys: readonly ObservedKey[];
  readonly keySecrets: readonly ObservedKeySecret[];
  readonly connections: readonly ObservedConnection[];
  readonly networks: readonly PeerNetwork[];
}

export interface CidrLists {
  readonly pod: readonly string[];
  readonly external: readonly string[];
}

export interface ObservedConfiguration extends Place {
  readonly remote: CidrLists;
  /** The networks that it records for its own cluster; `null` before its controller has written them. */
  readonly local: CidrLists | null;
  /** `remote` as the cluster sees it, in the same order; `null` without a status. */
  readonly seen: CidrLists | null;
  /** True when Liqo reports the networks as configured. */
  readonly isReady: boolean;
  readonly conditions: readonly ObservedCondition[];
  /** Increases with every change of the spec. */
  readonly generation: number | null;
  readonly made: Moment;
}

interface ObservedCondition {
  readonly type: string | null;
  readonly status: string | null;
  /** The generation that the controller has observed. */
  readonly generation: number | null;
}

export interface ObservedGateway extends Place {
  readonly role: 'server' | 'client';
  /** `null` for a template that is not of a kind of Liqo. */
  readonly template: Place | null;
  readonly mtu: number | null;
  /** `null` for a client. */
  readonly service: ObservedService | null;
  /** The server that a client dials; `null` for a server. */
  readonly dials: { readonly addresses: readonly string[]; readonly port: number | null } | null;
  /** `spec.secretRef`; `null` when Liqo chose the Secret. */
  readonly secret: string | null;
  /** The Secret in use, from the status. */
  readonly usedSecret: string | null;
  /** The server's address and port in its status; `null` for a client, and before Liqo has written them. */
  readonly reachable: { readonly addresses: readonly string[]; readonly port: number | null } | null;
  /** True when a gateway pod runs: Liqo then writes its address. */
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
  /** The public key of the gateway at the other end, in base64. */
  readonly key: string | null;
}

/** A Secret with the key pair of a gateway, of which only the public half is read. */
export interface ObservedKeySecret extends Place {
  /** The remote cluster in its label; `null` without one. */
  readonly remote: string | null;
  /** The public half in base64; `null` when it was not read, and without one. */
  readonly publicKey: string | null;
}

interface ObservedConnection extends Place {
  /** `Connecting`, `Connected`, `Error`. */
  readonly value: string | null;
}

/** A Network that a Configuration asks for. */
interface PeerNetwork extends Place {
  readonly kind: 'pod' | 'external' | null;
  /** The Configuration that owns it. */
  readonly owner: string | null;
  readonly asked: string;
  readonly given: string | null;
  readonly made: Moment;
}

/** When an object was made and last written, as far as its API server says. */
interface Moment {
  /** RFC 3339 in seconds. */
  readonly created: string | null;
  /** Increases with every write in a cluster. */
  readonly version: number | null;
}

/** Returns the objects of a cluster for one remote cluster; those of loans are ignored. */
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
    keySecrets: objects.flatMap(observeKeySecret),
    connections: of('Connection.networking.liqo.io').map((it) => ({
      ...placeOf(it),
      value: textAt(it['status'], 'value') ?? null,
    })),
    networks: of('Network.ipam.liqo.io').map(observePeerNetwork),
  };
}

/** Returns the object as the Secret of a gateway, if it is one. */
export const observeKeySecret = (it: KubernetesObject): readonly ObservedKeySecret[] =>
  isKeySecret(it)
    ? [{ ...placeOf(it), remote: remoteOf(it), publicKey: textAt(it['data'], PUBLIC_FIELD) ?? null }]
    : [];

/** True for a Secret with gateway keys. Secrets of loans have the label of the remote cluster, too. */
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
 * Since 1.2 a condition reports it. Before, a label did, which an upgrade does not remove. Source: liqotech/liqo@v1.2.0
 * apis/networking/v1beta1/configuration_types.go.
 */
function isReady({ metadata, status }: KubernetesObject): boolean {
  const conditions = listAt(status, 'conditions');
  if (conditions.length === 0) return metadata.labels?.[CONFIGURED_LABEL] === 'true';
  return conditions.some((it) => textAt(it, 'type') === NETWORKS_CONDITION && textAt(it, 'status') === 'True');
}

/** The condition that all controllers of Liqo wait for since 1.2. */
export const NETWORKS_CONDITION = 'NetworkCIDRsConfigured';

/** Items that are no text become `''`, because lists of spec and status are matched by index. */
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

/** Returns the port that a server offers, or a client dials. The API server chooses a node port if none is given. */
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

import { sortedUnique } from '../../base/core/collections.ts';
import { countOf } from '../../base/core/words.ts';
import { POD_SECURITY_LABELS } from '../../base/releases/labels.ts';
import type { Link } from '../../fleet/model/network-model.ts';
import { type ClusterDrift, type Finding, GATEWAY_KINDS, type ObjectName } from '../drift/drift.ts';

/** The part of the running network that a change moves. */
export type Effect = 'nothing' | 'restart' | 'port' | 'view' | 'key';

interface KindOfChange {
  readonly moves: Effect;
  /** The effect on objects, with their number. */
  readonly what: (objects: number) => string;
  /** The effect on the running network. */
  readonly meaning: string;
}

const gatewayCount = (count: number): string => countOf(count, 'gateway');
const objectCount = (count: number): string => countOf(count, 'object');

/**
 * The effects of applying a bundle to live objects, by reason. MTU, port and address are container arguments of a
 * gateway, so its Deployment replaces its pods; Services and annotations are not. Source: liqotech/liqo@v1.2.0
 * deployments/liqo/templates/liqo-wireguard-gateway-{server,client}-template.yaml and
 * pkg/liqo-controller-manager/networking/external-network/{server,client}-operator.
 */
const CHANGES = {
  /** Annotations that only GitOps tools read. */
  'gitops-annotations': {
    moves: 'nothing',
    what: (it) => `adds annotations for Argo CD and Flux to ${objectCount(it)}`,
    meaning: 'only these tools read them',
  },
  /** Labels by which Kubernetes admits gateway pods. */
  'pod-security-labels': {
    moves: 'nothing',
    what: (it) => `adds Pod Security labels to ${countOf(it, 'namespace')}`,
    meaning: 'pods of gateways are admitted with them; those that run are not restarted',
  },
  'labels-and-annotations': {
    moves: 'nothing',
    what: (it) => `changes labels or annotations of ${objectCount(it)}`,
    meaning: 'pods are not restarted',
  },
  /** `secretRef` names the Secret that the gateway already uses. */
  'names-secret': {
    moves: 'nothing',
    what: (it) => `adds secretRef to ${gatewayCount(it)}`,
    meaning: 'it names the Secret that each uses already; no restart',
  },
  /** `nodePort` is the port that Kubernetes already chose. */
  'names-node-port': {
    moves: 'nothing',
    what: (it) => `adds nodePort to ${countOf(it, 'GatewayServer')}`,
    meaning: 'it is the port that Kubernetes has chosen already; no restart',
  },
  mtu: {
    moves: 'restart',
    what: (it) => `changes the MTU of ${gatewayCount(it)}`,
    meaning: 'their pods restart, and the tunnel with them',
  },
  /** The port on which a server listens. */
  port: {
    moves: 'port',
    what: (it) => `changes the port of ${countOf(it, 'GatewayServer')}`,
    meaning: 'their pods restart, and clients must dial the new port',
  },
  /** The address or port that a client dials. */
  dials: {
    moves: 'restart',
    what: (it) => `changes what ${countOf(it, 'GatewayClient')} ${it === 1 ? 'dials' : 'dial'}`,
    meaning: 'their pods restart',
  },
  template: {
    moves: 'restart',
    what: (it) => `changes the template of ${objectCount(it)}`,
    meaning: 'pods of gateways restart if it renders otherwise',
  },
  /** The type or the address of a Service. */
  service: {
    moves: 'port',
    what: (it) => `changes the Service of ${countOf(it, 'GatewayServer')}`,
    meaning: 'its address or port may change with it',
  },
  /** Annotations and labels of a Service. */
  'service-annotations': {
    moves: 'nothing',
    what: (it) => `changes annotations or labels of Services in ${objectCount(it)}`,
    meaning: 'no restart; the controller of a load balancer may read them',
  },
  /** A Secret other than the one in use. */
  'other-secret': {
    moves: 'restart',
    what: (it) => `changes the Secret with the keys of ${gatewayCount(it)}`,
    meaning: 'their pods restart with another key',
  },
  key: {
    moves: 'key',
    what: (it) => `changes the key of the other end in ${countOf(it, 'PublicKey')}`,
    meaning: 'the tunnel is down until both ends agree',
  },
  'remote-networks': {
    moves: 'view',
    what: (it) => `changes the networks of a peer in ${countOf(it, 'Configuration')}`,
    meaning: 'the view of that peer is given again, and may be another one',
  },
  /** A cluster's view of a peer. */
  view: {
    moves: 'view',
    what: (it) => `expects another view in ${countOf(it, 'Configuration')}`,
    meaning: 'applying does not move it; it is another one once the Configuration is created again',
  },
  created: {
    moves: 'nothing',
    what: (it) => `creates ${objectCount(it)}`,
    meaning: 'nothing that is there changes',
  },
  /** Liqo creates it from applied objects. */
  'made-by-liqo': {
    moves: 'nothing',
    what: (it) => `expects ${objectCount(it)} of Liqo to be there or otherwise`,
    meaning: 'Liqo makes them of what is applied',
  },
  'secret-missing': {
    moves: 'nothing',
    what: (it) => `names ${countOf(it, 'Secret')} with keys that ${it === 1 ? 'is' : 'are'} not in the dumps`,
    meaning: 'a gateway waits for its Secret',
  },
  extra: {
    moves: 'nothing',
    what: (it) => `does not contain ${objectCount(it)}`,
    meaning: 'they stay: neither Argo CD nor Flux deletes what it has not applied',
  },
  leaving: {
    moves: 'nothing',
    what: (it) => `contains ${objectCount(it)} that are being deleted`,
    meaning: 'they are created again',
  },
  'other-field': {
    moves: 'nothing',
    what: (it) => `changes fields of ${objectCount(it)}`,
    meaning: 'read them with "weft drift" before you apply',
  },
} as const satisfies Readonly<Record<string, KindOfChange>>;

export type ChangeKind = keyof typeof CHANGES;

const movesOf = (kind: ChangeKind): Effect => CHANGES[kind].moves;

/** Prints the effects of a change in one line. */
export const changeWords = ({ kind, objects: count }: Pick<ChangeGroup, 'kind' | 'objects'>): string =>
  `${CHANGES[kind].what(count)}: ${CHANGES[kind].meaning}`;

/** Changes of one kind in all clusters. */
export interface ChangeGroup {
  readonly kind: ChangeKind;
  readonly effect: Effect;
  readonly objects: number;
  readonly clusters: readonly string[];
  /** The first of the objects, with its cluster. */
  readonly example: { readonly cluster: string; readonly object: ObjectName; readonly path: readonly string[] };
}

/** The number of moved objects in all clusters. */
export interface Moves {
  readonly views: number;
  readonly ports: number;
  /** Gateways whose pods restart. */
  readonly restarts: number;
  readonly keys: number;
}

/** Tunnels that pause when a GitOps tool takes over their objects. */
export interface TunnelPauses {
  readonly tunnels: number;
  readonly servers: readonly string[];
}

/** The length of a pause, as measured: until the client discards its session. */
export const PAUSE_SECONDS = 15;

/**
 * Any change of a PublicKey, even of annotations only, makes the gateway configure its peer again; before 1.2 a server
 * then loses its client's endpoint. Source: liqotech/liqo@v1.1.2 pkg/gateway/tunnel/wireguard/publickeys_controller.go
 * (Predicates), device.go.
 * @param dumped clusters whose objects would be taken over
 */
export function tunnelPauses(links: readonly Link[], dumped: ReadonlySet<string>): TunnelPauses {
  const servers = links.flatMap(({ server: { cluster } }) =>
    dumped.has(cluster.name) && !cluster.traits.preservesClientEndpoint ? [cluster.name] : [],
  );
  return { tunnels: servers.length, servers: sortedUnique(servers) };
}

interface GroupedChanges {
  /** Groups that move something come first. */
  readonly groups: readonly ChangeGroup[];
  readonly moves: Moves;
}

interface Change {
  readonly cluster: string;
  readonly finding: Finding;
  readonly kind: ChangeKind;
}

/** Groups the changes that bundles would make in live clusters by reason, and counts those that move something. */
export function groupChanges(clusters: readonly ClusterDrift[]): GroupedChanges {
  const byKind = new Map<ChangeKind, Change[]>();
  for (const { cluster, findings } of clusters) {
    for (const finding of findings) {
      const kind = kindOfChange(finding);
      if (kind === null) continue;
      const same = byKind.get(kind) ?? [];
      same.push({ cluster, finding, kind });
      byKind.set(kind, same);
    }
  }
  const groups = (Object.keys(CHANGES) as ChangeKind[]).flatMap((kind) => changeGroups(kind, byKind.get(kind) ?? []));
  const changes = [...byKind.values()].flat();
  return {
    groups: groups.sort((a, b) => rank(a) - rank(b)),
    moves: {
      views: changes.filter((it) => movesOf(it.kind) === 'view').length,
      ports: objectsWith(changes, ['port']),
      restarts: objectsAmong(changes.filter(isRestart)),
      keys: objectsWith(changes, ['key']),
    },
  };
}

/** The type and the address of a Service are not container arguments; its port is. */
const isRestart = ({ kind }: Change): boolean => movesOf(kind) === 'restart' || kind === 'port';

const rank = ({ effect }: ChangeGroup): number => (effect === 'nothing' ? 1 : 0);

function changeGroups(kind: ChangeKind, changes: readonly Change[]): readonly ChangeGroup[] {
  const [first] = changes;
  if (first === undefined) return [];
  const { cluster, finding } = first;
  return [
    {
      kind,
      effect: movesOf(kind),
      objects: objectsAmong(changes),
      clusters: sortedUnique(changes.map((it) => it.cluster)),
      example: { cluster, object: finding.object, path: finding.kind === 'different' ? finding.path : [] },
    },
  ];
}

const objectsWith = (changes: readonly Change[], effects: readonly Effect[]): number =>
  objectsAmong(changes.filter((it) => effects.includes(movesOf(it.kind))));

const objectsAmong = (changes: readonly Change[]): number =>
  new Set(
    changes.map(({ cluster, finding: { object } }) =>
      [cluster, object.key, object.namespace ?? '', object.name].join('\0'),
    ),
  ).size;

const GITOPS = /^(argocd\.argoproj\.io|kustomize\.toolkit\.fluxcd\.io|liqo-weft)\//;

/** Objects that Liqo creates from others. */
const MADE_BY_LIQO = [
  ...['Network', 'Connection', 'ForeignCluster', 'Quota', 'NamespaceMap', 'Renew'],
  ...['RoleBinding', 'ClusterRoleBinding', 'Deployment', 'ServiceAccount'],
];

/** Returns the reason of a change. `null` for a state that applying does not change, such as a tunnel that is down. */
function kindOfChange(it: Finding): ChangeKind | null {
  const { kind } = it.object;
  if (kind === 'FirewallConfiguration' || kind === 'RouteConfiguration') return null;
  if (it.kind === 'extra') return 'extra';
  if (it.kind === 'being-deleted') return 'leaving';
  if (it.kind === 'missing') {
    if (kind === 'Secret') return kindOfSecret(it.object.name, it.isApplied);
    return MADE_BY_LIQO.includes(kind) ? 'made-by-liqo' : 'created';
  }
  const [field, second = ''] = it.path;
  if (kind === 'Connection') return null;
  if (field === 'metadata') return kindOfMetadata(it.path);
  if (GATEWAY_KINDS.includes(kind) && field === 'spec')
    return kindInGateway(it.path.slice(1), { isServer: kind === 'GatewayServer', isChosen: it.isChosen });
  if (kind === 'PublicKey') return 'key';
  if (kind === 'Configuration')
    return field === 'status' ? 'view' : second === 'remote' ? 'remote-networks' : 'other-field';
  // A view is in a Network and in its Configuration, but counts once.
  if (kind === 'Network') return 'made-by-liqo';
  if (!kind.endsWith('Template')) return 'other-field';
  return it.path.join('.').startsWith('spec.template.spec.service.metadata.') ? 'service-annotations' : 'template';
}

/** Kubeconfigs and certificates of loans are made by Liqo, and the nonce is in the bundle; key pairs of gateways are in neither. */
function kindOfSecret(name: string, isApplied: boolean): ChangeKind {
  if (!isApplied) return 'made-by-liqo';
  return name === 'liqo-nonce' ? 'created' : 'secret-missing';
}

function kindOfMetadata([, map, key = '']: readonly string[]): ChangeKind {
  if (map === 'annotations' && GITOPS.test(key)) return 'gitops-annotations';
  return map === 'labels' && key.startsWith(POD_SECURITY_LABELS) ? 'pod-security-labels' : 'labels-and-annotations';
}

interface Gateway {
  readonly isServer: boolean;
  readonly isChosen: boolean;
}

function kindInGateway([field = '', part = '']: readonly string[], { isServer, isChosen }: Gateway): ChangeKind {
  switch (field) {
    case 'secretRef':
      return isChosen ? 'names-secret' : 'other-secret';
    case 'mtu':
      return 'mtu';
    case 'serverTemplateRef':
    case 'clientTemplateRef':
      return 'template';
    case 'serviceAnnotations':
    case 'serviceLabels':
      return 'service-annotations';
    case 'endpoint':
      if (!isServer) return 'dials';
      if (part === 'nodePort') return isChosen ? 'names-node-port' : 'port';
      return part === 'port' ? 'port' : 'service';
    default:
      return 'other-field';
  }
}

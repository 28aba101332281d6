import { sortedUnique } from '../../../base/core/collections.ts';
import { POD_SECURITY_LABELS } from '../../../base/releases/labels.ts';
import { type ClusterDrift, type Finding, GATEWAY_KINDS } from '../../drift/drift.ts';
import type { ChangeGroup, ChangeKind, Effect, Moves } from './change-group.ts';

interface GroupedChanges {
  /** Those that move something first. */
  readonly groups: readonly ChangeGroup[];
  readonly moves: Moves;
}

interface Change {
  readonly cluster: string;
  readonly finding: Finding;
  readonly kind: ChangeKind;
}

/** What applying bundles would change in live clusters, by its reason, and how much of it moves something. */
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
  const groups = (Object.keys(EFFECTS) as ChangeKind[]).flatMap((kind) => groupOf(kind, byKind.get(kind) ?? []));
  const changes = [...byKind.values()].flat();
  return {
    groups: groups.sort((a, b) => rank(a) - rank(b)),
    moves: {
      views: changes.filter((it) => EFFECTS[it.kind] === 'view').length,
      ports: objectsIn(changes, ['port']),
      restarts: objectsAmong(changes.filter(isRestart)),
      keys: objectsIn(changes, ['key']),
    },
  };
}

/** The type and the address of a Service are no arguments of a container; its port is. */
const isRestart = ({ kind }: Change): boolean => EFFECTS[kind] === 'restart' || kind === 'port';

const rank = ({ effect }: ChangeGroup): number => (effect === 'nothing' ? 1 : 0);

function groupOf(kind: ChangeKind, changes: readonly Change[]): readonly ChangeGroup[] {
  const [first] = changes;
  if (first === undefined) return [];
  const { cluster, finding } = first;
  return [
    {
      kind,
      effect: EFFECTS[kind],
      objects: objectsAmong(changes),
      clusters: sortedUnique(changes.map((it) => it.cluster)),
      example: { cluster, object: finding.object, path: finding.kind === 'different' ? finding.path : [] },
    },
  ];
}

const objectsIn = (changes: readonly Change[], effects: readonly Effect[]): number =>
  objectsAmong(changes.filter((it) => effects.includes(EFFECTS[it.kind])));

const objectsAmong = (changes: readonly Change[]): number =>
  new Set(
    changes.map(({ cluster, finding: { object } }) =>
      [cluster, object.key, object.namespace ?? '', object.name].join('\0'),
    ),
  ).size;

const GITOPS = /^(argocd\.argoproj\.io|kustomize\.toolkit\.fluxcd\.io|liqo-weft)\//;

/** Objects that Liqo makes of others. */
const MADE_BY_LIQO = [
  ...['Network', 'Connection', 'ForeignCluster', 'Quota', 'NamespaceMap', 'Renew'],
  ...['RoleBinding', 'ClusterRoleBinding', 'Deployment', 'ServiceAccount'],
];

/** Why applying a bundle changes this. `null` for a state that applying does not change, such as a tunnel that is down. */
function kindOfChange(it: Finding): ChangeKind | null {
  const { kind } = it.object;
  if (kind === 'FirewallConfiguration') return null;
  if (it.kind === 'extra') return 'extra';
  if (it.kind === 'being-deleted') return 'leaving';
  if (it.kind === 'missing')
    return kind === 'Secret' ? 'secret-missing' : MADE_BY_LIQO.includes(kind) ? 'made-by-liqo' : 'created';
  const [field, second = ''] = it.path;
  if (kind === 'Connection') return null;
  if (field === 'metadata') return kindOfMetadata(it.path);
  if (GATEWAY_KINDS.includes(kind) && field === 'spec')
    return kindInGateway(it.path.slice(1), { isServer: kind === 'GatewayServer', isChosen: it.isChosen });
  if (kind === 'PublicKey') return 'key';
  if (kind === 'Configuration')
    return field === 'status' ? 'view' : second === 'remote' ? 'remote-networks' : 'other-field';
  // A view is in a Network and in its Configuration: it counts once.
  if (kind === 'Network') return 'made-by-liqo';
  if (!kind.endsWith('Template')) return 'other-field';
  return it.path.join('.').startsWith('spec.template.spec.service.metadata.') ? 'service-annotations' : 'template';
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

/**
 * What moves. The MTU, the port and the address are arguments of the containers of a gateway, whose Deployment replaces its pods;
 * Services and annotations are not. Source: liqotech/liqo@v1.2.0
 * deployments/liqo/templates/liqo-wireguard-gateway-{server,client}-template.yaml and
 * pkg/liqo-controller-manager/networking/external-network/{server,client}-operator.
 */
const EFFECTS: Readonly<Record<ChangeKind, Effect>> = {
  'gitops-annotations': 'nothing',
  'pod-security-labels': 'nothing',
  'labels-and-annotations': 'nothing',
  'names-secret': 'nothing',
  'names-node-port': 'nothing',
  mtu: 'restart',
  port: 'port',
  dials: 'restart',
  template: 'restart',
  service: 'port',
  'service-annotations': 'nothing',
  'other-secret': 'restart',
  key: 'key',
  'remote-networks': 'view',
  view: 'view',
  created: 'nothing',
  'made-by-liqo': 'nothing',
  'secret-missing': 'nothing',
  extra: 'nothing',
  leaving: 'nothing',
  'other-field': 'nothing',
};

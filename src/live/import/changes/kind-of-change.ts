import { POD_SECURITY_LABELS } from '../../../base/releases/labels.ts';
import type { Finding } from '../../drift/drift.ts';
import type { ChangeKind, Effect } from './change-group.ts';

const GITOPS = /^(argocd\.argoproj\.io|kustomize\.toolkit\.fluxcd\.io|liqo-weft)\//;
const GATEWAYS = ['GatewayServer', 'GatewayClient'];

/** Objects that Liqo makes of others. */
const MADE_BY_LIQO = [
  ...['Network', 'Connection', 'ForeignCluster', 'Quota', 'NamespaceMap', 'Renew'],
  ...['RoleBinding', 'ClusterRoleBinding', 'Deployment', 'ServiceAccount'],
];

/** Why applying a bundle changes this. `null` for a state that applying does not change, such as a tunnel that is down. */
export function kindOfChange(it: Finding): ChangeKind | null {
  const { kind } = it.object;
  if (kind === 'FirewallConfiguration') return null;
  if (it.kind === 'extra') return 'extra';
  if (it.kind === 'being-deleted') return 'leaving';
  if (it.kind === 'missing')
    return kind === 'Secret' ? 'secret-missing' : MADE_BY_LIQO.includes(kind) ? 'made-by-liqo' : 'created';
  const [field, second = ''] = it.path;
  if (kind === 'Connection') return null;
  if (field === 'metadata') return kindOfMetadata(it.path);
  if (GATEWAYS.includes(kind) && field === 'spec')
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
export const EFFECTS: Readonly<Record<ChangeKind, Effect>> = {
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

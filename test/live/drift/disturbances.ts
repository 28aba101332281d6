import { all, copied, copyOf, type Edit, edited, isOf, peerOf, without } from './edits.ts';
import { type Item, objectIn, setAt } from './recorded-fleet.ts';

/** Something that happened to a recorded fleet. */
export interface Disturbance {
  readonly name: string;
  readonly fleet: string;
  /** The recording after it; otherwise the fleet at rest is edited. */
  readonly after?: string;
  readonly edit?: Edit;
  /** Clusters whose dumps are given; all without it. */
  readonly only?: readonly string[];
  /** The text of a cluster's dump, for what is wrong with the file. */
  readonly dump?: (cluster: string, text: string) => string;
  readonly code?: number;
}

const EXAMPLE = 'example/1.2';
const OVERLAP = 'overlap/1.2';
const SHARED = 'lends-and-offloads/1.2';

/** The state that the operator leaves if it cannot connect the two. */
const SHORTCUT: Item = {
  apiVersion: 'networking.liqo.io/v1beta1',
  kind: 'ForeignClusterConnection',
  metadata: { name: 'east--centre', namespace: 'liqo', annotations: { 'argocd.argoproj.io/sync-wave': '1000000' } },
  spec: {
    foreignClusterA: 'east',
    foreignClusterB: 'centre',
    networking: {
      mtu: 1340,
      serverGatewayType: 'networking.liqo.io/v1beta1/wggatewayservertemplates',
      serverTemplateName: 'wireguard-server',
      serverTemplateNamespace: 'liqo',
      serverServiceType: 'NodePort',
      serverServicePort: 51840,
      clientGatewayType: 'networking.liqo.io/v1beta1/wggatewayclienttemplates',
      clientTemplateName: 'wireguard-client',
      clientTemplateNamespace: 'liqo',
      timeoutSeconds: 120,
      wait: true,
    },
  },
  status: { isConnected: false, phase: 'Failed' },
};

const AT_HAND = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';

const isReplicated = (it: Item): boolean =>
  it.metadata.labels?.['liqo.io/replicated'] === 'true' || it.kind === 'Quota';

const recorded = (fleet: string, whats: readonly string[]): readonly Disturbance[] =>
  whats.map((what) => ({ name: `recorded ${fleet} ${what}`.replace(/[/ .]/g, '-'), fleet, after: what }));

export const DISTURBANCES: readonly Disturbance[] = [
  { name: 'none', fleet: EXAMPLE, code: 0 },
  ...recorded(OVERLAP, ['atonce', 'reverse', 'shuffle-1', 'shuffle-7', 'del', 'del2', 'restart']),
  ...recorded('overlap/1.1', ['atonce', 'reverse', 'shuffle-3']),
  ...recorded(EXAMPLE, ['atonce', 'reverse', 'shuffle-7', 'conn']),
  ...recorded('several-pod-cidrs/1.2', ['conn']),
  ...recorded('gateways-customised-on-1.2/1.2', ['conn']),
  ...recorded('load-balancers-share-addresses/1.2', ['conn']),
  { name: 'none-of-a-fleet-that-shares', fleet: SHARED, code: 0 },
  ...recorded(SHARED, ['keys-swapped', 'offloading-edited', 'firewall-edited']),

  {
    name: 'key-rotated-on-one-side',
    fleet: EXAMPLE,
    edit: all(
      edited('rome', 'PublicKey', 'milan', 'spec/publicKey', AT_HAND),
      edited('rome', 'Connection', 'gw-milan', 'status/value', 'Connecting'),
      edited('milan', 'Connection', 'gw-rome', 'status/value', 'Connecting'),
    ),
  },
  {
    name: 'key-of-another-cluster',
    fleet: EXAMPLE,
    edit: (dumps) =>
      setAt(
        objectIn(dumps['rome'] ?? [], 'PublicKey', 'milan'),
        'spec',
        objectIn(dumps['rome'] ?? [], 'PublicKey', 'europe')['spec'],
      ),
  },
  { name: 'public-key-missing', fleet: EXAMPLE, edit: without('rome', isOf('PublicKey', 'milan')) },
  { name: 'second-public-key', fleet: EXAMPLE, edit: copied('rome', 'PublicKey', 'milan', 'milan-old') },
  {
    name: 'secret-missing',
    fleet: EXAMPLE,
    edit: without('rome', (it) => it.kind === 'Secret' && it.metadata.namespace === 'liqo-tenant-milan'),
  },
  {
    name: 'secret-with-the-label-of-another-cluster',
    fleet: EXAMPLE,
    edit: (dumps) => {
      const secret = dumps['rome']?.find((it) => it.kind === 'Secret' && it.metadata.namespace === 'liqo-tenant-milan');
      setAt(secret ?? {}, 'metadata/labels', { ...secret?.metadata.labels, 'liqo.io/remote-cluster-id': 'europe' });
    },
  },
  {
    name: 'second-secret',
    fleet: EXAMPLE,
    edit: (dumps) => {
      const secret = dumps['rome']?.find((it) => it.kind === 'Secret' && it.metadata.namespace === 'liqo-tenant-milan');
      if (secret === undefined) throw new Error('there is no Secret');
      dumps['rome']?.push({ ...copyOf(secret), metadata: { ...secret.metadata, name: 'gw-keys-2' } });
    },
  },
  { name: 'mtu-at-one-end', fleet: EXAMPLE, edit: edited('rome', 'GatewayClient', 'milan', 'spec/mtu', 1400) },
  {
    name: 'mtu-at-both-ends',
    fleet: EXAMPLE,
    edit: all(
      edited('rome', 'GatewayClient', 'milan', 'spec/mtu', 1400),
      edited('milan', 'GatewayServer', 'rome', 'spec/mtu', 1400),
    ),
  },
  {
    name: 'node-port-changed',
    fleet: EXAMPLE,
    edit: all(
      edited('milan', 'GatewayServer', 'rome', 'spec/endpoint/nodePort', 30999),
      edited('rome', 'Connection', 'gw-milan', 'status/value', 'Connecting'),
    ),
  },
  {
    name: 'service-type-changed',
    fleet: EXAMPLE,
    edit: all(
      edited('milan', 'GatewayServer', 'rome', 'spec/endpoint/serviceType', 'LoadBalancer'),
      edited('milan', 'GatewayServer', 'rome', 'spec/endpoint/nodePort', undefined),
    ),
  },
  {
    name: 'gateway-template-replaced',
    fleet: EXAMPLE,
    edit: edited('rome', 'GatewayClient', 'milan', 'spec/clientTemplateRef/name', 'by-hand'),
  },
  {
    name: 'gateway-template-edited',
    fleet: 'gateways-customised-on-1.2/1.2',
    edit: edited(
      'hub',
      'WgGatewayServerTemplate',
      'weft-wireguard-server',
      'spec/template/spec/deployment/spec/replicas',
      1,
    ),
    only: ['hub'],
  },
  {
    name: 'second-gateway',
    fleet: EXAMPLE,
    edit: all(
      copied('rome', 'GatewayClient', 'milan', 'milan-by-hand'),
      copied('rome', 'Connection', 'gw-milan', 'gw-milan-by-hand'),
    ),
  },
  {
    name: 'gateway-of-the-other-role',
    fleet: EXAMPLE,
    edit: (dumps) => {
      setAt(objectIn(dumps['rome'] ?? [], 'GatewayClient', 'milan'), 'kind', 'GatewayServer');
    },
  },
  {
    name: 'gateway-deleted',
    fleet: EXAMPLE,
    edit: without('rome', (it) => /^(GatewayClient|Connection)$/.test(it.kind) && peerOf(it) === 'milan'),
  },
  { name: 'second-configuration', fleet: EXAMPLE, edit: copied('rome', 'Configuration', 'milan', 'by-hand') },
  {
    name: 'configuration-deleted',
    fleet: EXAMPLE,
    edit: without('rome', (it) => /^(Configuration|Network)$/.test(it.kind) && peerOf(it) === 'milan'),
  },
  {
    name: 'configuration-being-deleted',
    fleet: EXAMPLE,
    edit: edited('rome', 'Configuration', 'milan', 'metadata/deletionTimestamp', '2026-11-22T00:00:00Z'),
  },
  {
    name: 'remote-cidr-edited',
    fleet: EXAMPLE,
    edit: all(
      edited('rome', 'Configuration', 'milan', 'spec/remote/cidr/pod', ['10.99.0.0/16']),
      edited('rome', 'Configuration', 'milan', 'status/remote/cidr/pod', ['10.99.0.0/16']),
      without('rome', isOf('Network', 'milan-pod-10-202-0-0-16')),
      copied('rome', 'Network', 'milan-external-10-253-0-0-20', 'milan-pod-10-99-0-0-16'),
    ),
  },
  {
    name: 'local-cidr-is-stale',
    fleet: EXAMPLE,
    edit: edited('rome', 'Configuration', 'milan', 'spec/local/cidr/pod', ['10.244.0.0/16']),
  },
  {
    name: 'generation-not-observed',
    fleet: EXAMPLE,
    edit: edited('rome', 'Configuration', 'milan', 'metadata/generation', 3),
  },
  {
    name: 'conditions-dropped-by-old-crds',
    fleet: EXAMPLE,
    edit: edited('rome', 'Configuration', 'milan', 'status/conditions', undefined),
  },
  {
    name: 'network-edited',
    fleet: EXAMPLE,
    edit: edited('rome', 'Network', 'milan-pod-10-202-0-0-16', 'spec/preAllocated', 5),
  },
  {
    name: 'label-missing',
    fleet: EXAMPLE,
    edit: edited('rome', 'Configuration', 'milan', 'metadata/labels', {}),
  },
  {
    name: 'extra-network-of-a-peer',
    fleet: EXAMPLE,
    edit: copied('rome', 'Network', 'milan-pod-10-202-0-0-16', 'by-hand'),
  },
  {
    name: 'network-of-a-user',
    fleet: EXAMPLE,
    code: 0,
    edit: (dumps) =>
      dumps['rome']?.push({
        apiVersion: 'ipam.liqo.io/v1alpha1',
        kind: 'Network',
        metadata: { name: 'own', namespace: 'lab' },
        spec: { cidr: '10.99.0.0/16' },
        status: { cidr: '10.99.0.0/16' },
      }),
  },
  {
    name: 'network-of-a-user-where-a-view-was',
    fleet: EXAMPLE,
    edit: all(
      (dumps) =>
        dumps['rome']?.push({
          apiVersion: 'ipam.liqo.io/v1alpha1',
          kind: 'Network',
          metadata: { name: 'own', namespace: 'lab' },
          spec: { cidr: '10.81.0.0/16' },
          status: { cidr: '10.81.0.0/16' },
        }),
      edited('rome', 'Configuration', 'milan', 'status/remote/cidr/pod', ['10.68.0.0/16']),
      edited('rome', 'Network', 'milan-pod-10-202-0-0-16', 'status/cidr', '10.68.0.0/16'),
    ),
  },
  {
    name: 'namespace-renamed',
    fleet: EXAMPLE,
    edit: (dumps) => {
      for (const it of dumps['rome'] ?? []) {
        if (isOf('Namespace', 'liqo-tenant-milan')(it)) it.metadata.name = 'peering-with-milan';
        if (it.metadata.namespace === 'liqo-tenant-milan') it.metadata.namespace = 'peering-with-milan';
      }
    },
  },
  { name: 'second-namespace', fleet: EXAMPLE, edit: copied('rome', 'Namespace', 'liqo-tenant-milan', 'milan-again') },
  {
    name: 'half-an-upgrade',
    fleet: EXAMPLE,
    edit: all(
      copied('rome', 'Network', 'milan-pod-10-202-0-0-16', 'milan-pod'),
      without('rome', isOf('Network', 'milan-pod-10-202-0-0-16')),
    ),
  },
  {
    name: 'release-differs',
    fleet: EXAMPLE,
    edit: (dumps) => {
      for (const it of dumps['rome'] ?? []) {
        if (it.metadata.labels?.['app.kubernetes.io/version'] === undefined) continue;
        it.metadata.labels['app.kubernetes.io/version'] = 'v1.1.2';
      }
    },
  },
  {
    name: 'patch-differs',
    fleet: EXAMPLE,
    code: 0,
    edit: (dumps) => {
      for (const it of dumps['rome'] ?? [])
        if (it.metadata.labels?.['app.kubernetes.io/version'])
          it.metadata.labels['app.kubernetes.io/version'] = 'v1.2.7';
    },
  },
  {
    name: 'reserved-network-is-missing',
    fleet: OVERLAP,
    edit: without('hub', isOf('Network', 'reserved-10-71-0-0-24')),
    only: ['hub'],
  },
  {
    name: 'shortcut-is-not-connected',
    fleet: 'shortcuts-in-a-star-with-operator/1.0',
    edit: (dumps) => dumps['left']?.push(SHORTCUT),
    only: ['left'],
  },
  {
    name: 'pods-of-another-helm-value',
    fleet: EXAMPLE,
    edit: all(
      edited('rome', 'Network', 'pod-cidr', 'spec/cidr', '10.244.0.0/16'),
      edited('rome', 'Network', 'pod-cidr', 'status/cidr', '10.244.0.0/16'),
      edited('rome', 'Configuration', 'milan', 'spec/local/cidr/pod', ['10.244.0.0/16']),
      edited('rome', 'Configuration', 'europe', 'spec/local/cidr/pod', ['10.244.0.0/16']),
    ),
  },
  {
    name: 'pools-of-another-helm-value',
    fleet: EXAMPLE,
    edit: (dumps) =>
      dumps['rome']?.push({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'liqo-ipam', namespace: 'liqo' },
        spec: { template: { spec: { containers: [{ name: 'ipam', args: ['--port=6000', '--pools=10.0.0.0/8'] }] } } },
      }),
  },
  {
    name: 'connection-in-error',
    fleet: EXAMPLE,
    edit: edited('rome', 'Connection', 'gw-milan', 'status/value', 'Error'),
  },
  {
    name: 'peer-removed',
    fleet: EXAMPLE,
    edit: without(
      'rome',
      (it) => it.metadata.namespace === 'liqo-tenant-milan' || isOf('Namespace', 'liqo-tenant-milan')(it),
    ),
  },
  {
    name: 'extra-peer',
    fleet: EXAMPLE,
    edit: (dumps) => {
      const ours = (dumps['rome'] ?? []).filter(
        (it) => it.metadata.namespace === 'liqo-tenant-milan' || isOf('Namespace', 'liqo-tenant-milan')(it),
      );
      const text = JSON.stringify(ours).replaceAll('milan', 'paris').replaceAll('10.81.', '10.82.');
      dumps['rome']?.push(...(JSON.parse(text) as Item[]));
    },
  },
  {
    name: 'views-of-two-peers-are-exchanged',
    fleet: OVERLAP,
    edit: all(
      edited('hub', 'Configuration', 'a', 'status/remote/cidr/pod', ['10.66.0.0/16']),
      edited('hub', 'Network', 'a-pod-10-244-0-0-16', 'status/cidr', '10.66.0.0/16'),
      edited('hub', 'Configuration', 'd', 'status/remote/cidr/pod', ['10.68.0.0/16']),
      edited('hub', 'Network', 'd-pod-10-244-0-0-16', 'status/cidr', '10.68.0.0/16'),
    ),
    only: ['hub'],
  },
  {
    name: 'annotations-of-argo-cd-differ',
    fleet: EXAMPLE,
    code: 0,
    edit: edited('rome', 'Configuration', 'milan', 'metadata/annotations', {}),
  },
  {
    name: 'gateway-made-by-liqoctl',
    fleet: EXAMPLE,
    code: 0,
    edit: edited('rome', 'GatewayClient', 'milan', 'spec/secretRef', undefined),
  },
  {
    name: 'rollout-has-not-begun',
    fleet: EXAMPLE,
    edit: without('rome', (it) => (it.metadata.namespace ?? it.metadata.name).startsWith('liqo-tenant-')),
    only: ['rome'],
  },
  {
    name: 'rollout-waits-for-the-second-configuration',
    fleet: EXAMPLE,
    edit: all(
      without(
        'rome',
        (it) => /^(GatewayClient|Connection)$/.test(it.kind) || (it.kind === 'Network' && peerOf(it) === 'milan'),
      ),
      edited('rome', 'Configuration', 'milan', 'status', undefined),
      edited('rome', 'Configuration', 'milan', 'spec/local', undefined),
    ),
    only: ['rome'],
  },
  {
    name: 'rollout-waits-for-a-gateway',
    fleet: EXAMPLE,
    edit: all(
      edited('milan', 'GatewayServer', 'rome', 'status', undefined),
      edited('milan', 'Connection', 'gw-rome', 'status', undefined),
      edited('rome', 'Connection', 'gw-milan', 'status/value', 'Connecting'),
    ),
  },
  {
    name: 'several-things-in-two-clusters',
    fleet: EXAMPLE,
    edit: all(
      edited('milan', 'GatewayServer', 'rome', 'spec/mtu', 1280),
      edited('milan', 'PublicKey', 'rome', 'spec/publicKey', AT_HAND),
      edited('rome', 'Connection', 'gw-milan', 'status/value', 'Error'),
      edited('rome', 'Network', 'milan-pod-10-202-0-0-16', 'status/cidr', '10.68.0.0/16'),
      edited('rome', 'Configuration', 'milan', 'status/remote/cidr/pod', ['10.68.0.0/16']),
    ),
  },
  {
    name: 'tenant-drained',
    fleet: SHARED,
    edit: all(
      edited('edge1', 'Tenant', 'core', 'spec/tenantCondition', 'Drained'),
      edited('edge1', 'Namespace', 'shop-core', 'metadata/deletionTimestamp', '2026-11-22T00:00:00Z'),
      without('edge1', isOf('Namespace', 'remote-lab')),
      without('edge1', (it) => /^(NamespaceMap|ResourceSlice|Quota)$/.test(it.kind) && isReplicated(it)),
      without('edge1', (it) => /^(Cluster)?RoleBinding$/.test(it.kind) && peerOf(it) === 'core'),
    ),
  },
  {
    name: 'tenant-cordoned',
    fleet: SHARED,
    edit: edited('edge1', 'Tenant', 'core', 'spec/tenantCondition', 'Cordoned'),
  },
  {
    name: 'remote-namespace-deleted-in-the-provider',
    fleet: SHARED,
    edit: edited('edge1', 'Namespace', 'shop-core', 'metadata/deletionTimestamp', '2026-11-22T00:00:00Z'),
    only: ['edge1'],
  },
  {
    name: 'peering-being-deleted-with-a-remote-namespace',
    fleet: SHARED,
    edit: all(
      edited('edge1', 'Namespace', 'liqo-tenant-core', 'metadata/deletionTimestamp', '2026-11-22T00:00:00Z'),
      edited('edge1', 'Namespace', 'shop-core', 'metadata/deletionTimestamp', '2026-11-22T00:00:00Z'),
    ),
    only: ['edge1'],
  },
  {
    name: 'offloading-deleted',
    fleet: SHARED,
    edit: without('core', (it) => it.kind === 'NamespaceOffloading' && it.metadata.namespace === 'lab'),
    only: ['core'],
  },
  {
    name: 'kubeconfig-missing',
    fleet: SHARED,
    edit: without('core', isOf('Secret', 'kubeconfig-controlplane-edge1')),
    only: ['core'],
  },
  {
    name: 'loan-that-git-does-not-have',
    fleet: SHARED,
    edit: copied('edge1', 'Tenant', 'core', 'of-before'),
    only: ['edge1'],
  },
  {
    name: 'remap-rules-missing',
    fleet: SHARED,
    edit: without('core', isOf('FirewallConfiguration', 'edge2-remap-podcidr')),
    only: ['core'],
  },
  {
    name: 'routes-edited',
    fleet: SHARED,
    edit: edited('core', 'RouteConfiguration', 'edge2-gw-ext', 'spec/table/rules/0/routes/0/gw', '169.254.18.1'),
    only: ['core'],
  },
  {
    name: 'routes-missing',
    fleet: SHARED,
    edit: without('core', isOf('RouteConfiguration', 'edge1-node-gw')),
    only: ['core'],
  },
  {
    name: 'another-interface-than-eth0',
    fleet: SHARED,
    code: 0,
    edit: (dumps) => {
      for (const it of dumps['core'] ?? [])
        if (it.kind === 'FirewallConfiguration')
          setAt(it, 'spec', JSON.parse(JSON.stringify(it['spec']).replaceAll('"eth0"', '"ens3"')));
    },
    only: ['core'],
  },
  {
    name: 'dump-cut-in-the-middle',
    fleet: EXAMPLE,
    code: 2,
    only: ['rome'],
    dump: (_, text) => text.slice(0, text.length / 2),
  },
  {
    name: 'dump-of-another-cluster',
    fleet: EXAMPLE,
    code: 2,
    edit: (dumps) => {
      dumps['rome'] = dumps['milan'] ?? [];
    },
    only: ['rome'],
  },
];

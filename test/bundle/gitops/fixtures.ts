import { prefixOf } from '../../../src/base/net/text.ts';
import { fabricSettings } from '../../../src/base/releases/platforms.ts';
import { traitsOf } from '../../../src/base/releases/traits.ts';
import { startOf } from '../../../src/base/source/source.ts';
import type { BoundedModel } from '../../../src/fleet/boundaries/bounded-model.ts';
import type { AddressedCluster, Peer, View } from '../../../src/fleet/ipam/addressed-model.ts';
import type { Cluster, ClusterGitOps, Fleet, GitOps, Link } from '../../../src/fleet/model/network-model.ts';
import { PLAIN_GATEWAY } from '../../support/plain-gateway.ts';
import { usualNames } from '../../support/usual-names.ts';

const at = startOf({ path: 'topology.yaml', text: '' });
const located = <T>(value: T) => ({ value, at });

export const gitops: GitOps = {
  repository: 'https://github.com/example/network.git',
  revision: 'main',
  path: 'out',
  argo: { namespace: 'argocd', project: 'weft-europe' },
  flux: {
    namespace: 'flux-system',
    source: 'weft-europe',
    evaluatesReadyExpr: true,
    versionAt: at,
    dependsOn: ['liqo'],
  },
};

export function fleetOf(changes: Partial<Fleet> = {}): Fleet {
  return {
    name: 'europe',
    topologyFile: 'topology.yaml',
    at,
    shortcutOperator: false,
    emitConnections: false,
    keyStore: null,
    conformance: false,
    carve: { from: [prefixOf('10.0.0.0/8')], length: 16, at },
    gitops,
    ...changes,
  };
}

export interface PeerSettings {
  readonly name: string;
  readonly join: number;
  readonly ordered: boolean;
}

/** The settings of a cluster that matter to GitOps. */
export interface ClusterSettings {
  readonly name: string;
  readonly peers?: readonly PeerSettings[];
  readonly gitops?: Partial<ClusterGitOps>;
  readonly retired?: boolean;
  readonly liqoNamespace?: string;
}

export function clusterOf(settings: ClusterSettings): AddressedCluster {
  const cluster = plainCluster(settings);
  const peers = [...(settings.peers ?? [])].sort(inApplyOrder);
  return {
    ...cluster,
    externalCIDR: prefixOf('10.70.0.0/16'),
    internalCIDR: prefixOf('10.80.0.0/16'),
    peers: new Map(peers.map((it) => [it.name, peerOf(cluster, it)])),
  };
}

function plainCluster({ name, gitops = {}, retired = false, liqoNamespace = 'liqo' }: ClusterSettings): Cluster {
  return {
    name,
    at,
    release: { line: '1.2', version: '1.2.0' },
    traits: traitsOf('1.2'),
    liqoNamespace,
    image: { registry: 'ghcr.io/liqotech', tag: 'v1.2.0' },
    allocator: 'liqo-1.2',
    pools: [located(prefixOf('10.0.0.0/8'))],
    podCIDRs: [located(prefixOf('10.200.0.0/16'))],
    serviceCIDR: located(prefixOf('10.96.0.0/12')),
    external: { kind: 'default', prefix: prefixOf('10.70.0.0/16'), at },
    internal: { kind: 'default', prefix: prefixOf('10.80.0.0/16'), at },
    reserved: [],
    labels: {},
    platform: null,
    cni: null,
    fabric: fabricSettings(null, null),
    apiServer: null,
    capacity: [],
    retired,
    boundary: null,
    renamedFrom: null,
    monitoring: null,
    hubs: [],
    gateway: PLAIN_GATEWAY,
    helmValues: [],
    gitops: { name, server: null, kubeConfigSecret: null, ...gitops },
  };
}

/** The order of the addressed model: free links first, then ordered ones, each by join number. */
const inApplyOrder = (a: PeerSettings, b: PeerSettings): number =>
  Number(a.ordered) - Number(b.ordered) || a.join - b.join;

function peerOf(cluster: Cluster, { name, join, ordered }: PeerSettings): Peer {
  const cidr = prefixOf('10.202.0.0/16');
  const view: View = { cidr, seenAs: ordered ? prefixOf('10.203.0.0/16') : cidr, history: false };
  const link: Link = {
    id: { first: name, second: cluster.name },
    kind: 'hub',
    join,
    at,
    server: {
      cluster,
      publicKey: null,
      hasUnknownKey: false,
      keyPair: { generation: 1, since: null, next: null },
      template: null,
      names: usualNames(name),
    },
    client: {
      cluster: plainCluster({ name }),
      publicKey: null,
      hasUnknownKey: false,
      keyPair: { generation: 1, since: null, next: null },
      template: null,
      names: usualNames(cluster.name),
    },
    mtuBytes: 1340,
    boundary: null,
    endpoint: {
      address: '203.0.113.10',
      port: 30000,
      serviceType: 'NodePort',
      servicePort: 51840,
      nodePort: 30000,
      loadBalancerIP: null,
      serviceAnnotations: {},
    },
    keySource: 'provided',
    nudge: 0,
    commonHubs: [],
  };
  const remote = clusterOf({ name });
  return {
    name,
    cluster: remote,
    link,
    role: 'server',
    podViews: [view],
    externalView: view,
    remapped: ordered,
    orderDependent: ordered,
  };
}

/** A fleet that shares nothing. */
export function modelOf(clusters: readonly ClusterSettings[], fleet: Partial<Fleet> = {}): BoundedModel {
  const sorted = [...clusters].sort((a, b) => (a.name < b.name ? -1 : 1)).map(clusterOf);
  return {
    fleet: fleetOf(fleet),
    clusters: new Map(sorted.map((it) => [it.name, it])),
    links: sorted.flatMap((it) => [...it.peers.values()].map((peer) => peer.link)).sort((a, b) => a.join - b.join),
    shares: [],
    offloadings: [],
    sharing: new Map(),
    boundaries: { incoming: new Map(), namespaces: new Map() },
  };
}

/** A cluster with free and with ordered links, whose join numbers follow neither their names nor each other. */
export const mixed: ClusterSettings = {
  name: 'europe',
  peers: [
    { name: 'athens', join: 9, ordered: true },
    { name: 'berlin', join: 4, ordered: false },
    { name: 'milan', join: 2, ordered: true },
    { name: 'rome', join: 12, ordered: true },
    { name: 'vienna', join: 7, ordered: false },
  ],
};

/** The kinds in a bundle for each peer. */
export const PEER_KINDS = ['Namespace', 'Configuration', 'PublicKey', 'GatewayServer'] as const;

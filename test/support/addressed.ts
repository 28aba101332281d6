import { prefixOf } from '../../src/base/net/text.ts';
import { allocatorOf } from '../../src/base/releases/allocators.ts';
import { fabricSettings } from '../../src/base/releases/platforms.ts';
import { releaseOf } from '../../src/base/releases/release.ts';
import { traitsOf } from '../../src/base/releases/traits.ts';
import { type Source, startOf } from '../../src/base/source/source.ts';
import type { AddressedCluster, Peer, View } from '../../src/fleet/ipam/addressed-model.ts';
import type { Cluster, Fleet, Link, Located } from '../../src/fleet/model/network-model.ts';
import { publicKeyFor } from './keys-of.ts';
import { PLAIN_GATEWAY } from './plain-gateway.ts';
import { usualNames } from './usual-names.ts';

/** One end of a link, in text. */
export interface EndSettings {
  readonly name: string;
  readonly pods: readonly string[];
  readonly external: string;
  /** A release line or a release; `1.2` by default. */
  readonly release?: string;
  /** The view of the other's pod CIDRs, one each; unchanged by default. */
  readonly seesPods?: readonly string[];
  readonly seesExternal?: string;
}

export interface AddressedEnd {
  readonly cluster: AddressedCluster;
  /** The other end, as this one sees it. */
  readonly peer: Peer;
}

export interface AddressedPair {
  readonly fleet: Fleet;
  readonly link: Link;
  readonly server: AddressedEnd;
  readonly client: AddressedEnd;
}

const source: Source = { path: 'topologies/topology.yaml', text: '' };
const at = startOf(source);
const located = <T>(value: T): Located<T> => ({ value, at });

/** Two clusters with a link between them, without a compiler: what is not about addresses is as by default. */
export function addressedPair({
  server,
  client,
}: {
  readonly server: EndSettings;
  readonly client: EndSettings;
}): AddressedPair {
  const link = linkOf(clusterOf(server), clusterOf(client));
  const [ofServer, ofClient] = [new Map<string, Peer>(), new Map<string, Peer>()];
  const ends = {
    server: addressed(link.server.cluster, server, ofServer),
    client: addressed(link.client.cluster, client, ofClient),
  };
  const toClient = peerOf(server, client, { link, role: 'server', cluster: ends.client });
  const toServer = peerOf(client, server, { link, role: 'client', cluster: ends.server });
  ofServer.set(client.name, toClient);
  ofClient.set(server.name, toServer);
  return {
    fleet: FLEET,
    link,
    server: { cluster: ends.server, peer: toClient },
    client: { cluster: ends.client, peer: toServer },
  };
}

const addressed = (
  cluster: Cluster,
  { external }: EndSettings,
  peers: ReadonlyMap<string, Peer>,
): AddressedCluster => ({
  ...cluster,
  externalCIDR: prefixOf(external),
  internalCIDR: prefixOf('10.80.0.0/16'),
  peers,
});

const peerOf = (own: EndSettings, other: EndSettings, rest: Pick<Peer, 'link' | 'role' | 'cluster'>): Peer => ({
  name: other.name,
  podViews: other.pods.map((cidr, index) => viewOf(cidr, own.seesPods?.[index])),
  externalView: viewOf(other.external, own.seesExternal),
  remapped: false,
  orderDependent: false,
  ...rest,
});

function viewOf(cidr: string, seenAs: string = cidr): View {
  return { cidr: prefixOf(cidr), seenAs: prefixOf(seenAs), history: false };
}

const FLEET: Fleet = {
  name: 'test',
  topologyFile: 'topology.yaml',
  at,
  shortcutOperator: false,
  emitConnections: false,
  keyStore: null,
  conformance: false,
  carve: { from: [prefixOf('10.0.0.0/8')], length: 16, at },
  gitops: null,
};

function clusterOf({ name, pods, external, release: wanted = '1.2' }: EndSettings): Cluster {
  const release = releaseOf(wanted);
  if (release === undefined) throw new Error(`no Liqo ${wanted}`);
  return {
    name,
    at,
    release,
    traits: traitsOf(release.line),
    liqoNamespace: 'liqo',
    image: { registry: 'registry.example/liqo', tag: `v${release.version}` },
    allocator: allocatorOf('liqo', release),
    pools: ['10.0.0.0/8', '192.168.0.0/16', '172.16.0.0/12'].map((it) => located(prefixOf(it))),
    podCIDRs: pods.map((it) => located(prefixOf(it))),
    serviceCIDR: located(prefixOf('10.96.0.0/12')),
    external: { kind: 'explicit', prefix: prefixOf(external), at },
    internal: { kind: 'default', prefix: prefixOf('10.80.0.0/16'), at },
    reserved: [],
    labels: {},
    platform: null,
    cni: null,
    fabric: fabricSettings(null, null),
    apiServer: null,
    capacity: [],
    retired: false,
    boundary: null,
    renamedFrom: null,
    monitoring: null,
    hubs: [],
    gateway: { ...PLAIN_GATEWAY, addresses: [located('203.0.113.10')] },
    helmValues: [],
    gitops: { name, server: null, kubeConfigSecret: null },
  };
}

function linkOf(server: Cluster, client: Cluster): Link {
  return {
    id: { first: client.name, second: server.name },
    kind: 'hub',
    join: 1,
    at,
    server: {
      cluster: server,
      publicKey: publicKeyFor(server.name, client.name),
      hasUnknownKey: false,
      keyPair: { generation: 1, since: null, next: null },
      template: null,
      names: usualNames(client.name),
    },
    client: {
      cluster: client,
      publicKey: publicKeyFor(client.name, server.name),
      hasUnknownKey: false,
      keyPair: { generation: 1, since: null, next: null },
      template: null,
      names: usualNames(server.name),
    },
    mtuBytes: 1340,
    boundary: null,
    endpoint: {
      address: '203.0.113.10',
      port: 30742,
      serviceType: 'NodePort',
      servicePort: 51840,
      nodePort: 30742,
      loadBalancerIP: null,
      serviceAnnotations: server.gateway.serviceAnnotations,
    },
    keySource: 'provided',
    nudge: 0,
    commonHubs: [],
  };
}

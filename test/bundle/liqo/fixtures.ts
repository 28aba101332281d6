import { prefixOf } from '../../../src/base/net/text.ts';
import { fabricSettings } from '../../../src/base/releases/platforms.ts';
import { releaseOf } from '../../../src/base/releases/release.ts';
import { traitsOf } from '../../../src/base/releases/traits.ts';
import { startOf } from '../../../src/base/source/source.ts';
import {
  type AddressedCluster,
  type AddressedModel,
  type Peer,
  remoteEnd,
  type View,
} from '../../../src/fleet/ipam/addressed-model.ts';
import type { Cluster, Fleet, Gateway, Link, TemplateRef } from '../../../src/fleet/model/network-model.ts';
import { joinPeers } from '../../support/join-peers.ts';
import { PLAIN_GATEWAY } from '../../support/plain-gateway.ts';
import { usualNames } from '../../support/usual-names.ts';

const at = startOf({ path: 'topology.yaml', text: '' });
export const located = <T>(value: T) => ({ value, at });

/** The releases whose CRDs we have. */
export const RELEASES = ['1.0.3', '1.1.2', '1.2.0'] as const;

export const KEY_OF_SERVER = 'c2VydmVyLXNlcnZlci1zZXJ2ZXItc2VydmVyLXNlcnY=';
export const KEY_OF_CLIENT = 'Y2xpZW50LWNsaWVudC1jbGllbnQtY2xpZW50LWNsaWU=';

const GATEWAY: Gateway = { ...PLAIN_GATEWAY, addresses: [located('203.0.113.10')] };

export const FLEET: Fleet = {
  name: 'fleet',
  topologyFile: 'topology.yaml',
  at,
  shortcutOperator: false,
  emitConnections: false,
  keyStore: null,
  conformance: false,
  carve: { from: [prefixOf('10.0.0.0/8')], length: 16, at },
  gitops: null,
};

type ClusterOptions = Partial<Omit<AddressedCluster, 'gateway' | 'release' | 'podCIDRs' | 'serviceCIDR' | 'peers'>> & {
  readonly peers?: readonly Peer[];
  readonly gateway?: Partial<Gateway>;
  readonly release?: string;
  readonly podCIDRs?: readonly string[];
  readonly serviceCIDR?: string;
};

/** A cluster with Liqo's defaults, and no peers unless they are given. */
export function cluster(name: string, options: ClusterOptions = {}): AddressedCluster {
  const {
    gateway,
    release = '1.2.0',
    podCIDRs = ['10.200.0.0/16'],
    serviceCIDR = '10.96.0.0/12',
    peers = [],
    ...rest
  } = options;
  const known = releaseOf(release);
  if (known === undefined) throw new Error(`no release ${release}`);
  const base: Cluster = {
    name,
    at,
    release: known,
    traits: traitsOf(known.line),
    liqoNamespace: 'liqo',
    image: { registry: 'ghcr.io/liqotech', tag: `v${release}` },
    allocator: known.line === '1.2' ? 'liqo-1.2' : 'liqo-1.0',
    pools: ['10.0.0.0/8', '192.168.0.0/16', '172.16.0.0/12'].map((it) => located(prefixOf(it))),
    podCIDRs: podCIDRs.map((it) => located(prefixOf(it))),
    serviceCIDR: located(prefixOf(serviceCIDR)),
    external: { kind: 'default', prefix: prefixOf('10.70.0.0/16'), at },
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
    gateway: { ...GATEWAY, ...gateway },
    helmValues: [],
    gitops: { name, server: null, kubeConfigSecret: null },
  };
  return {
    ...base,
    externalCIDR: prefixOf('10.70.0.0/16'),
    internalCIDR: prefixOf('10.80.0.0/16'),
    peers: new Map(peers.map((it) => [it.name, it])),
    ...rest,
  };
}

/** A request without a span of its own. */
export const explicit = (cidr: string) => ({ kind: 'explicit', prefix: prefixOf(cidr), at }) as const;
export const auto = { kind: 'auto', at } as const;
export const reservedAs = (...cidrs: readonly string[]) => cidrs.map((it) => located(prefixOf(it)));

type LinkOptions = Partial<Omit<Link, 'server' | 'client'>> & {
  readonly publicKeys?: { readonly server: string | null; readonly client: string | null };
  readonly templates?: { readonly server: TemplateRef | null; readonly client: TemplateRef | null };
};

/** An end given as a name is a cluster with Liqo's defaults. */
export function link(clientEnd: string | Cluster, serverEnd: string | Cluster, options: LinkOptions = {}): Link {
  const {
    publicKeys = { server: KEY_OF_SERVER, client: KEY_OF_CLIENT },
    templates = { server: null, client: null },
    ...rest
  } = options;
  const clusterOf = (end: string | Cluster): Cluster => (typeof end === 'string' ? cluster(end) : end);
  const [client, server] = [clusterOf(clientEnd), clusterOf(serverEnd)];
  return {
    id:
      client.name < server.name
        ? { first: client.name, second: server.name }
        : { first: server.name, second: client.name },
    kind: 'hub',
    join: 1,
    at,
    boundary: null,
    server: {
      cluster: server,
      publicKey: publicKeys.server,
      hasUnknownKey: false,
      keyPair: { generation: 1, since: null, next: null },
      template: templates.server,
      names: usualNames(client.name),
    },
    client: {
      cluster: client,
      publicKey: publicKeys.client,
      hasUnknownKey: false,
      keyPair: { generation: 1, since: null, next: null },
      template: templates.client,
      names: usualNames(server.name),
    },
    mtuBytes: 1340,
    endpoint: {
      address: '203.0.113.10',
      port: 30742,
      serviceType: server.gateway.service,
      servicePort: 51840,
      nodePort: 30742,
      loadBalancerIP: null,
      serviceAnnotations: server.gateway.serviceAnnotations,
    },
    keySource: 'provided',
    nudge: 0,
    commonHubs: [],
    ...rest,
  };
}

export const view = (cidr: string, seenAs: string): View => ({
  cidr: prefixOf(cidr),
  seenAs: prefixOf(seenAs),
  history: false,
});

/** The views that `cluster` has of the other end of a link: pods and external CIDR, each `[announced, seen as]`. */
export function peer(of: string, along: Link, { pods, external }: Sights): Peer {
  const role = along.server.cluster.name === of ? 'server' : 'client';
  const { name } = remoteEnd({ link: along, role }).cluster;
  return {
    name,
    cluster: cluster(name),
    link: along,
    role,
    podViews: pods.map(([cidr, seenAs]) => view(cidr, seenAs)),
    externalView: view(...external),
    remapped: false,
    orderDependent: false,
  };
}

export interface Sights {
  readonly pods: readonly (readonly [string, string])[];
  readonly external: readonly [string, string];
}

/** A model of copies of these clusters. */
export function model(
  clusters: readonly AddressedCluster[],
  links: readonly Link[],
  fleet: Partial<Fleet> = {},
): AddressedModel {
  const byName = new Map(clusters.map((it) => [it.name, it]));
  return joinPeers({ fleet: { ...FLEET, ...fleet }, clusters: byName, links });
}

export function clusterIn({ clusters }: AddressedModel, name: string): AddressedCluster {
  const found = clusters.get(name);
  if (found === undefined) throw new Error(`no cluster ${name}`);
  return found;
}

const DEFAULT_SIGHTS: Sights = {
  pods: [['10.200.0.0/16', '10.71.0.0/16']],
  external: ['10.70.0.0/16', '10.68.0.0/16'],
};

/** A spoke that dials its hub, both on one release. */
export function pair(options: ClusterOptions = {}, fleet: Partial<Fleet> = {}, linkOptions: LinkOptions = {}) {
  const along = link(cluster('rome', options), cluster('europe', options), linkOptions);
  const rome = cluster('rome', { ...options, peers: [peer('rome', along, DEFAULT_SIGHTS)] });
  const europe = cluster('europe', { ...options, peers: [peer('europe', along, DEFAULT_SIGHTS)] });
  const joined = model([europe, rome], [along], fleet);
  return { rome: clusterIn(joined, 'rome'), europe: clusterIn(joined, 'europe'), along, model: joined };
}

/**
 * The second slide deck (liqo.md 4.8 E2): a hub and two leaves, all with pods 10.200.0.0/16, and a shortcut between the
 * leaves in which cluster2 is the client.
 */
export function secondDeck(release = '1.0.3') {
  const pods = '10.200.0.0/16';
  const external = '10.70.0.0/16';
  const sights = (podView: string, externalView: string): Sights => ({
    pods: [[pods, podView]],
    external: [external, externalView],
  });
  const [c1, c2, c3] = [
    cluster('cluster1', { release }),
    cluster('cluster2', { release }),
    cluster('cluster3', { release }),
  ];
  const toTwo = link(c2, c1);
  const toThree = link(c3, c1, { join: 2 });
  const shortcut = link(c2, c3, { kind: 'shortcut', join: 3, commonHubs: ['cluster1'] });
  const hub = cluster('cluster1', {
    release,
    serviceCIDR: '10.61.0.0/16',
    peers: [
      peer('cluster1', toTwo, sights('10.60.0.0/16', '10.62.0.0/16')),
      peer('cluster1', toThree, sights('10.63.0.0/16', '10.56.0.0/16')),
    ],
  });
  const two = cluster('cluster2', {
    release,
    serviceCIDR: '10.62.0.0/16',
    peers: [
      peer('cluster2', toTwo, sights('10.63.0.0/16', '10.60.0.0/16')),
      peer('cluster2', shortcut, sights('10.61.0.0/16', '10.56.0.0/16')),
    ],
  });
  const three = cluster('cluster3', {
    release,
    serviceCIDR: '10.63.0.0/16',
    peers: [
      peer('cluster3', toThree, sights('10.62.0.0/16', '10.60.0.0/16')),
      peer('cluster3', shortcut, sights('10.61.0.0/16', '10.56.0.0/16')),
    ],
  });
  const joined = model([hub, two, three], [toTwo, toThree, shortcut], { shortcutOperator: true });
  return {
    hub: clusterIn(joined, 'cluster1'),
    two: clusterIn(joined, 'cluster2'),
    three: clusterIn(joined, 'cluster3'),
    model: joined,
  };
}

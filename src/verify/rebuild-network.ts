import { type DocumentNode, nodeAt } from '../source/document-node.ts';
import type { Expectation, ExpectedCluster, ExpectedEnd } from './expectation.ts';
import type { ExpectedNames } from './expected/names-of-end.ts';
import { type FoundText, type KubeObject, nearestKey, textAt, textsAt } from './kube-object.ts';
import { majorityOf } from './majority-of.ts';
import type { NftFile } from './parse-nft.ts';
import type { ReadBundle } from './read-bundle.ts';
import { type RebuiltEndpoint, rebuildEndpoint } from './rebuild-endpoint.ts';

/**
 * The network of the files. Every number in it is read from a file; only names are from the topology.
 */
export type RebuiltNetwork = ReadonlyMap<string, RebuiltCluster>;

export interface RebuiltCluster {
  readonly name: string;
  readonly expected: ExpectedCluster;
  /** Its own networks, from the Networks of its install. */
  readonly own: readonly OwnNetwork[];
  /** The CIDRs that its peers must use. */
  readonly announces: Announcement;
  /** The carved blocks, where the topology requests one: the value in most of the files. */
  readonly blocks: { readonly external: FoundText | undefined; readonly internal: FoundText | undefined };
  /** By name of the peer, for each link of the topology. */
  readonly peers: ReadonlyMap<string, RebuiltPeer>;
}

interface Announcement {
  readonly pod: readonly FoundText[];
  /** One, or none when no file contains it. */
  readonly external: readonly FoundText[];
}

export interface OwnNetwork {
  readonly type: string;
  readonly object: KubeObject;
  readonly wanted: FoundText;
  readonly given: FoundText;
}

export interface RebuiltPeer {
  readonly name: string;
  /** What the topology requires its objects to be called. */
  readonly names: ExpectedNames;
  /** The objects that are applied for this peer. */
  readonly objects: readonly KubeObject[];
  readonly path: string;
  readonly gateway: KubeObject | undefined;
  readonly endpoint: RebuiltEndpoint;
  readonly configuration: KubeObject | undefined;
  /** The expected Configuration, with the status that Liqo sets. */
  readonly expectedConfiguration: KubeObject | undefined;
  /** In the order of the lists: pods, then external. */
  readonly views: readonly SeenNetwork[];
  readonly gatewayRules: NftFile | undefined;
  readonly nodeRules: NftFile | undefined;
}

/** A CIDR that the peer announces, and the view that the cluster has of it. */
export interface SeenNetwork {
  readonly kind: 'pod' | 'external';
  readonly index: number;
  readonly cidr: FoundText;
  /** The value in most of the files, so that a single edited file is reported, and not all the others. */
  readonly seenAs: FoundText;
  /** The value in the expected Configuration. */
  readonly configured: FoundText;
}

// The layout of a bundle is repeated here intentionally and not imported from core/bundle-path.ts: verify must prove that
// files are where people and tools look for them, and must not compare the compiler's layout with itself.
export const peerFile = (cluster: string, peer: string): string => `${cluster}/peers/${peer}/${peer}.yaml`;
export const gatewayRulesFile = (cluster: string, peer: string): string => `${cluster}/nftables/${peer}.nft`;
export const nodeRulesFile = (cluster: string, peer: string): string => `${cluster}/nftables/nodes/${peer}.nft`;

export const isGateway = (it: KubeObject): boolean => it.kind === 'GatewayServer' || it.kind === 'GatewayClient';

export function rebuildNetwork(bundle: ReadBundle, { clusters }: Expectation): RebuiltNetwork {
  const externals = appliedExternals(bundle, clusters.values());
  const announced = new Map(
    [...clusters.values()].map((it) => [it.name, announcedBy(bundle, it, externals.get(it.name) ?? [])]),
  );
  const rows = addressRows(bundle);
  const ports = portRows(bundle);
  return new Map([...clusters.values()].map((it) => [it.name, rebuildCluster({ bundle, announced, rows, ports }, it)]));
}

interface Parts {
  readonly bundle: ReadBundle;
  readonly announced: ReadonlyMap<string, Announcement>;
  /** The views in addresses.json, by cluster, peer, kind and network. */
  readonly rows: ReadonlyMap<string, FoundText>;
  /** The dialled ports in addresses.json, by cluster and peer. */
  readonly ports: ReadonlyMap<string, FoundText>;
}

const NOTHING: Announcement = { pod: [], external: [] };

function rebuildCluster(parts: Parts, expected: ExpectedCluster): RebuiltCluster {
  const { name } = expected;
  const configurations = parts.bundle.objects.get(`${name}/expected/configurations.yaml`) ?? [];
  const byName = new Map(
    configurations.filter((it) => it.kind === 'Configuration').map((it) => [`${namespaceOf(it)}/${it.name}`, it]),
  );
  const networks = networksOf(parts.bundle, name);
  const given = new Map(networks.flatMap(peerNetwork));
  const peers = [...expected.ends.values()].map((end) =>
    rebuildPeer(
      { ...parts, given },
      { end, expectedConfiguration: byName.get(`${end.names.namespace}/${end.names.configuration}`) },
    ),
  );
  const announces = parts.announced.get(name) ?? NOTHING;
  return {
    name,
    expected,
    own: networks.flatMap(ownNetwork),
    announces,
    blocks: {
      external: expected.own.external.kind === 'auto' ? announces.external[0] : undefined,
      internal: expected.own.internal.kind === 'auto' ? internalOf(parts.bundle, name) : undefined,
    },
    peers: new Map(peers.map((it) => [it.name, it])),
  };
}

const networksOf = (bundle: ReadBundle, cluster: string): readonly KubeObject[] =>
  bundle.objects.get(`${cluster}/expected/networks.yaml`) ?? [];

/** By cluster, its external CIDR in the Configurations that its peers apply. */
function appliedExternals(
  bundle: ReadBundle,
  clusters: Iterable<ExpectedCluster>,
): ReadonlyMap<string, readonly FoundText[]> {
  const externals = new Map<string, FoundText[]>();
  for (const { name, ends } of clusters) {
    for (const peer of ends.keys()) {
      const found = configurationIn(bundle.objects.get(peerFile(name, peer)) ?? []);
      const list = externals.get(peer) ?? [];
      if (found) list.push(...textsAt(found.node, ['spec', 'remote', 'cidr', 'external']).slice(0, 1));
      externals.set(peer, list);
    }
  }
  return externals;
}

const configurationIn = (objects: readonly KubeObject[]): KubeObject | undefined =>
  objects.find((it) => it.kind === 'Configuration');

/** Pod CIDRs are those of the topology. An external CIDR may be carved or moved, so it is read from the files. */
function announcedBy(bundle: ReadBundle, expected: ExpectedCluster, applied: readonly FoundText[]): Announcement {
  const { name, own } = expected;
  const networks = networksOf(bundle, name).flatMap(ownNetwork);
  const pods = networks.filter((it) => it.type === 'pod-cidr');
  const [external] = networks.filter((it) => it.type === 'external-cidr');
  const values = bundle.maps.get(`${name}/helm-values.yaml`);
  const inValues = values && own.external.kind === 'auto' ? [textAt(values, ['ipam', 'externalCIDR'])] : [];
  const found = [...(external ? [external.given] : []), ...inValues, ...applied];
  return {
    pod: own.pods.map((text, i) => ({ text, at: pods[i]?.given.at ?? expected.at })),
    external: expected.retired ? [] : majorityOf(found),
  };
}

/** The internal CIDR is not announced: Helm's values and the Network of the install contain it. */
function internalOf(bundle: ReadBundle, cluster: string): FoundText | undefined {
  const values = bundle.maps.get(`${cluster}/helm-values.yaml`);
  const networks = networksOf(bundle, cluster).flatMap(ownNetwork);
  const given = networks.filter((it) => it.type === 'internal-cidr').flatMap((it) => [it.wanted, it.given]);
  return majorityOf([...given, ...(values ? [textAt(values, ['ipam', 'internalCIDR'])] : [])])[0];
}

/** Networks of the install have a label with their type; those of a peer do not. */
function ownNetwork(object: KubeObject): readonly OwnNetwork[] {
  const { text: type } = textAt(object.node, ['metadata', 'labels', 'ipam.liqo.io/network-type']);
  if (type === undefined) return [];
  const [wanted, given] = [textAt(object.node, ['spec', 'cidr']), textAt(object.node, ['status', 'cidr'])];
  return [{ type, object, wanted, given }];
}

const namespaceOf = ({ node }: KubeObject): string | undefined => textAt(node, ['metadata', 'namespace']).text;

/** A Network of a peer, by its namespace, its kind and its network. */
function peerNetwork(object: KubeObject): readonly (readonly [string, FoundText])[] {
  const { node } = object;
  const [kind, cidr] = [
    textAt(node, ['metadata', 'labels', 'configuration.liqo.io/cidr-type']).text,
    textAt(node, ['spec', 'cidr']).text,
  ];
  if (kind === undefined) return [];
  return [[[namespaceOf(object), kind, cidr].join(' '), textAt(node, ['status', 'cidr'])]];
}

function addressRows({ maps }: ReadBundle): ReadonlyMap<string, FoundText> {
  const file = maps.get('addresses.json');
  const views = file && nodeAt(file, ['views']);
  if (views?.kind !== 'list') return new Map();
  const keyOf = (row: DocumentNode): string =>
    ['cluster', 'peer', 'kind', 'cidr'].map((it) => textAt(row, [it]).text).join(' ');
  return new Map(views.items.map((row) => [keyOf(row), textAt(row, ['seenAs'])]));
}

function portRows({ maps }: ReadBundle): ReadonlyMap<string, FoundText> {
  const file = maps.get('addresses.json');
  const gateways = file && nodeAt(file, ['gateways']);
  if (gateways?.kind !== 'list') return new Map();
  const keyOf = (row: DocumentNode): string => ['cluster', 'peer'].map((it) => textAt(row, [it]).text).join(' ');
  return new Map(gateways.items.map((row) => [keyOf(row), textAt(row, ['port'])]));
}

interface PeerParts extends Parts {
  readonly given: ReadonlyMap<string, FoundText>;
}

interface PeerEnd {
  readonly end: ExpectedEnd;
  readonly expectedConfiguration: KubeObject | undefined;
}

function rebuildPeer(parts: PeerParts, { end, expectedConfiguration }: PeerEnd): RebuiltPeer {
  const { bundle, ports } = parts;
  const { cluster, peer } = end;
  const path = peerFile(cluster, peer);
  const objects = bundle.objects.get(path) ?? [];
  return {
    name: peer,
    names: end.names,
    objects,
    path,
    gateway: objects.find(isGateway),
    endpoint: rebuildEndpoint(end.link, {
      server: gatewayIn(bundle, end.link.server.name, end.link.client.name),
      client: gatewayIn(bundle, end.link.client.name, end.link.server.name),
      rows: [ports.get(`${cluster} ${peer}`), ports.get(`${peer} ${cluster}`)].filter((it) => it !== undefined),
    }),
    configuration: configurationIn(objects),
    expectedConfiguration,
    views: viewsOf(parts, { end, expectedConfiguration }),
    gatewayRules: bundle.rules.get(gatewayRulesFile(cluster, peer)),
    nodeRules: bundle.rules.get(nodeRulesFile(cluster, peer)),
  };
}

const gatewayIn = ({ objects }: ReadBundle, cluster: string, peer: string): KubeObject | undefined =>
  objects.get(peerFile(cluster, peer))?.find(isGateway);

function viewsOf(
  { announced, given, rows }: PeerParts,
  { end, expectedConfiguration }: PeerEnd,
): readonly SeenNetwork[] {
  const { cluster, peer } = end;
  return (['pod', 'external'] as const).flatMap((kind) => {
    const path = ['status', 'remote', 'cidr', kind];
    const seen = expectedConfiguration ? textsAt(expectedConfiguration.node, path) : [];
    return (announced.get(peer) ?? NOTHING)[kind].map((cidr, index): SeenNetwork => {
      const key = [kind, cidr.text].join(' ');
      const missing: FoundText = {
        text: undefined,
        at: expectedConfiguration ? nearestKey(expectedConfiguration.node, path) : cidr.at,
      };
      const configured = seen[index] ?? missing;
      const others = [given.get(`${end.names.namespace} ${key}`), rows.get(`${cluster} ${peer} ${key}`)].filter(
        (it) => it !== undefined,
      );
      const [seenAs = configured] = majorityOf([configured, ...others]);
      return { kind, index, cidr, seenAs, configured };
    });
  });
}

/** True when the cluster remaps some network of the peer: then the order of joining matters. */
export const isRemapped = ({ views }: RebuiltPeer): boolean =>
  views.some((it) => it.cidr.text !== undefined && it.seenAs.text !== undefined && it.cidr.text !== it.seenAs.text);

export const ownOfType = (cluster: RebuiltCluster, type: string): readonly OwnNetwork[] =>
  cluster.own.filter((it) => it.type === type);

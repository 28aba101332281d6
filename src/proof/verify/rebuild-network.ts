import { onceForLast } from '../../base/core/once.ts';
import { type DocumentNode, nodeAt } from '../../base/source/document-node.ts';
import type { Span } from '../../base/source/source.ts';
import type { Expectation, ExpectedCluster, ExpectedEnd } from './expectation.ts';
import type { ExpectedNames } from './expected/names-of-end.ts';
import { type FoundText, type KubeObject, nearestKey, textAt, textsAt } from './kube-object.ts';
import type { NftFile } from './parse-nft.ts';
import type { ReadBundle } from './read-bundle.ts';
import {
  type GatewayFacts,
  gatewayFacts,
  majorityOf,
  type RebuiltEndpoint,
  rebuildEndpoint,
} from './rebuild-endpoint.ts';

/**
 * The network of the files. Every number in it is read from a file; only names are from the topology.
 */
export type RebuiltNetwork = ReadonlyMap<string, RebuiltCluster>;

export interface RebuiltCluster {
  readonly name: string;
  readonly expected: ExpectedCluster;
  /** Its own networks, from the Networks of its install. */
  readonly own: readonly OwnNetwork[];
  /** The CIDRs that its peers must use for it. */
  readonly announces: Announcement;
  /** The carved blocks that the topology requests: the value in most of the files. */
  readonly blocks: { readonly external: FoundText | undefined; readonly internal: FoundText | undefined };
  /** Peers by name, one for each link of the topology. */
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

/** One end of a link: what a cluster has for a peer. Its objects and rules are read when a check asks for them. */
export class RebuiltPeer {
  readonly name: string;
  readonly path: string;
  /** Values of `gateway` that are known without reading its file. */
  readonly gatewayFacts: GatewayFacts | undefined;
  readonly endpoint: RebuiltEndpoint;
  /** Views in the order of the lists: pods, then external. */
  readonly views: readonly SeenNetwork[];
  readonly #bundle: ReadBundle;
  readonly #end: ExpectedEnd;

  constructor(parts: Parts, end: ExpectedEnd) {
    const { cluster, peer } = end;
    this.name = peer;
    this.path = peerFile(cluster, peer);
    this.gatewayFacts = gatewayOf(parts, cluster, peer);
    this.endpoint = endpointOf(parts, end);
    this.views = viewsOf(parts, end);
    this.#bundle = parts.bundle;
    this.#end = end;
  }

  /** The names that the topology requires for its objects. */
  get names(): ExpectedNames {
    return this.#end.names;
  }

  /** The objects that are applied for this peer. */
  get objects(): readonly KubeObject[] {
    return this.#bundle.objects.get(this.path) ?? [];
  }

  get gateway(): KubeObject | undefined {
    return this.objects.find(isGateway);
  }

  get configuration(): KubeObject | undefined {
    return configurationIn(this.objects);
  }

  /** The expected Configuration, with the status that Liqo sets. */
  get expectedConfiguration(): KubeObject | undefined {
    return expectedConfigurationOf(this.#bundle, this.#end);
  }

  get gatewayRules(): NftFile | undefined {
    return this.#bundle.rules.get(gatewayRulesFile(this.#end.cluster, this.name));
  }

  get nodeRules(): NftFile | undefined {
    return this.#bundle.rules.get(nodeRulesFile(this.#end.cluster, this.name));
  }
}

/** A CIDR that the peer announces, and the view that the cluster has of it. */
export interface SeenNetwork {
  readonly kind: 'pod' | 'external';
  readonly index: number;
  readonly cidr: FoundText;
  /** The value in most of the files, so that a single edited file is reported instead of all the others. */
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

/** Collects the data for rebuilding the network, one folder at a time. It keeps places and no documents. */
interface NetworkReader {
  readonly read: (bundle: ReadBundle, folder: string) => void;
  readonly rebuild: (bundle: ReadBundle) => RebuiltNetwork;
}

export function networkReader({ clusters }: Expectation): NetworkReader {
  const kept = textKeeper();
  const facts = new Map<string, ClusterFacts>();
  let rows = NO_ROWS;
  return {
    read: (bundle, folder) => {
      const cluster = clusters.get(folder);
      if (cluster) facts.set(folder, factsOf(bundle, cluster, kept));
      if (folder === '') rows = addressRows(bundle, kept);
    },
    rebuild: (bundle) => rebuildNetwork(clusters, { bundle, facts, rows }),
  };
}

/** The network that follows from what the files contain. */
export function rebuildNetwork(
  clusters: Expectation['clusters'],
  { facts, ...files }: Omit<Parts, 'announced'>,
): RebuiltNetwork {
  const externals = appliedExternals(facts, clusters.values());
  const announced = new Map(
    [...clusters.values()].map((it) => [
      it.name,
      announcedBy(it, facts.get(it.name) ?? NO_FACTS, externals.get(it.name) ?? []),
    ]),
  );
  const parts = { ...files, facts, announced };
  return new Map([...clusters.values()].map((it) => [it.name, rebuildCluster(parts, it)]));
}

/** The contents of one cluster's files that other files are compared with. */
export interface ClusterFacts {
  /** Places of the pod CIDRs in its Networks. */
  readonly podPlaces: readonly Span[];
  readonly externals: readonly FoundText[];
  readonly internals: readonly FoundText[];
  /** Ends of links by peer. */
  readonly ends: ReadonlyMap<string, EndFacts>;
}

export interface EndFacts {
  /** The first external CIDR in the applied Configuration. */
  readonly external: FoundText | undefined;
  readonly gateway: GatewayFacts | undefined;
  /** Views in the expected Configuration, which may be missing. */
  readonly seen: Readonly<Record<NetworkKind, Seen>> | undefined;
  /** Views in the Networks. */
  readonly given: readonly GivenView[];
}

/** The kind and CIDR as one text, and its view. */
type GivenView = readonly [network: string, view: FoundText];

interface Seen {
  readonly found: readonly FoundText[];
  /** The place for further entries. */
  readonly otherwise: Span;
}

type NetworkKind = 'pod' | 'external';

const NO_FACTS: ClusterFacts = { podPlaces: [], externals: [], internals: [], ends: new Map() };

interface Parts {
  readonly bundle: ReadBundle;
  readonly facts: ReadonlyMap<string, ClusterFacts>;
  readonly announced: ReadonlyMap<string, Announcement>;
  readonly rows: AddressRows;
}

/** The rows of `addresses.json`. */
export interface AddressRows {
  /** The views by cluster, peer, kind and network. */
  readonly views: ReadonlyMap<string, FoundText>;
  /** The dialled ports by cluster and peer. */
  readonly ports: ReadonlyMap<string, FoundText>;
}

const NO_ROWS: AddressRows = { views: new Map(), ports: new Map() };

const NOTHING: Announcement = { pod: [], external: [] };

type Keeper = <T extends FoundText | undefined>(found: T) => T;

/** Copies texts, each distinct text once: a text that is cut out of a file would keep the whole file in memory. */
export function textKeeper(): Keeper {
  const copies = new Map<string, string>();
  return (found) => {
    if (found?.text === undefined) return found;
    let copy = copies.get(found.text);
    if (copy === undefined) {
      copy = JSON.parse(JSON.stringify(found.text)) as string;
      copies.set(copy, copy);
    }
    return { ...found, text: copy };
  };
}

export function factsOf(bundle: ReadBundle, expected: ExpectedCluster, kept: Keeper): ClusterFacts {
  const given = givenTo(networksOf(bundle, expected.name));
  return {
    ...ownFacts(bundle, expected, kept),
    ends: new Map([...expected.ends.values()].map((end) => [end.peer, endFacts(bundle, { end, given, kept })])),
  };
}

/** The contents of its files about its own networks. */
export function ownFacts(
  bundle: ReadBundle,
  { name, own: { external } }: ExpectedCluster,
  kept: Keeper,
): Omit<ClusterFacts, 'ends'> {
  const own = ownNetworks(networksOf(bundle, name));
  const ofType = (type: string): readonly OwnNetwork[] => own.filter((it) => it.type === type);
  const values = bundle.maps.get(`${name}/helm-values.yaml`);
  const [found] = ofType('external-cidr');
  const inValues = (key: string): readonly FoundText[] => (values ? [textAt(values, ['ipam', key])] : []);
  return {
    podPlaces: ofType('pod-cidr').map((it) => it.given.at),
    externals: [...(found ? [found.given] : []), ...(external.kind === 'auto' ? inValues('externalCIDR') : [])].map(
      kept,
    ),
    internals: [...ofType('internal-cidr').flatMap((it) => [it.wanted, it.given]), ...inValues('internalCIDR')].map(
      kept,
    ),
  };
}

interface EndFiles {
  readonly end: ExpectedEnd;
  readonly given: ReadonlyMap<string, readonly GivenView[]>;
  readonly kept: Keeper;
}

function endFacts(bundle: ReadBundle, { end, given, kept }: EndFiles): EndFacts {
  const objects = bundle.objects.get(peerFile(end.cluster, end.peer)) ?? [];
  const configuration = configurationIn(objects);
  const gateway = objects.find(isGateway);
  const expected = expectedConfigurationOf(bundle, end);
  const views = given.get(end.names.namespace) ?? [];
  return {
    external: kept(configuration && textsAt(configuration.node, ['spec', 'remote', 'cidr', 'external'])[0]),
    gateway: gateway && keptFacts(gatewayFacts(gateway), kept),
    seen: expected && { pod: seenIn(expected, 'pod', kept), external: seenIn(expected, 'external', kept) },
    given: views.map(([network, it]) => [network, kept(it)] as const),
  };
}

const keptFacts = ({ kind, mtu, port, nodePort, address }: GatewayFacts, kept: Keeper): GatewayFacts => ({
  kind: kept(kind),
  mtu: kept(mtu),
  port: kept(port),
  nodePort: kept(nodePort),
  address: kept(address),
});

function seenIn({ node }: KubeObject, kind: NetworkKind, kept: Keeper): Seen {
  const path = ['status', 'remote', 'cidr', kind];
  return { found: textsAt(node, path).map(kept), otherwise: nearestKey(node, path) };
}

function expectedConfigurationOf(bundle: ReadBundle, { cluster, names }: ExpectedEnd): KubeObject | undefined {
  const objects = bundle.objects.get(`${cluster}/expected/configurations.yaml`);
  return objects && configurationsByName(objects).get(`${names.namespace}/${names.configuration}`);
}

/** The expected Configurations of a cluster by namespace and name. */
const configurationsByName = onceForLast((objects: readonly KubeObject[]): ReadonlyMap<string, KubeObject> => {
  const configurations = objects.filter((it) => it.kind === 'Configuration');
  return new Map(configurations.map((it) => [`${namespaceOf(it)}/${it.name}`, it]));
});

function rebuildCluster(parts: Parts, expected: ExpectedCluster): RebuiltCluster {
  const { name } = expected;
  const { bundle } = parts;
  const facts = parts.facts.get(name) ?? NO_FACTS;
  const announces = parts.announced.get(name) ?? NOTHING;
  return {
    name,
    expected,
    get own() {
      return ownNetworks(networksOf(bundle, name));
    },
    announces,
    blocks: {
      external: expected.own.external.kind === 'auto' ? announces.external[0] : undefined,
      // The internal block is not announced: Helm's values and the Network of the install contain it.
      internal: expected.own.internal.kind === 'auto' ? majorityOf(facts.internals)[0] : undefined,
    },
    peers: peersOf(parts, expected),
  };
}

/**
 * The peers of a cluster. This is not part of `rebuildCluster`, because a closure there would keep all facts in memory:
 * `own` shares its variables.
 */
const peersOf = (parts: Parts, { ends }: ExpectedCluster): RebuiltCluster['peers'] =>
  new Map([...ends.values()].map((end) => [end.peer, new RebuiltPeer(parts, end)]));

const networksOf = (bundle: ReadBundle, cluster: string): readonly KubeObject[] =>
  bundle.objects.get(`${cluster}/expected/networks.yaml`) ?? [];

/** The external CIDR of each cluster in the Configurations that its peers apply. */
function appliedExternals(
  facts: ReadonlyMap<string, ClusterFacts>,
  clusters: Iterable<ExpectedCluster>,
): ReadonlyMap<string, readonly FoundText[]> {
  const externals = new Map<string, FoundText[]>();
  for (const { name, ends } of clusters) {
    for (const peer of ends.keys()) {
      const found = facts.get(name)?.ends.get(peer)?.external;
      const list = externals.get(peer) ?? [];
      if (found) list.push(found);
      externals.set(peer, list);
    }
  }
  return externals;
}

const configurationIn = (objects: readonly KubeObject[]): KubeObject | undefined =>
  objects.find((it) => it.kind === 'Configuration');

/** Pod CIDRs are those of the topology. An external CIDR may be carved or moved, so it is read from the files. */
const announcedBy = (
  { own, at, retired }: ExpectedCluster,
  { podPlaces, externals }: ClusterFacts,
  applied: readonly FoundText[],
): Announcement => ({
  pod: own.pods.map((text, i) => ({ text, at: podPlaces[i] ?? at })),
  external: retired ? [] : majorityOf([...externals, ...applied]),
});

/** Cached for each reading of their file, because every check needs them. */
const ownNetworks = onceForLast((networks: readonly KubeObject[]): readonly OwnNetwork[] =>
  networks.flatMap(ownNetwork),
);

/** Networks of the install have a label with their type; those of a peer do not. */
function ownNetwork(object: KubeObject): readonly OwnNetwork[] {
  const { text: type } = textAt(object.node, ['metadata', 'labels', 'ipam.liqo.io/network-type']);
  if (type === undefined) return [];
  const [wanted, given] = [textAt(object.node, ['spec', 'cidr']), textAt(object.node, ['status', 'cidr'])];
  return [{ type, object, wanted, given }];
}

const namespaceOf = ({ node }: KubeObject): string | undefined => textAt(node, ['metadata', 'namespace']).text;

/** The contents of the peers' Networks, by their namespace. */
function givenTo(networks: readonly KubeObject[]): ReadonlyMap<string, readonly GivenView[]> {
  const given = new Map<string, GivenView[]>();
  for (const object of networks) {
    const { node } = object;
    const kind = textAt(node, ['metadata', 'labels', 'configuration.liqo.io/cidr-type']).text;
    if (kind === undefined) continue;
    const namespace = namespaceOf(object) ?? '';
    const one = [`${kind} ${textAt(node, ['spec', 'cidr']).text}`, textAt(node, ['status', 'cidr'])] as const;
    const known = given.get(namespace);
    if (known) known.push(one);
    else given.set(namespace, [one]);
  }
  return given;
}

export function addressRows({ maps }: ReadBundle, kept: Keeper): AddressRows {
  const file = maps.get('addresses.json');
  if (file === undefined) return NO_ROWS;
  const rowsOf = (list: string, keys: readonly string[], value: string): ReadonlyMap<string, FoundText> => {
    const rows = nodeAt(file, [list]);
    if (rows?.kind !== 'list') return new Map();
    const keyOf = (row: DocumentNode): string => keys.map((it) => textAt(row, [it]).text).join(' ');
    return new Map(rows.items.map((row) => [keyOf(row), kept(textAt(row, [value]))]));
  };
  return {
    views: rowsOf('views', ['cluster', 'peer', 'kind', 'cidr'], 'seenAs'),
    ports: rowsOf('gateways', ['cluster', 'peer'], 'port'),
  };
}

const gatewayOf = ({ facts }: Parts, cluster: string, peer: string): GatewayFacts | undefined =>
  facts.get(cluster)?.ends.get(peer)?.gateway;

function endpointOf(parts: Parts, { cluster, peer, link }: ExpectedEnd): RebuiltEndpoint {
  const { server, client } = link;
  const { ports } = parts.rows;
  return rebuildEndpoint(link, {
    server: gatewayOf(parts, server.name, client.name),
    client: gatewayOf(parts, client.name, server.name),
    rows: [ports.get(`${cluster} ${peer}`), ports.get(`${peer} ${cluster}`)].filter((it) => it !== undefined),
  });
}

function viewsOf({ facts, announced, rows }: Parts, { cluster, peer }: ExpectedEnd): readonly SeenNetwork[] {
  const { seen, given = [] } = facts.get(cluster)?.ends.get(peer) ?? {};
  return (['pod', 'external'] as const).flatMap((kind) =>
    (announced.get(peer) ?? NOTHING)[kind].map((cidr, index): SeenNetwork => {
      const key = [kind, cidr.text].join(' ');
      const missing: FoundText = { text: undefined, at: seen?.[kind].otherwise ?? cidr.at };
      const configured = seen?.[kind].found[index] ?? missing;
      const others = [
        given.findLast(([network]) => network === key)?.[1],
        rows.views.get(`${cluster} ${peer} ${key}`),
      ].filter((it) => it !== undefined);
      const [seenAs = configured] = majorityOf([configured, ...others]);
      return { kind, index, cidr, seenAs, configured };
    }),
  );
}

/** True when the cluster remaps some network of the peer: then the order of joining matters. */
export const isRemapped = ({ views }: RebuiltPeer): boolean =>
  views.some((it) => it.cidr.text !== undefined && it.seenAs.text !== undefined && it.cidr.text !== it.seenAs.text);

export const ownOfType = (cluster: RebuiltCluster, type: string): readonly OwnNetwork[] =>
  cluster.own.filter((it) => it.type === type);

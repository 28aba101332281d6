import { clusterFolderOf, isKustomization, parseBundlePath, printBundlePath } from '../core/bundle-path.ts';
import { parseHeader } from '../core/header.ts';
import { printLockKey } from '../core/lock-key.ts';
import { by, sortedUnique } from '../core/order.ts';
import type { AddressesFile, AddressesView } from '../emit/schema-types.ts';
import {
  type CidrRole,
  type ClusterState,
  type LinkState,
  type NetworkState,
  pairOf,
  type ServiceState,
  type SideState,
  type ViewState,
} from './network-state.ts';
import { listAt, type ManifestLines, readManifestLines } from './read-manifest-lines.ts';

type Files = ReadonlyMap<string, string>;
type Decisions = ReadonlyMap<string, string>;

/**
 * The network that files below `out/` and a lock describe; `undefined` when `addresses.json` is not there or not as weft
 * writes it. No files at all are the empty network.
 */
export function readNetworkState(files: Files, lock: string | null): NetworkState | undefined {
  const addresses = files.size === 0 ? EMPTY : readAddresses(files.get(printBundlePath({ part: 'addresses' })));
  if (addresses === undefined) return undefined;
  const decisions = decisionsIn(lock ?? '');
  const links = readLinks(addresses, files, decisions);
  const clusters = readClusters(addresses, files, decisions);
  return { clusters, links, fleet: readFleet(addresses, files, links) };
}

const EMPTY: AddressesFile = { version: 1, topology: '', views: [], gateways: [] };

function readAddresses(text: string | undefined): AddressesFile | undefined {
  if (text === undefined) return undefined;
  try {
    const value = JSON.parse(text) as Partial<AddressesFile> | null;
    return value?.version === 1 && Array.isArray(value.views) && Array.isArray(value.gateways)
      ? (value as AddressesFile)
      : undefined;
  } catch {
    return undefined;
  }
}

/** The lines of a lock by identity. A lock that two branches broke is told by compile, which reads it first. */
const decisionsIn = (lock: string): Decisions =>
  new Map([...lock.matchAll(/^ {2}([^\s:]+): (\S+)$/gm)].map(([, key = '', value = '']) => [key, value]));

function readClusters(addresses: AddressesFile, files: Files, decisions: Decisions): ReadonlyMap<string, ClusterState> {
  const names = new Set<string>();
  for (const path of files.keys()) {
    const cluster = clusterFolderOf(path);
    if (cluster !== undefined) names.add(cluster);
  }
  const peers = new Map<string, string[]>();
  for (const { cluster, peer } of addresses.gateways) {
    const known = peers.get(cluster);
    if (known) known.push(peer);
    else peers.set(cluster, [peer]);
  }
  return new Map(sortedUnique(names).map((it) => [it, readCluster(it, peers.get(it) ?? [], files, decisions)]));
}

function readCluster(name: string, peers: readonly string[], files: Files, decisions: Decisions): ClusterState {
  const values = files.get(printBundlePath({ part: 'helm-values', cluster: name }));
  const helm = readManifestLines(values ?? '')[0] ?? new Map<string, string>();
  const networks = ownNetworks(files.get(printBundlePath({ part: 'expected', cluster: name, file: 'networks' })) ?? '');
  const of = (type: CidrRole | 'reserved'): readonly string[] =>
    networks
      .filter((it) => it.get(NETWORK_TYPE) === (type === 'reserved' ? type : `${type}-cidr`))
      .map((it) => it.get('status.cidr') ?? '');
  return {
    name,
    retired: values === undefined,
    replacesChangedNetworks: networks.some((it) => it.has(NETWORK_SHARED)),
    namespace: networks[0]?.get('metadata.namespace') ?? null,
    own: { pod: of('pod'), service: of('service'), external: of('external'), internal: of('internal') },
    reserved: of('reserved'),
    pools: listAt(helm, 'ipam.pools'),
    wishes: { external: helm.get('ipam.externalCIDR') ?? null, internal: helm.get('ipam.internalCIDR') ?? null },
    blocks: {
      external: decisions.get(printLockKey({ kind: 'block', cluster: name, block: 'external' })) ?? null,
      internal: decisions.get(printLockKey({ kind: 'block', cluster: name, block: 'internal' })) ?? null,
    },
    peers,
  };
}

const NETWORK_TYPE = 'metadata.labels.ipam.liqo.io/network-type';

/** A label that Liqo knows since 1.2, the first release that replaces Networks. */
const NETWORK_SHARED = 'metadata.labels.ipam.liqo.io/network-shared';

/** The Networks from a cluster's own installation stand first; a hub has thousands of others behind them. */
function ownNetworks(text: string): readonly ManifestLines[] {
  const end = text.indexOf('\n    liqo.io/remote-cluster-id:');
  return readManifestLines(end === -1 ? text : text.slice(0, text.lastIndexOf('\n---\n', end) + 1));
}

function readLinks(
  { views, gateways }: AddressesFile,
  files: Files,
  decisions: Decisions,
): ReadonlyMap<string, LinkState> {
  const rows = new Map<string, AddressesView[]>();
  for (const it of views) {
    const key = `${it.cluster}/${it.peer}`;
    const known = rows.get(key);
    if (known) known.push(it);
    else rows.set(key, [it]);
  }
  const links: LinkState[] = [];
  for (const it of gateways) {
    if (it.role !== 'server') continue;
    const { cluster: server, peer: client, address, port, mtu: mtuBytes } = it;
    const [a, b] = server < client ? [server, client] : [client, server];
    const manifests = new Map(
      [server, client].map((end) => [end, peerManifests(files, end, end === server ? client : server)]),
    );
    const side = (cluster: string, peer: string) =>
      sideOf(cluster, peer, rows.get(`${cluster}/${peer}`) ?? [], manifests.get(cluster) ?? []);
    links.push({
      pair: pairOf(a, b),
      ends: [a, b],
      kind: rows.get(`${server}/${client}`)?.[0]?.link ?? 'peering',
      server,
      client,
      address,
      port,
      mtuBytes,
      join: joinOf(a, b, decisions) ?? joinOf(b, a, decisions),
      service: serviceOf(manifests.get(server) ?? []),
      sides: new Map([
        [a, side(a, b)],
        [b, side(b, a)],
      ]),
    });
  }
  return new Map(links.sort(by((it) => it.pair)).map((it) => [it.pair, it]));
}

/** The place of a link in the order of joining, under one of its two identities. */
const joinOf = (first: string, second: string, decisions: Decisions): number | null =>
  Number(decisions.get(printLockKey({ kind: 'join', link: { first, second } })) ?? Number.NaN) || null;

const peerManifests = (files: Files, cluster: string, peer: string): readonly ManifestLines[] =>
  readManifestLines(files.get(printBundlePath({ part: 'peer', cluster, peer, file: 'manifests' })) ?? '');

function sideOf(
  cluster: string,
  peer: string,
  rows: readonly AddressesView[],
  manifests: readonly ManifestLines[],
): SideState {
  const gateway = manifests.find((it) => /^Gateway(Server|Client)$/.test(it.get('kind') ?? ''));
  const ref = gateway?.get('kind') === 'GatewayServer' ? 'spec.serverTemplateRef' : 'spec.clientTemplateRef';
  const name = gateway?.get(`${ref}.name`);
  return {
    cluster,
    peer,
    template: name === undefined ? null : `${gateway?.get(`${ref}.namespace`) ?? ''}/${name}`,
    keyOfPeer: manifests.find((it) => it.get('kind') === 'PublicKey')?.get('spec.publicKey') ?? null,
    orderDependent: rows.some((it) => it.orderDependent),
    views: rows.map(({ kind, cidr, seenAs, history }): ViewState => ({ kind, cidr, seenAs, history })),
  };
}

function serviceOf(manifests: readonly ManifestLines[]): ServiceState | null {
  const server = manifests.find((it) => it.get('kind') === 'GatewayServer');
  if (server === undefined) return null;
  const endpoint = (field: string): string | undefined => server.get(`spec.endpoint.${field}`);
  const prefix = 'spec.serviceAnnotations.';
  return {
    type: endpoint('serviceType') ?? '',
    port: endpoint('port') ?? '',
    nodePort: endpoint('nodePort') ?? null,
    loadBalancerIP: endpoint('loadBalancerIP') ?? null,
    annotations: sortedUnique(
      [...server]
        .filter(([key]) => key.startsWith(prefix))
        .map(([key, value]) => `${key.slice(prefix.length)}=${value}`),
    ),
  };
}

/** One file of each sort says what all of them say. */
function readFleet(
  addresses: AddressesFile,
  files: Files,
  links: ReadonlyMap<string, LinkState>,
): NetworkState['fleet'] {
  const [link] = links.values();
  const manifests = link === undefined ? [] : peerManifests(files, ...link.ends);
  const gateway = manifests.find((it) => it.has('spec.secretRef.name'));
  const first = [...files].find(([path]) => isListing(path))?.[1] ?? '';
  const shortcuts = [...links.values()].some((it) => it.kind === 'shortcut');
  return {
    name: files.size === 0 ? null : addresses.topology,
    topologyFile: parseHeader(first) ?? null,
    keySecret: gateway?.get('spec.secretRef.name') ?? null,
    emitConnections: link === undefined ? null : manifests.some((it) => it.get('kind') === 'Connection'),
    shortcutOperator: shortcuts ? [...files.keys()].some((it) => parseBundlePath(it)?.part === 'shortcuts') : null,
  };
}

function isListing(path: string): boolean {
  const place = parseBundlePath(path);
  return place !== undefined && isKustomization(place);
}

import { type Span, startOf } from '../../base/source/source.ts';
import type { Expectation, ExpectedCluster, ExpectedEnd } from './expectation.ts';
import type { ExpectedLink } from './expected/expect-links.ts';
import type { FoundText, ScalarType } from './kube-object.ts';
import type { ReadBundle } from './read-bundle.ts';
import { type GatewayFacts, gatewayFacts } from './rebuild-endpoint.ts';
import {
  type AddressRows,
  addressRows,
  type ClusterFacts,
  type EndFacts,
  factsOf,
  isGateway,
  ownFacts,
  peerFile,
  type RebuiltCluster,
  type RebuiltNetwork,
  type RebuiltPeer,
  rebuildNetwork,
  textKeeper,
} from './rebuild-network.ts';

/** A network as `addresses.json` and the topology describe it, before the files of its clusters are read. */
interface AssumedNetwork {
  readonly network: RebuiltNetwork;
  /**
   * True when the files of a cluster contain what was assumed of them, so that they rebuild the same network. Once that is true of
   * all clusters, nothing is assumed any more.
   */
  readonly isAsAssumed: (cluster: ExpectedCluster) => boolean;
}

/**
 * Assumes the network before the files of its clusters are read, so that each of them is read and parsed once: what a cluster is
 * compared with is in the files of its neighbours, which may come later. `undefined` where `addresses.json` lacks a row.
 */
export function assumeNetwork({ clusters }: Expectation, bundle: ReadBundle): AssumedNetwork | undefined {
  const rows = addressRows(bundle, textKeeper());
  const facts = assumedFacts(clusters, { bundle, rows, externals: externalsIn(rows) });
  if (facts === undefined) return undefined;
  const network = rebuildNetwork(clusters, { bundle, facts, rows });
  return {
    network,
    isAsAssumed: (expected) => {
      const cluster = network.get(expected.name);
      return (
        cluster !== undefined &&
        isAsAssumed(
          factsOf(bundle, expected, (it) => it),
          cluster,
          network,
        )
      );
    },
  };
}

interface Assumptions {
  readonly bundle: ReadBundle;
  readonly rows: AddressRows;
  /** The external network of each cluster that a neighbour has a view of. */
  readonly externals: ReadonlyMap<string, string>;
}

function externalsIn({ views }: AddressRows): ReadonlyMap<string, string> {
  const externals = new Map<string, string>();
  for (const key of views.keys()) {
    const [, peer, kind, cidr] = key.split(' ');
    if (kind === 'external' && peer !== undefined && cidr !== undefined) externals.set(peer, cidr);
  }
  return externals;
}

function assumedFacts(
  clusters: Expectation['clusters'],
  assumptions: Assumptions,
): ReadonlyMap<string, ClusterFacts> | undefined {
  const facts = new Map<string, ClusterFacts>();
  for (const cluster of clusters.values()) {
    const ends = new Map<string, EndFacts>();
    for (const end of cluster.ends.values()) {
      const it = assumedEnd(end, clusters.get(end.peer), assumptions);
      if (it === undefined) return undefined;
      ends.set(end.peer, it);
    }
    facts.set(cluster.name, { ...assumedOwn(cluster, assumptions), ends });
  }
  return facts;
}

/** The own networks of a cluster; those that no row contains are read from its files. */
function assumedOwn(cluster: ExpectedCluster, { bundle, externals }: Assumptions): Omit<ClusterFacts, 'ends'> {
  const external = externals.get(cluster.name);
  if (external === undefined || cluster.own.internal.kind === 'auto') return ownFacts(bundle, cluster, textKeeper());
  return { podPlaces: [], externals: [assumedText(external)], internals: [] };
}

function assumedEnd(
  { cluster, peer, role, link }: ExpectedEnd,
  remote: ExpectedCluster | undefined,
  { bundle, rows, externals }: Assumptions,
): EndFacts | undefined {
  const seen = (kind: string, cidr: string): readonly FoundText[] => {
    const view = rows.views.get(`${cluster} ${peer} ${kind} ${cidr}`);
    return view === undefined ? [] : [view];
  };
  const pod = (remote?.own.pods ?? []).flatMap((it) => seen('pod', it));
  const external = seen('external', externals.get(peer) ?? '');
  const port = chosenPort(link, bundle, rows);
  if (pod.length < (remote?.own.pods.length ?? 1) || external.length === 0 || port === undefined) return undefined;
  return {
    external: undefined,
    gateway: assumedGateway(link, role, port),
    seen: { pod: { found: pod, otherwise: NOWHERE }, external: { found: external, otherwise: NOWHERE } },
    given: [],
  };
}

/** The port that the topology sets or weft chose. A row contains another one behind a NAT that maps it. */
function chosenPort(
  { endpoint, ...link }: ExpectedLink,
  bundle: ReadBundle,
  { ports }: AddressRows,
): string | undefined {
  const [server, client] = [link.server.name, link.client.name];
  if (endpoint.port.requested !== null) return String(endpoint.port.requested);
  if (endpoint.mapped === null) return ports.get(`${server} ${client}`)?.text;
  const gateway = bundle.objects.get(peerFile(server, client))?.find(isGateway);
  return gateway && gatewayFacts(gateway)[endpoint.besideNodePort === null ? 'port' : 'nodePort'].text;
}

function assumedGateway({ endpoint, mtuBytes }: ExpectedLink, role: ExpectedEnd['role'], port: string): GatewayFacts {
  const chosen = assumedText(port, 'number');
  const orChosen = (other: number | null): FoundText =>
    other === null ? chosen : assumedText(String(other), 'number');
  const mtu = assumedText(String(mtuBytes), 'number');
  return role === 'client'
    ? {
        ...{ kind: assumedText('GatewayClient'), mtu, port: orChosen(endpoint.mapped), nodePort: NONE },
        address: assumedText(endpoint.address),
      }
    : {
        ...{ kind: assumedText('GatewayServer'), mtu, port: orChosen(endpoint.besideNodePort) },
        nodePort: endpoint.besideNodePort === null ? NONE : chosen,
        address: undefined,
      };
}

/** The place of what is assumed, which no error shows. */
const NOWHERE: Span = startOf({ path: '', text: '' });

const NONE: FoundText = { text: undefined, at: NOWHERE };

const assumedText = (text: string, type?: ScalarType): FoundText =>
  type === undefined ? { text, at: NOWHERE } : { text, at: NOWHERE, type };

function isAsAssumed({ externals, ends }: ClusterFacts, cluster: RebuiltCluster, network: RebuiltNetwork): boolean {
  const { expected, announces, peers } = cluster;
  const [own] = announces.external;
  const isOwn = expected.retired || (externals.length > 0 && externals.every((it) => isSame(it, own)));
  if (!isOwn) return false;
  for (const peer of peers.values()) {
    const [remote] = network.get(peer.name)?.announces.external ?? [];
    if (!isEndAsAssumed(ends.get(peer.name), peer, remote)) return false;
  }
  return true;
}

/** @param remote the external network of the peer */
function isEndAsAssumed(found: EndFacts | undefined, peer: RebuiltPeer, remote: FoundText | undefined): boolean {
  const { gateway, seen, given = [], external = remote } = found ?? {};
  const { gatewayFacts: assumed, views } = peer;
  if (gateway === undefined || assumed === undefined || seen === undefined) return false;
  return (
    isSame(external, remote) &&
    FIELDS.every((it) => isSame(gateway[it], assumed[it])) &&
    views.every(({ kind, index, cidr, configured }) => {
      const view = given.findLast(([it]) => it === `${kind} ${cidr.text}`)?.[1] ?? configured;
      return isSame(seen[kind].found[index], configured) && isSame(view, configured);
    })
  );
}

const FIELDS = ['kind', 'mtu', 'port', 'nodePort', 'address'] as const;

const isSame = (a: FoundText | undefined, b: FoundText | undefined): boolean =>
  a?.text === b?.text && a?.type === b?.type;

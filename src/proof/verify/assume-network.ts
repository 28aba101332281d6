import { type Span, startOf } from '../../base/source/source.ts';
import type { Expectation, ExpectedCluster, ExpectedEnd } from './expectation.ts';
import type { ExpectedLink } from './expected/expect-links.ts';
import type { FoundText, ScalarType } from './kube-object.ts';
import type { ReadBundle } from './read-bundle.ts';
import type { GatewayFacts } from './rebuild-endpoint.ts';
import {
  type AddressRows,
  addressRows,
  type ClusterFacts,
  type EndFacts,
  factsOf,
  type RebuiltCluster,
  type RebuiltNetwork,
  type RebuiltPeer,
  rebuildNetwork,
  textKeeper,
} from './rebuild-network.ts';

/** A network that nothing is known of yet but what `addresses.json` and the topology say. */
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
 * compared with is in the files of its neighbours, which may come later. `undefined` for a network that `addresses.json` does not
 * describe as a whole, by design or by mistake.
 */
export function assumeNetwork({ clusters }: Expectation, bundle: ReadBundle): AssumedNetwork | undefined {
  const rows = addressRows(bundle, textKeeper());
  const assumed = assumedFacts(clusters, rows);
  if (assumed === undefined) return undefined;
  const network = rebuildNetwork(clusters, { bundle, facts: assumed, rows });
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

type Clusters = Expectation['clusters'];

function assumedFacts(clusters: Clusters, rows: AddressRows): ReadonlyMap<string, ClusterFacts> | undefined {
  const externals = externalsIn(rows);
  const facts = new Map<string, ClusterFacts>();
  for (const { name, own, retired, ends } of clusters.values()) {
    // No row contains this block.
    if (own.internal.kind === 'auto') return undefined;
    const external = own.external.cidr ?? externals.get(name);
    if (external === undefined && !retired) return undefined;
    const ofEnds = new Map<string, EndFacts>();
    for (const end of ends.values()) {
      const it = assumedEnd(clusters, rows, end, externals);
      if (it === undefined) return undefined;
      ofEnds.set(end.peer, it);
    }
    const found = external === undefined ? [] : [assumedText(external)];
    facts.set(name, { podPlaces: [], externals: found, internals: [], ends: ofEnds });
  }
  return facts;
}

/** The external network of each cluster that a neighbour has a view of. */
function externalsIn({ views }: AddressRows): ReadonlyMap<string, string> {
  const externals = new Map<string, string>();
  for (const key of views.keys()) {
    const [, peer, kind, cidr] = key.split(' ');
    if (kind === 'external' && peer !== undefined && cidr !== undefined) externals.set(peer, cidr);
  }
  return externals;
}

function assumedEnd(
  clusters: Clusters,
  { views, ports }: AddressRows,
  { cluster, peer, role, link }: ExpectedEnd,
  externals: ReadonlyMap<string, string>,
): EndFacts | undefined {
  const remote = clusters.get(peer);
  const external = remote?.own.external.cidr ?? externals.get(peer);
  if (remote === undefined || external === undefined) return undefined;
  const seen = (kind: string, cidr: string): FoundText | undefined => views.get(`${cluster} ${peer} ${kind} ${cidr}`);
  const pod = remote.own.pods.flatMap((it) => seen('pod', it) ?? []);
  const other = seen('external', external);
  const port = ports.get(`${link.server.name} ${link.client.name}`);
  const gateway = assumedGateway(link, role, port);
  if (pod.length < remote.own.pods.length || other === undefined || gateway === undefined) return undefined;
  const inConfiguration = { pod: { found: pod, otherwise: NOWHERE }, external: { found: [other], otherwise: NOWHERE } };
  return { external: undefined, gateway, seen: inConfiguration, given: [] };
}

/** @param row the dialled port in `addresses.json` */
function assumedGateway(
  link: ExpectedLink,
  role: ExpectedEnd['role'],
  row: FoundText | undefined,
): GatewayFacts | undefined {
  const { endpoint, mtuBytes } = link;
  const { requested, kept } = endpoint.port;
  const chosen = endpoint.mapped === null ? (requested ?? row?.text) : (requested ?? kept);
  if (chosen === undefined || chosen === null) return undefined;
  const listens = assumedText(String(chosen), 'number');
  const asPort = (port: number | null): FoundText => (port === null ? listens : assumedText(String(port), 'number'));
  const mtu = assumedText(String(mtuBytes), 'number');
  if (role === 'client') {
    const kind = assumedText('GatewayClient');
    const address = assumedText(endpoint.address);
    return { kind, mtu, port: asPort(endpoint.mapped), nodePort: NONE, address };
  }
  const nodePort = endpoint.besideNodePort === null ? NONE : listens;
  const kind = assumedText('GatewayServer');
  return { kind, mtu, port: asPort(endpoint.besideNodePort), nodePort, address: undefined };
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

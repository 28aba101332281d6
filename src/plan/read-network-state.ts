import { by, groupBy, inOrder } from '../base/core/collections.ts';
import { decisionLines, parseLockLines, printLinkId, printLockKey } from '../base/core/lock-key.ts';
import type { AddressesFile, AddressesView } from '../base/schema-types/addresses.ts';
import { type Decisions, type Folders, NO_MANIFESTS, type SideFacts } from './folder-state.ts';
import { type LinkState, type NetworkState, pairOf, type SideState, type ViewState } from './network-state.ts';
import { readClusterStates } from './read-cluster-states.ts';
import { type NamedSecret, usualSecret, withUsualSecret } from './read-names-state.ts';
import { readSharingState } from './read-sharing-state.ts';

interface NetworkFiles {
  /** `null` without any files. */
  readonly addresses: AddressesFile | null;
  readonly lock: string | null;
  readonly folders: Folders;
}

/** The network that files below `out/` and a lock describe; empty without any files. */
export function readNetworkState({ addresses, lock, folders }: NetworkFiles): NetworkState {
  const rows = addresses ?? EMPTY;
  // An earlier step of compile reads the lock and reports a broken one.
  const decisions = parseLockLines(decisionLines(lock ?? ''));
  const { links, keySecret } = readLinkStates(rows, folders, decisions);
  return {
    clusters: readClusterStates(rows, folders, decisions),
    links,
    sharing: readSharingState(folders),
    fleet: { name: addresses === null ? null : addresses.topology, keySecret, ...readFleet(folders, links) },
  };
}

const EMPTY: AddressesFile = { version: 1, topology: '', views: [], gateways: [] };

/** Reads the settings of the fleet. One file of each kind is enough, because all of them agree. */
function readFleet(
  folders: Folders,
  links: ReadonlyMap<string, LinkState>,
): Omit<NetworkState['fleet'], 'name' | 'keySecret'> {
  const [link] = links.values();
  const all = [...folders.values()];
  const shortcuts = [...links.values()].some((it) => it.kind === 'shortcut');
  return {
    topologyFile: all.find((it) => it.topologyFile !== undefined)?.topologyFile ?? null,
    emitConnections: link === undefined ? null : sideFactsIn(folders)(...link.ends).hasConnection,
    shortcutOperator: shortcuts ? all.some((it) => it.hasShortcuts) : null,
    tools: {
      argo: all.find((it) => it.tools.argo !== null)?.tools.argo ?? null,
      flux: all.find((it) => it.tools.flux !== null)?.tools.flux ?? null,
    },
  };
}

function readLinkStates(
  { views, gateways }: AddressesFile,
  folders: Folders,
  decisions: Decisions,
): { readonly links: ReadonlyMap<string, LinkState>; readonly keySecret: string | null } {
  const rows = groupBy(views, (it) => [sideKey(it.cluster, it.peer)]);
  const links: LinkState[] = [];
  const factsOf = sideFactsIn(folders);
  for (const it of gateways) {
    if (it.role !== 'server') continue;
    const { cluster: server, peer: client, address, port, mtu: mtuBytes } = it;
    const [a, b] = inOrder(server, client);
    const side = (cluster: string, peer: string) =>
      readSide(cluster, peer, rows.get(sideKey(cluster, peer)) ?? [], factsOf(cluster, peer));
    links.push({
      pair: pairOf(a, b),
      ends: [a, b],
      kind: rows.get(sideKey(server, client))?.[0]?.link ?? 'peering',
      server,
      client,
      address,
      port,
      mtuBytes,
      join: joinOf(a, b, decisions) ?? joinOf(b, a, decisions),
      service: factsOf(server, client).service,
      sides: new Map([
        [a, side(a, b)],
        [b, side(b, a)],
      ]),
    });
  }
  const keySecret = usualSecret(links.flatMap((it) => [...it.sides.values()]).flatMap(namedSecret));
  const named = links.sort(by((it) => it.pair)).map((it) => ({ ...it, sides: new Map([...it.sides].map(usually)) }));
  return { links: new Map(named.map((it) => [it.pair, it])), keySecret };

  function usually([end, it]: readonly [string, SideState]): readonly [string, SideState] {
    return [end, { ...it, names: withUsualSecret(it.names, it.peer, keySecret) }];
  }
}

const namedSecret = ({ peer, names: { secret } }: SideState): readonly NamedSecret[] =>
  secret === null ? [] : [{ peer, secret }];

/** One end of a link, as a key. */
const sideKey = (cluster: string, peer: string): string => printLinkId({ first: cluster, second: peer });

/** The join number of a link, under one of its two identities. */
const joinOf = (first: string, second: string, decisions: Decisions): number | null =>
  Number(decisions.get(printLockKey({ kind: 'join', link: { first, second } })) ?? Number.NaN) || null;

/** The facts in the manifests of one end, from the folder of its cluster. */
function sideFactsIn(folders: Folders): (cluster: string, peer: string) => SideFacts {
  const known = new Map<string, ReadonlyMap<string, SideFacts>>();
  return (cluster, peer) => {
    const sides = known.get(cluster) ?? new Map(folders.get(cluster)?.sides);
    known.set(cluster, sides);
    return sides.get(peer) ?? NO_MANIFESTS;
  };
}

const readSide = (
  cluster: string,
  peer: string,
  rows: readonly AddressesView[],
  { template, names, keyOfPeer }: SideFacts,
): SideState => ({
  cluster,
  peer,
  template,
  names,
  keyOfPeer,
  orderDependent: rows.some((it) => it.orderDependent),
  views: rows.map(({ kind, cidr, seenAs, history }): ViewState => ({ kind, cidr, seenAs, history })),
});

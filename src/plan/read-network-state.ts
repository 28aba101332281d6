import { decisionLines, parseLockLines } from '../base/core/lock-line.ts';
import type { AddressesFile } from '../base/schema-types/addresses.ts';
import type { LinkState, NetworkState } from './network-state.ts';
import { readClusterStates } from './read-cluster-states.ts';
import { readLinkStates, sideFactsIn } from './read-link-states.ts';
import { readSharingState } from './read-sharing-state.ts';
import type { Folders } from './state-texts.ts';

interface NetworkFiles {
  /** `null` without any files. */
  readonly addresses: AddressesFile | null;
  readonly lock: string | null;
  readonly folders: Folders;
}

/** The network that files below `out/` and a lock describe. No files at all are the empty network. */
export function readNetworkState({ addresses, lock, folders }: NetworkFiles): NetworkState {
  const rows = addresses ?? EMPTY;
  // Compile reads the lock first and reports a broken one.
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

/** One file of each kind is enough, since all of them agree. */
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

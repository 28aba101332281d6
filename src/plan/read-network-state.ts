import { isKustomization, parseBundlePath, printBundlePath } from '../core/bundle-path.ts';
import { parseHeader } from '../core/header.ts';
import { decisionLines, parseLockLines } from '../core/lock-line.ts';
import { validateAddresses } from '../generated/validators.js';
import type { AddressesFile } from '../schema-types/addresses.ts';
import type { LinkState, NetworkState } from './network-state.ts';
import { readClusterStates } from './read-cluster-states.ts';
import { peerManifests, readLinkStates } from './read-link-states.ts';
import { readSharingState } from './read-sharing-state.ts';
import type { Files } from './state-texts.ts';

/**
 * The network that files below `out/` and a lock describe; `undefined` when `addresses.json` is missing or does not
 * follow its schema. No files at all are the empty network.
 */
export function readNetworkState(files: Files, lock: string | null): NetworkState | undefined {
  const addresses = files.size === 0 ? EMPTY : readAddresses(files.get(printBundlePath({ part: 'addresses' })));
  if (addresses === undefined) return undefined;
  // Compile reads the lock first and reports a broken one.
  const decisions = parseLockLines(decisionLines(lock ?? ''));
  const { links, keySecret } = readLinkStates(addresses, files, decisions);
  const clusters = readClusterStates(addresses, files, decisions);
  return {
    clusters,
    links,
    sharing: readSharingState(files),
    fleet: readFleet(addresses, files, { links, keySecret }),
  };
}

const EMPTY: AddressesFile = { version: 1, topology: '', views: [], gateways: [] };

function readAddresses(text: string | undefined): AddressesFile | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return validateAddresses(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** One file of each kind is enough, since all of them agree. */
function readFleet(
  addresses: AddressesFile,
  files: Files,
  { links, keySecret }: { readonly links: ReadonlyMap<string, LinkState>; readonly keySecret: string | null },
): NetworkState['fleet'] {
  const [link] = links.values();
  const manifests = link === undefined ? [] : peerManifests(files, ...link.ends);
  const first = [...files].find(([path]) => isListing(path))?.[1] ?? '';
  const parts = new Set([...files.keys()].filter((it) => it.startsWith('_')).map((it) => parseBundlePath(it)?.part));
  const shortcuts = [...links.values()].some((it) => it.kind === 'shortcut');
  return {
    name: files.size === 0 ? null : addresses.topology,
    topologyFile: parseHeader(first) ?? null,
    keySecret,
    emitConnections: link === undefined ? null : manifests.some((it) => it.get('kind') === 'Connection'),
    shortcutOperator: shortcuts ? [...files.keys()].some((it) => parseBundlePath(it)?.part === 'shortcuts') : null,
    tools: { argo: parts.has('argocd'), flux: parts.has('flux') || parts.has('flux-cluster') },
  };
}

function isListing(path: string): boolean {
  const place = parseBundlePath(path);
  return place !== undefined && isKustomization(place);
}

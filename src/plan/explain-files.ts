import type { Difference } from './change.ts';
import { type NetworkState, pairOf } from './network-state.ts';

/** One file that differs. */
export interface FileChange {
  readonly path: string;
  readonly change: 'add' | 'change' | 'remove';
  readonly before: string | null;
  readonly after: string | null;
}

/** What a path is about. */
interface FilePlace {
  readonly path: string;
  /** A cluster, `_argocd`, `_flux` or `addresses.json`. */
  readonly top: string;
  readonly part:
    | 'kustomization'
    | 'peer'
    | 'nft'
    | 'node-nft'
    | 'templates'
    | 'shortcuts'
    | 'expected'
    | 'helm-values'
    | 'unordered'
    | 'other';
  /** For parts that are about one peer. */
  readonly peer: string | null;
}

/**
 * The differences that reach into a file. Narrow on purpose: a file that changed and that nothing here claims is told as
 * such, and a test holds every edit of a topology to none of those.
 */
export function claimsOf<T extends Difference>(
  differences: readonly T[],
  shortcuts: ReadonlySet<string>,
): (path: string) => readonly T[] {
  const byTop = new Map<string, T[]>();
  const anywhere: T[] = [];
  for (const it of differences) {
    const tops = topsOf(it, shortcuts);
    if (tops === null) anywhere.push(it);
    for (const top of new Set(tops)) {
      const known = byTop.get(top);
      if (known) known.push(it);
      else byTop.set(top, [it]);
    }
  }
  return (path) => {
    const place = placeOf(path);
    return [...(byTop.get(place.top) ?? []), ...anywhere].filter((it) => reaches(it, place, shortcuts));
  };
}

/** The pairs that a shortcut joins, before or after: what changes for them stands in the folders of their hubs, too. */
export const shortcutPairs = (...networks: readonly NetworkState[]): ReadonlySet<string> =>
  new Set(
    networks.flatMap(({ links }) => [...links.values()].filter((it) => it.kind === 'shortcut').map((it) => it.pair)),
  );

const joins = (it: Difference, shortcuts: ReadonlySet<string>): boolean =>
  'ends' in it ? shortcuts.has(it.ends.join('/')) : 'peer' in it && shortcuts.has(pairOf(it.cluster, it.peer));

const OF_GATEWAYS: readonly FilePlace['part'][] = ['expected', 'templates', 'kustomization', 'unordered'];

const ENTRY_POINTS = ['_argocd', '_flux'];

/** The folders a difference can reach into; `null` for all. */
function topsOf(it: Difference, shortcuts: ReadonlySet<string>): readonly string[] | null {
  switch (it.kind) {
    case 'link-added':
    case 'link-removed':
      return it.link.kind === 'shortcut' ? null : [...it.link.ends, 'addresses.json', ...ENTRY_POINTS];
    case 'setting-changed':
    case 'gitops-changed':
    case 'files-changed':
      return null;
    case 'cluster-renamed':
      return [it.from, it.cluster, ...it.peers, 'addresses.json', ...ENTRY_POINTS];
    case 'lock-changed':
      return [];
    default:
      if (joins(it, shortcuts)) return null;
      if ('ends' in it) return [...it.ends, 'addresses.json'];
      if ('peer' in it) return [it.cluster, it.peer, 'addresses.json'];
      return [it.cluster, 'addresses.json', ...ENTRY_POINTS];
  }
}

function reaches(it: Difference, place: FilePlace, shortcuts: ReadonlySet<string>): boolean {
  const { top, part, peer, path } = place;
  const isInHub = joins(it, shortcuts) && isAboutShortcuts(place);
  const isEntryPoint = ENTRY_POINTS.includes(top);
  const isAddresses = top === 'addresses.json';
  switch (it.kind) {
    case 'cluster-added':
    case 'cluster-removed':
    case 'cluster-retired':
    case 'cluster-returned':
      return top === it.cluster || isEntryPoint;
    case 'cluster-renamed':
      return top === it.cluster || top === it.from || isEntryPoint || isAddresses || it.peers.includes(top);
    case 'link-added':
    case 'link-removed': {
      if (isAddresses) return true;
      if (it.link.kind === 'shortcut' && isAboutShortcuts(place)) return true;
      if (!isEnd(it.link.ends, top)) return false;
      return peer === null ? part !== 'helm-values' && part !== 'other' : isEnd(it.link.ends, peer);
    }
    case 'link-kind-changed':
      return isAddresses || isInHub;
    case 'role-changed':
      if (isAddresses || isInHub) return true;
      return (
        isEnd(it.ends, top) && (part === 'peer' ? peer !== null && isEnd(it.ends, peer) : OF_GATEWAYS.includes(part))
      );
    case 'port-changed':
    case 'address-changed':
    case 'service-changed':
    case 'mtu-changed':
      if (isAddresses || isInHub) return true;
      return (
        isEnd(it.ends, top) &&
        (part === 'peer' ? peer !== null && isEnd(it.ends, peer) : part === 'expected' || part === 'templates')
      );
    case 'template-changed':
      return (
        (top === it.cluster &&
          (part === 'peer'
            ? peer === it.peer
            : part === 'templates' || part === 'kustomization' || part === 'unordered')) ||
        isInHub
      );
    case 'template-edited':
      return top === it.cluster && (part === 'templates' || part === 'kustomization' || part === 'unordered');
    case 'view-moved':
      if (isAddresses || isInHub) return true;
      return (
        top === it.cluster && (part === 'expected' || ((part === 'nft' || part === 'node-nft') && peer === it.peer))
      );
    case 'announced-changed':
      if (isAddresses) return true;
      return top === it.cluster && (part === 'expected' || (peer === it.peer && part !== 'templates'));
    case 'history-changed':
      return isAddresses;
    case 'block-carved':
    case 'block-returned':
      return top === it.cluster && part === 'helm-values';
    case 'own-cidr-changed':
      return (
        top === it.cluster &&
        (part === 'helm-values' || part === 'node-nft' || path.endsWith('/expected/networks.yaml'))
      );
    case 'reservation-changed':
      return top === it.cluster && (part === 'helm-values' || path.endsWith('/expected/networks.yaml'));
    case 'key-added':
    case 'key-changed':
    case 'key-removed':
      return top === it.peer && part === 'peer' && peer === it.cluster;
    case 'release-changed':
      return top === it.cluster;
    case 'order-changed':
      if (isAddresses || isEntryPoint) return true;
      return top === it.cluster && part !== 'helm-values' && part !== 'nft' && part !== 'node-nft';
    case 'setting-changed':
      return settingReaches(it, place);
    case 'gitops-changed':
    case 'files-changed':
      return it.paths.includes(path);
    case 'lock-changed':
      return false;
  }
}

function settingReaches(
  { cluster, setting }: Extract<Difference, { kind: 'setting-changed' }>,
  place: FilePlace,
): boolean {
  const { top, part, path } = place;
  switch (setting) {
    case 'name':
      return top === 'addresses.json' || ENTRY_POINTS.includes(top);
    case 'keys.secretName':
      return part === 'peer';
    case 'liqo.emitConnections':
      return part === 'peer' || path.endsWith('/expected/connections.yaml');
    case 'liqo.shortcutOperator':
      return isAboutShortcuts(place) || part === 'kustomization' || part === 'unordered' || ENTRY_POINTS.includes(top);
    case 'liqo.namespace':
      return top === cluster || isAboutShortcuts(place) || ENTRY_POINTS.includes(top);
    case 'ipam.pools':
    case 'externalCIDR':
    case 'internalCIDR':
      return top === cluster && (part === 'helm-values' || path.endsWith('/expected/networks.yaml'));
    default:
      return true; // The topology's file name stands in the first line of every file.
  }
}

/** Objects of the fork in a hub: their names and statuses hang on all shortcuts of that hub. */
const isAboutShortcuts = ({ part, path }: FilePlace): boolean =>
  part === 'shortcuts' ||
  path.endsWith('/expected/foreignclusterconnections.yaml') ||
  (part === 'kustomization' && !path.includes('/peers/'));

const isEnd = (ends: readonly [string, string], name: string): boolean => ends[0] === name || ends[1] === name;

function placeOf(path: string): FilePlace {
  const [top = '', second = '', third = '', ...rest] = path.split('/');
  const of = (part: FilePlace['part'], peer: string | null = null): FilePlace => ({ path, top, part, peer });
  const stem = (name: string): string => name.replace(/\.nft$/, '');
  if (second === 'kustomization.yaml') return of('kustomization');
  if (second === 'helm-values.yaml') return of('helm-values');
  if (second === 'peers') return of('peer', third);
  if (second === 'nftables' && third === 'nodes') return of('node-nft', stem(rest[0] ?? ''));
  if (second === 'nftables') return of('nft', stem(third));
  if (second === 'gateway-templates') return of('templates');
  if (second === 'shortcuts' || second === 'expected' || second === 'unordered') return of(second);
  return of('other');
}

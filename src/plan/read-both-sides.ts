import { addAll, by, byCodeUnit, groupBy, inOrder } from '../base/core/collections.ts';
import { decisionLines, parseLockLines, printLockKey } from '../base/core/lock-key.ts';
import { TEMPLATE_SETTINGS } from '../base/releases/gateways.ts';
import { VIEW_ANNOTATIONS } from '../base/releases/labels.ts';
import { HEALTH_CHECK_CONTAINER } from '../base/releases/platforms.ts';
import type { AddressesFile, AddressesView } from '../base/schema-types/addresses.ts';
import { sameDocuments } from '../base/source/read-yaml-documents.ts';
import { boundaryValues } from './compare-boundaries.ts';
import type { ValueChange } from './difference.ts';
import {
  type Decisions,
  type Files,
  type FolderState,
  type Folders,
  type NamedSecret,
  NO_MANIFESTS,
  type SideFacts,
  usualSecret,
  withUsualSecret,
} from './folder-state.ts';
import { type LinkState, type NetworkState, pairOf, type SideState, type ViewState } from './network-state.ts';
import { gatewayText } from './plan-context.ts';
import { type FileChange, isPart, isPolicy, isProber, isTemplate, planFile } from './plan-file.ts';
import type { PlanState } from './plan-state.ts';
import { imagesIn, readClusterStates } from './read-cluster-states.ts';
import { readFolderState } from './read-folder-state.ts';
import { type ManifestLines, readManifestLines } from './read-manifest-lines.ts';
import { readSharingState } from './read-sharing-state.ts';

/** The content of one side. */
interface Side extends Pick<PlanState, 'lock' | 'known'> {
  readonly network: NetworkState;
}

export interface BothSides {
  readonly before: Side;
  readonly after: Side;
  /** The files that differ, by path. */
  readonly files: readonly FileChange[];
}

/**
 * Reads the networks of both sides in one walk through their folders, which is most of the work of a plan: each folder
 * is read and printed once, equal parts of both sides are parsed once, and no text is kept.
 */
export function readBothSides(before: PlanState, after: PlanState): BothSides {
  const [was, is] = [new Map<string, FolderState>(), new Map<string, FolderState>()];
  const files: FileChange[] = [];
  for (const folder of new Set([...before.files.folders, ...after.files.folders])) {
    const [old, now] = [before.files.inFolder(folder), after.files.inFolder(folder)];
    const changes = old === now ? [] : changedFiles(old, now);
    addAll(files, changes);
    const state = now.size === 0 ? undefined : readFolderState(folder, now);
    if (state !== undefined) is.set(folder, state);
    const earlier = changes.length === 0 || old.size === 0 ? state : readFolderState(folder, old);
    if (earlier !== undefined && old.size > 0) was.set(folder, earlier);
  }
  return {
    before: sideOf(before, was),
    after: sideOf(after, is),
    files: files.sort(by((it) => it.path)),
  };
}

/** One side, in its own order, because the first file with a header is used. */
function sideOf(state: PlanState, states: ReadonlyMap<string, FolderState>): Side {
  const folders = new Map<string, FolderState>();
  for (const it of state.files.folders) {
    const folder = states.get(it);
    if (folder !== undefined) folders.set(it, folder);
  }
  return { lock: state.lock, known: state.known, network: readNetworkState({ ...state, folders }) };
}

function changedFiles(before: Files, after: Files): readonly FileChange[] {
  const changes: FileChange[] = [];
  for (const [path, text] of after) {
    const was = before.get(path);
    if (was === undefined) changes.push({ path, change: 'add', ...changedValues(path, null, text) });
    else if (was !== text)
      changes.push({ path, change: 'change', ...(onlyIn(path, was, text) ?? changedValues(path, was, text)) });
  }
  for (const [path, text] of before)
    if (!after.has(path)) changes.push({ path, change: 'remove', ...changedValues(path, text, null) });
  return changes;
}

/** The changed values of a template and the images of a prober, computed immediately because no text is kept. */
function changedValues(path: string, was: string | null, is: string | null): Pick<FileChange, 'values'> {
  const file = planFile(path);
  if (isTemplate(file)) return { values: templateValues(was, is) };
  if (isPolicy(file) || isPart(file, 'peer')) return { values: boundaryValues(was, is) };
  return isProber(file) ? { values: imagesOfProber(was, is) } : {};
}

function imagesOfProber(was: string | null, is: string | null): readonly ValueChange[] {
  const [from, to] = [was, is].map((it) => imagesIn(it ?? '').join(', '));
  return from === '' && to === '' ? [] : [{ what: 'image', from: from || null, to: to || null }];
}

function onlyIn(path: string, was: string, is: string): Pick<FileChange, 'onlyLayout' | 'onlyToolAnnotations'> | null {
  const isSame = (a: string, b: string): boolean => sameDocuments({ path, text: a }, { path, text: b });
  if (isSame(was, is)) return { onlyLayout: true };
  if (planFile(path).cluster === null) return null;
  const [shortWas, shortIs] = [was, is].map((it) => it.replace(TOOL_ANNOTATION, ''));
  const isShorter = shortWas !== was || shortIs !== is;
  return isShorter && isSame(shortWas ?? '', shortIs ?? '') ? { onlyToolAnnotations: true } : null;
}

/** Not those that decide whether an object is deleted or changed. */
const TOOL_ANNOTATIONS = [
  ...Object.values(VIEW_ANNOTATIONS),
  'argocd.argoproj.io/compare-options',
  'argocd.argoproj.io/sync-wave',
];

const TOOL_ANNOTATION = new RegExp(`^ *(${TOOL_ANNOTATIONS.join('|')}): .*\\n`, 'gm');

interface NetworkFiles {
  /** `null` without any files. */
  readonly addresses: AddressesFile | null;
  readonly lock: string | null;
  readonly folders: Folders;
}

/** The network that files below `out/` and a lock describe; empty without any files. */
function readNetworkState({ addresses, lock, folders }: NetworkFiles): NetworkState {
  const rows = addresses ?? EMPTY;
  // An earlier step of compile reads the lock and reports a broken one.
  const decisions = parseLockLines(decisionLines(lock ?? ''));
  const { links, ...keys } = readLinkStates(rows, folders, decisions);
  return {
    clusters: readClusterStates(rows, folders, decisions),
    links,
    sharing: readSharingState(folders),
    fleet: { name: addresses === null ? null : addresses.topology, ...keys, ...readFleet(folders, links) },
  };
}

const EMPTY: AddressesFile = { version: 1, topology: '', views: [], gateways: [] };

/** Reads the settings of the fleet. One file of each kind is enough, because all of them agree. */
function readFleet(
  folders: Folders,
  links: ReadonlyMap<string, LinkState>,
): Omit<NetworkState['fleet'], 'name' | keyof KeysState> {
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

type KeysState = Pick<NetworkState['fleet'], 'keySecret' | 'keySource' | 'keyStore'>;

function readLinkStates(
  { views, gateways }: AddressesFile,
  folders: Folders,
  decisions: Decisions,
): { readonly links: ReadonlyMap<string, LinkState> } & KeysState {
  const rows = groupBy(views, (it) => [gatewayText(it.cluster, it.peer)]);
  const links: LinkState[] = [];
  const factsOf = sideFactsIn(folders);
  for (const it of gateways) {
    if (it.role !== 'server') continue;
    const { cluster: server, peer: client, address, port, mtu: mtuBytes } = it;
    const [a, b] = inOrder(server, client);
    const side = (cluster: string, peer: string) =>
      readSide(cluster, peer, rows.get(gatewayText(cluster, peer)) ?? [], factsOf(cluster, peer));
    links.push({
      pair: pairOf(a, b),
      ends: [a, b],
      kind: rows.get(gatewayText(server, client))?.[0]?.link ?? 'peering',
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
  // Only an end with a gateway has a template.
  const gatewaySides = links.flatMap((it) => [...it.sides.values()]).filter((it) => it.template !== null);
  const secrets = gatewaySides.flatMap(namedSecret);
  const keySecret = usualSecret(secrets);
  const [keyStore = null] = gatewaySides.flatMap(({ cluster, peer }) => {
    const store = factsOf(cluster, peer).keyStore;
    return store === null ? [] : [store.replaceAll(cluster, '{cluster}').replaceAll(peer, '{peer}')];
  });
  const keySource =
    gatewaySides.length === 0 ? null : secrets.length === 0 ? 'liqo' : keyStore === null ? 'provided' : 'external';
  const named = links.sort(by((it) => it.pair)).map((it) => ({ ...it, sides: new Map([...it.sides].map(usually)) }));
  return { links: new Map(named.map((it) => [it.pair, it])), keySecret, keySource, keyStore };

  function usually([end, it]: readonly [string, SideState]): readonly [string, SideState] {
    return [end, { ...it, names: withUsualSecret(it.names, it.peer, keySecret) }];
  }
}

const namedSecret = ({ peer, names: { secret } }: SideState): readonly NamedSecret[] =>
  secret === null ? [] : [{ peer, secret }];

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
  { template, names, nextSecret, keyOfPeer }: SideFacts,
): SideState => ({
  cluster,
  peer,
  template,
  names,
  nextSecret,
  keyOfPeer,
  orderDependent: rows.some((it) => it.orderDependent),
  views: rows.map(({ kind, cidr, seenAs, history }): ViewState => ({ kind, cidr, seenAs, history })),
});

/**
 * The differences between two texts of a gateway template, those about the placement of its pods first. Images are left
 * out, because they are a change of their own. For a new or removed template, only the placement: the rest is the
 * chart's, or follows from other settings.
 */
function templateValues(was: string | null, is: string | null): readonly ValueChange[] {
  const [before, after] = [valuesOf(was ?? ''), valuesOf(is ?? '')];
  const isEdited = was !== null && is !== null;
  const names = [...new Set([...before.keys(), ...after.keys()])].filter(
    (it) => isEdited || rankOf(it) < PLACEMENT.length,
  );
  return names
    .sort((a, b) => rankOf(a) - rankOf(b) || byCodeUnit(a, b))
    .map((what) => ({ what, from: before.get(what) ?? null, to: after.get(what) ?? null }))
    .filter(({ what, from, to }) => from !== to && (isEdited || what !== 'replicas' || (from ?? to) !== '1'));
}

/** Settings of pods, by the field that has them. */
const PLACEMENT = Object.entries(TEMPLATE_SETTINGS).flatMap(([key, of]) => (of === 'pods' ? [key] : []));

function rankOf(what: string): number {
  const found = PLACEMENT.findIndex((it) => what === it || what.startsWith(`${it} `));
  return found === -1 ? PLACEMENT.length : found;
}

const DEPLOYMENT = 'spec.template.spec.deployment.spec.';
const POD = `${DEPLOYMENT}template.spec.`;

/** Values by short names, which do not depend on positions in lists. Equal values of several places are one value. */
function valuesOf(text: string): ReadonlyMap<string, string> {
  const [lines = new Map<string, string>()] = readManifestLines(text);
  const values = new Map<string, string[]>();
  const add = (what: string, value: string): void => {
    const known = values.get(what) ?? [];
    if (!known.includes(value)) values.set(what, [...known, value]);
  };
  for (const [path, value] of lines) {
    if (isComparedAsImage(path, value) || path.startsWith(TOLERATIONS)) continue;
    const [what, shown] = namedValue(lines, path, value);
    add(what, shown);
  }
  for (const it of tolerationsIn(lines)) add('tolerations', it);
  return new Map([...values].map(([what, all]) => [what, all.join(', ')]));
}

/** True for what `images-changed` reports; the chart's own container has an image that belongs to no release. */
const isComparedAsImage = (path: string, value: string): boolean =>
  path.endsWith('.image') && value !== HEALTH_CHECK_CONTAINER.image;

const TOLERATIONS = `${POD}tolerations.`;

/** Tolerations as text, such as `key=dedicated operator=Exists`; an empty one, which tolerates everything, is `{}`. */
function tolerationsIn(lines: ManifestLines): readonly string[] {
  const fields = [...lines].filter(([path]) => path.startsWith(TOLERATIONS));
  const entries = groupBy(fields, ([path]) => [path.slice(TOLERATIONS.length).replace(/\..*$/, '')]);
  return [...entries.values()].map((entry) =>
    entry.map(([path, value]) => [...path.slice(TOLERATIONS.length).split('.').slice(1), value].join('=')).join(' '),
  );
}

function namedValue(lines: ManifestLines, path: string, value: string): readonly [what: string, value: string] {
  if (path === `${DEPLOYMENT}replicas`) return ['replicas', value];
  const [, text, key] = /\.(label|annotation)s\.(.*)$/.exec(path) ?? [];
  if (text !== undefined && key !== undefined) return [`${text} ${key}`, value];
  if (!path.startsWith(POD)) return [path, value];
  const inPod = path.slice(POD.length);
  if (inPod.startsWith('nodeSelector.')) return [inPod.replace('.', ' '), value];
  const [, number, field = ''] = /^containers\.(\d+)\.(.*)$/.exec(inPod) ?? [];
  if (number === undefined) return [inPod, value];
  const container = lines.get(`${POD}containers.${number}.name`) ?? number;
  if (!/^args\.\d+$/.test(field)) return [`${container} ${field}`, value];
  const [flag = value, ...rest] = value.split('=');
  return [`${container} ${flag}`, rest.join('=')];
}

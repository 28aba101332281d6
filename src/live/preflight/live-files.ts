import { clusterFolderOf, printBundlePath } from '../../base/core/bundle-path.ts';
import { NETWORK_TYPE_LABEL, POD_SECURITY_LABELS } from '../../base/releases/labels.ts';
import type { AddressesFile } from '../../base/schema-types/addresses.ts';
import { type DocumentNode, nodeAt, plainOf } from '../../base/source/document-node.ts';
import { printYaml, printYamlDocuments, type YamlValue } from '../../bundle/emit/print-yaml.ts';
import {
  chosenFor,
  compareObjects,
  type Difference,
  isBeforeAnswer,
  isChosenAlready,
} from '../drift/compare-objects.ts';
import { type Files, type PromisedObjects, promisedObjects } from '../drift/promised-objects.ts';
import { isJsonMap, type Json, type JsonMap } from '../dumps/json.ts';
import {
  isTenantNamespace,
  type KubernetesObject,
  kindKeyOf,
  type LiveCluster,
  remoteOf,
} from '../dumps/kubernetes-object.ts';
import { type ObservedCluster, observeCluster } from '../facts/cluster.ts';
import { liveAddresses } from './live-addresses.ts';

interface KnownFiles {
  /** Compiled from the topology. */
  readonly compiled: Files;
  /** The bundles on disk; empty when there are none. */
  readonly before: Files;
  /** The allowed differences between the live objects of a cluster and the promised ones. */
  readonly traitsOf: (cluster: string) => Parameters<typeof compareObjects>[2];
}

/**
 * Returns the bundles that would describe the live state. Values that dumps do not show are as compiled, and clusters
 * without a dump are as on disk, so a plan from these files to the compiled ones shows exactly the live differences.
 */
export function liveFiles(live: readonly LiveCluster[], { compiled, before, traitsOf }: KnownFiles): Files {
  const dumped = new Map(live.map((it) => [it.cluster, it]));
  const others = before.size === 0 ? compiled : before;
  const files = new Map<string, string>();
  for (const [path, text] of others) {
    const cluster = clusterFolderOf(path);
    if (cluster !== undefined && !dumped.has(cluster)) files.set(path, text);
  }
  for (const [path, text] of compiled) if (clusterFolderOf(path) === undefined) files.set(path, text);
  const [ofCompiled, ofBefore] = [byCluster(compiled), byCluster(before)];
  for (const it of live) {
    // A cluster that has just left the topology may still have its bundle on disk.
    const folder = ofCompiled.get(it.cluster) ?? ofBefore.get(it.cluster) ?? new Map();
    for (const [path, text] of liveBundle(folder, it, traitsOf(it.cluster))) files.set(path, text);
    for (const [path, text] of unrecordedFiles(it, { files, isKnown: folder.size > 0 })) files.set(path, text);
  }
  const observed = new Map(live.map((it) => [it.cluster, withNamedPeers(observeCluster(it))]));
  const [now, then] = [addressesIn(compiled), addressesIn(others)];
  if (now === undefined || then === undefined) return files;
  const addresses = liveAddresses(observed, { compiled: now, before: then });
  // A text that differs only in its layout would count as a change.
  const text = JSON.stringify(addresses) === JSON.stringify(now) ? compiled.get(ADDRESSES) : undefined;
  return files.set(ADDRESSES, text ?? JSON.stringify(addresses));
}

/** Removes the cluster itself, and peers whose label is no cluster name. */
const withNamedPeers = (it: ObservedCluster): ObservedCluster => ({
  ...it,
  peers: new Map([...it.peers].filter(([name]) => CLUSTER_NAME.test(name) && name !== it.cluster)),
});

const ADDRESSES = printBundlePath({ part: 'addresses' });

/** Groups files by the cluster of their folder. */
function byCluster(files: Files): ReadonlyMap<string, Files> {
  const folders = new Map<string, Map<string, string>>();
  for (const [path, text] of files) {
    const cluster = clusterFolderOf(path);
    if (cluster === undefined) continue;
    const folder = folders.get(cluster) ?? new Map<string, string>();
    folders.set(cluster, folder.set(path, text));
  }
  return folders;
}

/** The caller has validated these files against their schema. */
function addressesIn(files: Files): AddressesFile | undefined {
  const text = files.get(ADDRESSES);
  return text === undefined ? undefined : (JSON.parse(text) as AddressesFile);
}

/** The objects of a link, which follow the tenant namespace in a peer's file. */
const OF_A_LINK = [
  'PublicKey.networking.liqo.io',
  'Configuration.networking.liqo.io',
  'GatewayServer.networking.liqo.io',
  'GatewayClient.networking.liqo.io',
];

/**
 * Returns files for live objects that no bundle contains: links that are not in git and, for a cluster that is not in
 * git, its own networks.
 */
function unrecordedFiles(
  { cluster, objects }: LiveCluster,
  { files, isKnown }: { readonly files: Files; readonly isKnown: boolean },
): Files {
  const byPeer = new Map<string, KubernetesObject[]>();
  const own: KubernetesObject[] = [];
  for (const it of objects.values()) {
    const key = kindKeyOf(it);
    const peer = remoteOf(it);
    if (key === 'Network.ipam.liqo.io' && it.metadata.labels?.[NETWORK_TYPE_LABEL] !== undefined) own.push(it);
    const isOfLink = OF_A_LINK.includes(key) || isTenantNamespace(it);
    if (peer === null || !CLUSTER_NAME.test(peer) || !isOfLink) continue;
    const ofPeer = byPeer.get(peer) ?? [];
    ofPeer.push(it);
    byPeer.set(peer, ofPeer);
  }
  const found = new Map<string, string>();
  for (const [peer, list] of byPeer) {
    const path = printBundlePath({ part: 'peer', cluster, peer, file: 'manifests' });
    // A removed link leaves only its tenant namespace behind.
    if (!files.has(path) && list.some((it) => it.kind !== 'Namespace')) found.set(path, printed(list));
  }
  const values = printBundlePath({ part: 'helm-values', cluster });
  // Only a retired cluster has a folder without values, and it is as it should be when its last link is gone.
  const isRetired = isKnown && found.size === 0;
  if (!files.has(values) && !isRetired) {
    found.set(values, printYaml({ discovery: { config: { clusterID: cluster } } }));
    if (own.length > 0) found.set(printBundlePath({ part: 'expected', cluster, file: 'networks' }), printed(own));
  }
  return found;
}

const printed = (objects: readonly KubernetesObject[]): string =>
  printYamlDocuments(
    objects.map(({ apiVersion, kind, metadata: { name, namespace, labels }, spec, status }) => ({
      apiVersion,
      kind,
      metadata: { name, namespace, labels },
      spec: spec as YamlValue | undefined,
      ...(kind === 'Network' ? { status: status as YamlValue | undefined } : {}),
    })),
  );

/** A valid cluster name. Source: liqotech/liqo@v1.2.0 apis/core/v1beta1/foreigncluster_types.go. */
const CLUSTER_NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** The allowed differences between live objects of a release and the promised ones. */
type Traits = Parameters<typeof compareObjects>[2];

/**
 * Returns a cluster's files with the live values: fields that differ are replaced, absent objects removed. Everything
 * that the objects do not show stays: other files, comments, order, kinds that were not dumped.
 * @param files of the whole bundle
 */
function liveBundle(files: Files, live: LiveCluster, traits: Traits): Files {
  const own = new Map([...files].filter(([path]) => path.startsWith(`${live.cluster}/`)));
  const promised = promisedObjects(live.cluster, { bundle: own, root: '' });
  const edits = editsByFile(promised, live, traits);
  return new Map(
    [...own].flatMap(([path, text]): readonly (readonly [string, string])[] => {
      const edited = edits.get(path);
      const next = edited === undefined ? text : edit(text, edited);
      return next === undefined ? [] : [[path, next]];
    }),
  );
}

/** The change of one document of a file. */
interface Edit {
  /** Offset of its first character that is not a comment. */
  readonly start: number;
  /** Its text without the comment above it; `null` for an object that is absent. */
  readonly text: string | null;
}

/** Kinds that Liqo makes of the answer to a loan; those of the network follow from what is applied at once. */
const isOfAnswer = (it: KubernetesObject): boolean => !/\.(networking|ipam)\.liqo\.io$/.test(kindKeyOf(it));

/** Kinds without a text of their own: their values follow from run time, or from a Configuration. */
const IN_NO_FILE = ['Connection', 'RouteConfiguration'];

function editsByFile(
  promised: PromisedObjects,
  { objects, listed }: LiveCluster,
  traits: Traits,
): ReadonlyMap<string, readonly Edit[]> {
  const edits = new Map<string, Edit[]>();
  for (const [key, { object, nodes, isApplied: isOfBundle }] of promised) {
    if (!listed.has(kindKeyOf(object)) || IN_NO_FILE.includes(object.kind)) continue;
    const found = objects.get(key);
    const isThere = found !== undefined && found.metadata['deletionTimestamp'] === undefined;
    // Applying the bundle gives no answer: drift says what is waited for.
    if (found === undefined && !isOfBundle && isOfAnswer(object)) continue;
    const differences = isThere
      ? [...compareObjects(object, found, traits)]
          .filter((it) => isApplied(it) && !isChosenAlready(found, it) && !isBeforeAnswer(object.kind, it))
          .map((it) => ({ ...it, live: chosenFor(found, it) ?? it.live }))
      : [];
    for (const [index, node] of nodes.entries()) {
      const text = isThere ? documentAsLive(node, differences, index === 0) : null;
      if (text === undefined) continue;
      const path = node.span.source.path.slice(1);
      const ofFile = edits.get(path) ?? [];
      ofFile.push({ start: node.span.start, text });
      edits.set(path, ofFile);
    }
  }
  return edits;
}

/** Annotations are for GitOps tools, Pod Security labels for pods that start: neither affects packets. */
const isApplied = ({ path }: Difference): boolean =>
  path[1] !== 'annotations' && !(path[2] ?? '').startsWith(POD_SECURITY_LABELS);

/** Returns `undefined` when all objects of the file are absent. */
function edit(text: string, edits: readonly Edit[]): string | undefined {
  const header = /^(#.*\n)*/.exec(text)?.[0] ?? '';
  const byStart = new Map(edits.map((it) => [it.start, it.text]));
  const left: string[] = [];
  let start = header.length;
  for (const document of text.slice(header.length).split(/^---\n/m)) {
    const next = byStart.get(start);
    if (next !== null) left.push(next ?? document);
    start += document.length + '---\n'.length;
  }
  return left.length === 0 ? undefined : header + left.join('---\n');
}

/**
 * Returns the text of a document with its live values; `undefined` if none differ. When several documents describe one
 * object, each gets its own parts, and the first also gets the fields that none of them promises.
 */
function documentAsLive(node: DocumentNode, differences: readonly Difference[], isFirst: boolean): string | undefined {
  const own = differences.filter(({ path, promised }) =>
    promised === undefined ? isFirst : nodeAt(node, path) !== undefined,
  );
  if (own.length === 0) return undefined;
  const edited = own.reduce<Json>((value, it) => withValue(value, it.path, it.live), plainOf(node) as Json);
  return printYaml(edited as YamlValue);
}

function withValue(value: Json | undefined, [key, ...rest]: readonly string[], live: Json | undefined): Json {
  if (key === undefined) return live ?? null;
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    return list.map((it, index) => (String(index) === key ? withValue(it, rest, live) : it));
  }
  const map: JsonMap = isJsonMap(value) ? value : {};
  if (rest.length > 0 || live !== undefined) return { ...map, [key]: withValue(map[key], rest, live) };
  return Object.fromEntries(Object.entries(map).filter(([name]) => name !== key)) as JsonMap;
}

import { clusterFolderOf, printBundlePath } from '../../base/core/bundle-path.ts';
import { NETWORK_TYPE_LABEL, POD_SECURITY_LABELS } from '../../base/releases/labels.ts';
import type { AddressesFile } from '../../base/schema-types/addresses.ts';
import { type DocumentNode, nodeAt, plainOf } from '../../base/source/document-node.ts';
import { printYaml, printYamlDocuments, type YamlValue } from '../../bundle/emit/print-yaml.ts';
import { chosenFor, compareObjects, type Difference, isChosenAlready } from '../drift/compare-objects.ts';
import { type PromisedObjects, promisedObjects } from '../drift/promised-objects.ts';
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

type Files = ReadonlyMap<string, string>;

interface KnownFiles {
  /** What the topology compiles to. */
  readonly compiled: Files;
  /** The bundles on disk; empty without any. */
  readonly before: Files;
  /** How live objects may differ from what is promised in a cluster. */
  readonly traitsOf: (cluster: string) => Parameters<typeof compareObjects>[2];
}

/**
 * The bundles that would describe what is live. Whatever dumps do not show is as compiled, and clusters that were not dumped are
 * as their bundles on disk, so that a plan from these files to the compiled ones shows what reality differs in, and nothing else.
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
    for (const [path, text] of unrecordedFiles(it, files)) files.set(path, text);
  }
  const observed = new Map(live.map((it) => [it.cluster, withNamedPeers(observeCluster(it))]));
  const [now, then] = [addressesIn(compiled), addressesIn(others)];
  if (now === undefined || then === undefined) return files;
  const addresses = liveAddresses(observed, { compiled: now, before: then });
  // A text that differs only in its layout would be a change.
  const text = JSON.stringify(addresses) === JSON.stringify(now) ? compiled.get(ADDRESSES) : undefined;
  return files.set(ADDRESSES, text ?? JSON.stringify(addresses));
}

/** Without peers whose label is no name of a cluster, and without itself. */
const withNamedPeers = (it: ObservedCluster): ObservedCluster => ({
  ...it,
  peers: new Map([...it.peers].filter(([name]) => CLUSTER_NAME.test(name) && name !== it.cluster)),
});

const ADDRESSES = printBundlePath({ part: 'addresses' });

/** The folder of each cluster. */
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

/** The caller has read these files as the state of a network, so they follow their schema. */
function addressesIn(files: Files): AddressesFile | undefined {
  const text = files.get(ADDRESSES);
  return text === undefined ? undefined : (JSON.parse(text) as AddressesFile);
}

/** Objects of a link, as the file of a peer has them below its tenant namespace. */
const OF_A_LINK = [
  'PublicKey.networking.liqo.io',
  'Configuration.networking.liqo.io',
  'GatewayServer.networking.liqo.io',
  'GatewayClient.networking.liqo.io',
];

/**
 * Files for what a live cluster has and no bundle does: links that git does not know, and, of a cluster that git does not know,
 * its own networks.
 */
function unrecordedFiles({ cluster, objects }: LiveCluster, files: Files): Files {
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
    // A tenant namespace alone is what a removed link leaves behind.
    if (!files.has(path) && list.some((it) => it.kind !== 'Namespace')) found.set(path, printed(list));
  }
  const values = printBundlePath({ part: 'helm-values', cluster });
  if (!files.has(values)) {
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

/** What the name of a cluster may be. Source: liqotech/liqo@v1.2.0 apis/core/v1beta1/foreigncluster_types.go. */
const CLUSTER_NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** How live objects of a release may differ from what is promised. */
type Traits = Parameters<typeof compareObjects>[2];

/**
 * The files of a cluster as its live objects have them: a field that differs has the live value, and an object that is not
 * there is left out. Whatever the objects do not show stays: other files, comments, order, kinds that were not dumped.
 *
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

/** What happens to one document of a file. */
interface Edit {
  /** Its first character that is no comment. */
  readonly start: number;
  /** Its text without a comment above; `null` for an object that is not there. */
  readonly text: string | null;
}

function editsByFile(
  promised: PromisedObjects,
  { objects, listed }: LiveCluster,
  traits: Traits,
): ReadonlyMap<string, readonly Edit[]> {
  const edits = new Map<string, Edit[]>();
  for (const [key, { object, nodes }] of promised) {
    if (!listed.has(kindKeyOf(object)) || object.kind === 'Connection') continue;
    const found = objects.get(key);
    const isThere = found !== undefined && found.metadata['deletionTimestamp'] === undefined;
    const differences = isThere
      ? [...compareObjects(object, found, traits)]
          .filter((it) => isApplied(it) && !isChosenAlready(found, it))
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

/** Annotations are for GitOps tools, and labels of Pod Security for pods that start: no packet depends on one. */
const isApplied = ({ path }: Difference): boolean =>
  path[1] !== 'annotations' && !(path[2] ?? '').startsWith(POD_SECURITY_LABELS);

/** `undefined` for a file whose objects are all absent. */
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
 * The text of a document with the live values of what differs in it; `undefined` if nothing does. Of several documents about
 * one object each has its own parts, and the first one also what none of them promises.
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

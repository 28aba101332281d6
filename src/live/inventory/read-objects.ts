import { textOfBase64 } from '../../base/core/encodings.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import {
  type DocumentEntry,
  type DocumentMap,
  type DocumentNode,
  type DocumentPath,
  nodeAt,
  plainOf,
} from '../../base/source/document-node.ts';
import type { Located, Span } from '../../base/source/source.ts';
import {
  type InventoryCluster,
  type InventoryKind,
  KeyTree,
  knownKey,
  listNode,
  type ShownText,
  scalarNode,
  withoutIPv6,
} from './inventory.ts';
import { unknownColumn } from './read-csv.ts';

/** An object of Kubernetes that describes a cluster of the fleet. */
interface InventoryObject {
  readonly root: DocumentMap;
  readonly text: ShownText;
}

/** Finds the object of a cluster: a Cluster of Cluster API, or a Secret with which Argo CD registers one. */
export function objectReader(root: DocumentMap): ObjectReader | undefined {
  const [apiVersion, kind] = [textIn(root, 'apiVersion'), textIn(root, 'kind')];
  if (kind === 'Cluster' && apiVersion?.startsWith('cluster.x-k8s.io/')) return clusterApi;
  const type = textIn(root, 'metadata', 'labels', SECRET_TYPE);
  return kind === 'Secret' && type === 'cluster' ? argoCluster : undefined;
}

type ObjectReader = (object: InventoryObject, report: (found: Diagnostic) => void) => InventoryCluster | undefined;

/** Source: argoproj/argo-cd v3.0 common/common.go (LabelKeySecretType). */
const SECRET_TYPE = 'argocd.argoproj.io/secret-type';

/**
 * Reads a Cluster. Source: kubernetes-sigs/cluster-api v1.11 api/core/v1beta1/cluster_types.go and v1beta2: both have
 * spec.clusterNetwork.{pods,services}.cidrBlocks and spec.controlPlaneEndpoint.{host,port}.
 */
const clusterApi: ObjectReader = (object, report) => {
  const { root, text } = object;
  const keys = newKeys(object);
  const network: DocumentPath = ['spec', 'clusterNetwork'];
  setList(keys, 'podCIDR', { text, node: nodeAt(root, [...network, 'pods', 'cidrBlocks']) });
  setList(keys, 'serviceCIDR', { text, node: nodeAt(root, [...network, 'services', 'cidrBlocks']) });
  const [host, port] = [
    nodeAt(root, ['spec', 'controlPlaneEndpoint', 'host']),
    nodeAt(root, ['spec', 'controlPlaneEndpoint', 'port']),
  ];
  // Before there is an endpoint, Cluster API writes an empty host and port 0.
  if (host?.kind === 'scalar' && typeof host.value === 'string' && host.value !== '') {
    const number = port?.kind === 'scalar' && typeof port.value === 'number' && port.value > 0 ? port.value : 6443;
    const at = shownAt(text, host.span);
    keys.set(['apiServer'], scalarNode(`https://${host.value}:${number}`, at), at);
  }
  return described(object, { kind: 'Cluster API', keys, report, name: metadataName(object) });
};

/**
 * Reads the name, the server, labels and annotations of a Secret; no other value of it is looked at. Source:
 * argoproj/argo-cd v3.0 util/db/cluster.go (SecretToCluster): data has name, server and config.
 */
const argoCluster: ObjectReader = (object, report) => {
  const keys = newKeys(object);
  const server = secretText(object, 'server');
  // The address of the cluster that Argo CD itself runs in is of no use to others.
  if (server !== undefined && /^https:\/\/[^\s@/]+\/?$/.test(server.value) && !IN_CLUSTER.test(server.value)) {
    keys.set(['apiServer'], scalarNode(server.value.replace(/\/$/, ''), server.at), server.at);
  }
  return described(object, { kind: 'Argo CD', keys, report, name: secretText(object, 'name') ?? metadataName(object) });
};

const IN_CLUSTER = /^https:\/\/kubernetes\.default\.svc/;

function newKeys({ root, text }: InventoryObject): KeyTree {
  return new KeyTree(text.hidden(root.span.start, root.span.start + 1));
}

interface Described {
  readonly kind: InventoryKind;
  readonly keys: KeyTree;
  readonly name: Located<string> | undefined;
  readonly report: (found: Diagnostic) => void;
}

/** Adds the labels of an object, and the keys of the cluster in its annotations. */
function described(object: InventoryObject, { kind, keys, name, report }: Described): InventoryCluster | undefined {
  const { root, text } = object;
  let named = name;
  for (const [label, entry] of textEntries(root, ['metadata', 'labels'])) {
    if (OF_TOOLS.test(label)) continue;
    const at = shownAt(text, entry.value.span);
    keys.set(['labels', label], scalarNode(entry.text, at), shownAt(text, entry.key));
  }
  for (const [annotation, entry] of textEntries(root, ['metadata', 'annotations'])) {
    const [, column] = ANNOTATION.exec(annotation) ?? [];
    if (column === undefined) continue;
    const [key, at] = [knownKey(column), shownAt(text, entry.value.span)];
    if (key === undefined) report(unknownColumn(annotation, shownAt(text, entry.key)));
    else if (key.path.length === 0) named = { value: entry.text, at };
    else if (entry.text !== '') keys.set(key.path, key.nodeOf(entry.text, at), shownAt(text, entry.key));
  }
  return named === undefined ? undefined : { kind, name: named, keys: keys.root };
}

/** An annotation with a key of the topology: weft.dev/gateway. */
const ANNOTATION = /^weft\.dev\/(.+)$/;

/** Labels that tools put on these objects for themselves. */
const OF_TOOLS =
  /^((.+\.)?cluster\.x-k8s\.io|argocd\.argoproj\.io|.+\.toolkit\.fluxcd\.io|app\.kubernetes\.io|helm\.sh|(.+\.)?cattle\.io)\//;

function metadataName({ root, text }: InventoryObject): Located<string> | undefined {
  const node = nodeAt(root, ['metadata', 'name']);
  if (node?.kind !== 'scalar' || node.value === null) return undefined;
  return { value: String(node.value), at: shownAt(text, node.span) };
}

/** A text of a Secret, from `stringData` of a file or from `data`. */
function secretText({ root, text }: InventoryObject, key: 'name' | 'server'): Located<string> | undefined {
  for (const [part, read] of [
    ['stringData', (it: string) => it],
    ['data', textOfBase64],
  ] as const) {
    const node = nodeAt(root, [part, key]);
    const value = node?.kind === 'scalar' && typeof node.value === 'string' ? read(node.value).trim() : '';
    if (node !== undefined && value !== '') return { value, at: text.hidden(node.span.start, node.span.end) };
  }
  return undefined;
}

interface WrittenList {
  readonly text: ShownText;
  readonly node: DocumentNode | undefined;
}

/** Sets a key to the items of a list, and to one item itself. */
function setList(keys: KeyTree, key: string, { text, node }: WrittenList): void {
  if (node?.kind !== 'list' || node.items.length === 0) return;
  const at = shownAt(text, node.span);
  const scalars = node.items.flatMap((it) =>
    it.kind === 'scalar' && it.value !== null ? [scalarNode(it.value, shownAt(text, it.span))] : [],
  );
  const items = withoutIPv6(scalars, (it) => String(plainOf(it)));
  const [only] = items;
  keys.set([key], only !== undefined && items.length === 1 ? only : listNode(items, at), at);
}

const shownAt = (text: ShownText, { start, end }: Span): Span => text.shown(start, end);

function textIn(root: DocumentMap, ...path: readonly string[]): string | undefined {
  const node = nodeAt(root, path);
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;
}

function textEntries(
  root: DocumentMap,
  path: DocumentPath,
): readonly (readonly [string, DocumentEntry & { readonly text: string }])[] {
  const node = nodeAt(root, path);
  if (node?.kind !== 'map') return [];
  return [...node.entries].flatMap(([name, { key, value }]) =>
    value.kind === 'scalar' && typeof value.value === 'string'
      ? [[name, { key, value, text: value.value }] as const]
      : [],
  );
}

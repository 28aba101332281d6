import type { DocumentEntry, DocumentMap, DocumentNode } from '../../base/source/document-node.ts';
import type { Located, Span } from '../../base/source/source.ts';
import {
  type InventoryCluster,
  KeyTree,
  knownKey,
  listNode,
  type ShownText,
  scalarNode,
  withoutIPv6,
} from './inventory.ts';

/**
 * Reads the outputs of Terraform that describe clusters: a map of objects by name, or a list of objects with a name, of which one
 * has a pod CIDR under one of its usual names. Other outputs, other keys of these objects and sensitive outputs are not looked at.
 * Source: hashicorp/terraform, `terraform output -json`, `terraform show -json` (values.outputs).
 */
export function readTerraform(root: DocumentMap, text: ShownText): readonly InventoryCluster[] {
  const shown = mapAt(mapAt(root, 'values'), 'outputs');
  const outputs = shown ?? root;
  const values = [...outputs.entries.values()].flatMap(({ value }) => outputValue(value) ?? []);
  // `terraform output -json NAME` prints the value alone; a list is read with a key in front of it.
  const all = values.length > 0 ? values : [root, ...[...root.entries.values()].map((it) => it.value)];
  return all.flatMap((it) => clustersInValue(it, text));
}

/** The value of an output; `undefined` for a sensitive one, and for what is no output. */
function outputValue(node: DocumentNode): DocumentNode | undefined {
  if (node.kind !== 'map') return undefined;
  const { entries } = node;
  const sensitive = entries.get('sensitive')?.value;
  const isSensitive = sensitive?.kind === 'scalar' && sensitive.value === true;
  return sensitive === undefined || isSensitive ? undefined : entries.get('value')?.value;
}

interface ClusterObject {
  readonly name: Located<string>;
  readonly object: DocumentMap;
}

function clustersInValue(value: DocumentNode, text: ShownText): readonly InventoryCluster[] {
  const objects =
    value.kind === 'map' ? namedByKey(value, text) : value.kind === 'list' ? namedInside(value.items, text) : [];
  return objects.some(({ object }) => [...object.entries.keys()].some(isPodCIDR))
    ? objects.map(({ name, object }) => ({ kind: 'Terraform', name, keys: keysOfObject(object, text) }))
    : [];
}

const isPodCIDR = (name: string): boolean => knownKey(name)?.path.join('.') === 'podCIDR';

/** Objects by name; a name inside such an object counts more than its key. */
function namedByKey({ entries }: DocumentMap, text: ShownText): readonly ClusterObject[] {
  return [...entries].flatMap(([key, { key: at, value }]) =>
    value.kind === 'map'
      ? [{ name: nameInObject(value, text) ?? { value: key, at: shown(text, at) }, object: value }]
      : [],
  );
}

const namedInside = (items: readonly DocumentNode[], text: ShownText): readonly ClusterObject[] =>
  items.flatMap((object) => {
    const name = object.kind === 'map' ? nameInObject(object, text) : undefined;
    return object.kind === 'map' && name !== undefined ? [{ name, object }] : [];
  });

function nameInObject({ entries }: DocumentMap, text: ShownText): Located<string> | undefined {
  const [, entry] = [...entries].find(([key]) => knownKey(key)?.path.length === 0) ?? [];
  return entry?.value.kind === 'scalar' && typeof entry.value.value === 'string'
    ? { value: entry.value.value, at: shown(text, entry.value.span) }
    : undefined;
}

function keysOfObject(object: DocumentMap, text: ShownText) {
  const keys = new KeyTree(text.hidden(object.span.start, object.span.start + 1));
  addKeys(keys, object, { text, path: '' });
  return keys.root;
}

interface Below {
  readonly text: ShownText;
  /** The path of the map, with a dot behind it. */
  readonly path: string;
}

function addKeys(keys: KeyTree, { entries }: DocumentMap, { text, path }: Below): void {
  for (const [name, entry] of entries) {
    const { value } = entry;
    if (value.kind === 'map') addKeys(keys, value, { text, path: `${path}${name}.` });
    else addKey(keys, `${path}${name}`, { entry, text });
  }
}

interface WrittenKey {
  readonly entry: DocumentEntry;
  readonly text: ShownText;
}

function addKey(keys: KeyTree, name: string, { entry: { key, value }, text }: WrittenKey): void {
  const known = knownKey(name);
  if (known === undefined || known.path.length === 0) return;
  const items = withoutIPv6(scalarsIn(value), String);
  if (items.length === 0) return;
  const span = shown(text, value.span);
  const [only] = items;
  const node =
    value.kind === 'scalar' || (only !== undefined && items.length === 1)
      ? known.nodeOf(String(only), span)
      : listNode(
          items.map((it) => scalarNode(it, span)),
          span,
        );
  keys.set(known.path, node, shown(text, key));
}

/** The texts, numbers and truth values of a value; Terraform writes null for one that is not known or not set. */
function scalarsIn(node: DocumentNode): readonly (string | number | boolean)[] {
  if (node.kind === 'list') return node.items.flatMap(scalarsIn);
  return node.kind === 'scalar' && node.value !== null && node.value !== '' ? [node.value] : [];
}

const shown = (text: ShownText, { start, end }: Span): Span => text.shown(start, end);

const mapAt = (node: DocumentMap | undefined, key: string): DocumentMap | undefined => {
  const value = node?.entries.get(key)?.value;
  return value?.kind === 'map' ? value : undefined;
};

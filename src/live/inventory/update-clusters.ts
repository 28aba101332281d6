import { addAll, byCodeUnit, groupBy } from '../../base/core/collections.ts';
import { quoted } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { bug } from '../../base/diagnostics/outcome.ts';
import { type DocumentMap, type DocumentNode, mergeNodes, nodeAt, plainOf } from '../../base/source/document-node.ts';
import { type AddedKey, editYaml, type YamlEdit } from '../../base/source/edit-yaml.ts';
import { readDocument } from '../../base/source/read-document.ts';
import type { Located, Source } from '../../base/source/source.ts';
import { render } from '../../base/text/render.ts';
import type { YamlValue } from '../../bundle/emit/print-yaml.ts';
import { flowText, memberLines, printTopology } from '../import/print-topology.ts';
import { type InventoryCluster, LONG_FORMS } from './inventory.ts';

/** A key of a cluster that gets another value; `from` is null for a new key. */
export interface ChangedKey {
  readonly cluster: string;
  readonly key: string;
  readonly from: string | null;
  readonly to: string;
}

interface UpdatedClusters {
  /** The new text of the file. */
  readonly text: string;
  readonly added: readonly string[];
  readonly changed: readonly ChangedKey[];
}

/** A file of YAML as it is on disk. */
export interface WrittenYaml {
  readonly source: Source;
  readonly root: DocumentMap;
}

export function newFile(clusters: readonly InventoryCluster[], schema: string | null): UpdatedClusters {
  const sorted = [...clusters].sort((a, b) => byCodeUnit(a.name.value, b.name.value));
  const topology = {
    version: 1,
    clusters: Object.fromEntries(sorted.map((it) => [it.name.value, yamlValue(it.keys)])),
  };
  const { text } = printTopology({ topology: topology as never, comments: new Map([['', HEADING]]) }, { schema });
  return { text, added: sorted.map((it) => it.name.value), changed: [] };
}

const HEADING =
  'Clusters of an inventory. "weft import --clusters" adds clusters and updates the keys that the inventory has;\nwhat you add here, keys and comments, stays.';

/** Updates the clusters of a file: only what the inventory has otherwise is written, and nothing is removed. */
export function updateFile({ source, root }: WrittenYaml, clusters: readonly InventoryCluster[]): UpdatedClusters {
  const there = nodeAt(root, ['clusters']);
  const known = there?.kind === 'map' ? there.entries : new Map();
  const edits: YamlEdit[] = [];
  const changed: ChangedKey[] = [];
  for (const { name, keys } of clusters) {
    const entry = known.get(name.value);
    if (entry === undefined) continue;
    const update = updateMap({ written: entry.value, wanted: keys, path: ['clusters', name.value] });
    addAll(edits, update.edits);
    addAll(
      changed,
      update.changed.map((it) => ({ ...it, cluster: name.value })),
    );
  }
  const added = clusters.filter((it) => !known.has(it.name.value));
  addAll(edits, additions(added, { names: [...known.keys()], hasKey: root.entries.has('clusters') }));
  const text = edits.length === 0 ? source.text : editYaml({ text: source.text, root }, edits);
  checkText(text, { source, clusters });
  return { text, added: added.map((it) => it.name.value).sort(byCodeUnit), changed };
}

interface MapUpdate {
  readonly written: DocumentNode;
  readonly wanted: DocumentMap;
  /** The path of the map in its file; the first two parts are those of the cluster. */
  readonly path: readonly string[];
}

interface KeyUpdates {
  readonly edits: readonly YamlEdit[];
  readonly changed: readonly Omit<ChangedKey, 'cluster'>[];
}

function updateMap({ written, wanted, path }: MapUpdate): KeyUpdates {
  const edits: YamlEdit[] = [];
  const changed: Omit<ChangedKey, 'cluster'>[] = [];
  const missing: AddedKey[] = [];
  for (const [name, { value }] of wanted.entries) {
    const there = written.kind === 'map' ? written.entries.get(name)?.value : undefined;
    const at = [...path, name];
    const key = at.slice(2).join('.');
    const to = there === undefined ? value : inTheSameForm(name, there, value);
    if (there === undefined) {
      missing.push({ key: flowText(name), value: flowText(yamlValue(value)) });
      changed.push({ key, from: null, to: flowText(yamlValue(value)) });
    } else if (to.kind === 'map' && (there.kind === 'map' || isNull(there))) {
      const below = updateMap({ written: there, wanted: to, path: at });
      addAll(edits, below.edits);
      addAll(changed, below.changed);
    } else if (!isSameValue(there, to)) {
      edits.push({ kind: 'replace', path: at, value: flowText(yamlValue(to)) });
      changed.push({ key, from: flowText(yamlValue(there)), to: flowText(yamlValue(to)) });
    }
  }
  return { edits: missing.length === 0 ? edits : [...edits, { kind: 'add', path, keys: missing }], changed };
}

/** The keys of a cluster that have another value than they should. */
export const changedKeys = (written: DocumentNode, wanted: DocumentMap): KeyUpdates['changed'] =>
  updateMap({ written, wanted, path: ['', ''] }).changed;

const isNull = (node: DocumentNode): boolean => node.kind === 'scalar' && node.value === null;

/** A value in the form that is written: `gateway` as an address alone, or with further settings. */
function inTheSameForm(name: string, there: DocumentNode, wanted: DocumentNode): DocumentNode {
  const long = LONG_FORMS.get(name);
  if (long === undefined || there.kind === wanted.kind || isNull(there)) return wanted;
  const inFull = (it: DocumentNode): DocumentMap => ({
    kind: 'map',
    span: it.span,
    entries: new Map([[long.key, { key: it.span, value: long.inFull(it) }]]),
  });
  if (there.kind === 'map') return inFull(wanted);
  if (wanted.kind !== 'map' || wanted.entries.has(long.key)) return wanted;
  return { kind: 'map', span: wanted.span, entries: new Map([...inFull(there).entries, ...wanted.entries]) };
}

interface ClustersThere {
  readonly names: readonly string[];
  /** False for a file without the key `clusters`. */
  readonly hasKey: boolean;
}

/** Adds clusters in the order of their names if those of the file are in that order, otherwise at its end. */
function additions(clusters: readonly InventoryCluster[], { names, hasKey }: ClustersThere): readonly YamlEdit[] {
  const sorted = [...clusters].sort((a, b) => byCodeUnit(a.name.value, b.name.value));
  if (sorted.length === 0) return [];
  if (!hasKey) {
    const value = Object.fromEntries(sorted.map((it) => [it.name.value, yamlValue(it.keys)]));
    const lines = (indent: string): string => memberLines('clusters', value, indent);
    return [{ kind: 'add', path: [], keys: [{ key: 'clusters', value: flowText(value), lines }] }];
  }
  const isInOrder = names.every((it, index) => index === 0 || byCodeUnit(names[index - 1] ?? '', it) < 0);
  return sorted.map((it): YamlEdit => {
    const [name, value] = [it.name.value, yamlValue(it.keys)];
    const lines = (indent: string): string => memberLines(name, value, indent);
    const before = isInOrder ? (names.filter((other) => byCodeUnit(other, name) < 0).at(-1) ?? null) : undefined;
    const keys = [{ key: flowText(name), value: flowText(value), lines }];
    return {
      kind: 'add',
      path: ['clusters'],
      keys,
      ...(before === undefined || names.length === 0 ? {} : { after: before }),
    };
  });
}

const yamlValue = (node: DocumentNode): YamlValue => plainOf(node) as YamlValue;

/** An edit must not break a file, nor change what it is not about. */
function checkText(
  text: string,
  { source, clusters }: { readonly source: Source; readonly clusters: readonly InventoryCluster[] },
): void {
  const [before, after] = [source, { path: source.path, text }].map((it) => readDocument(it, { language: 'yaml' }));
  if (before?.ok !== true || after?.ok !== true) bug(`an edit of ${source.path} is no YAML`);
  const [old, now] = [before, after].map(({ root }) => nodeAt(root, ['clusters']));
  for (const { name, keys } of clusters) {
    const entry = now?.kind === 'map' ? now.entries.get(name.value)?.value : undefined;
    if (entry === undefined || changedKeys(entry, keys).length > 0)
      bug(`an edit of ${source.path} has not changed "${name.value}" as it should`);
  }
  const touched = new Set(clusters.map((it) => it.name.value));
  for (const [name, { value }] of old?.kind === 'map' ? old.entries : []) {
    const entry = now?.kind === 'map' ? now.entries.get(name)?.value : undefined;
    if (entry === undefined || (!touched.has(name) && !isSameValue(entry, value)))
      bug(`an edit of ${source.path} has changed "${name}"`);
  }
}

interface Combined {
  readonly clusters: readonly InventoryCluster[];
  readonly found: readonly Diagnostic[];
}

/**
 * Combines what inventories of different kinds have about one cluster: the networks of Cluster API and the labels of Argo CD,
 * for instance. Two clusters of one name in one kind of inventory are a mistake, and so are two values of one key.
 */
export function combineClusters(all: readonly InventoryCluster[]): Combined {
  const found: Diagnostic[] = [];
  const clusters = [...groupBy(all, (it) => [it.name.value]).values()].map((same) =>
    same.reduce((first, other) => {
      if (first.kind === other.kind) {
        found.push(clusterTwice(other, first));
        return first;
      }
      addAll(found, contradictions(first, other));
      const keys = mergeNodes(first.keys, other.keys);
      return { kind: first.kind, name: first.name, keys: keys.kind === 'map' ? keys : first.keys };
    }),
  );
  return { clusters, found };
}

function clusterTwice({ kind, name }: InventoryCluster, first: InventoryCluster): Diagnostic {
  const hints: Readonly<Record<InventoryCluster['kind'], string>> = {
    CSV: 'give one of the two another name, or remove its row',
    Terraform: 'give one of the two another name',
    'Cluster API':
      'give one of the two another name with the annotation weft.dev/name, since a namespace is no part of the name',
    'Argo CD': 'give one of the two another name with the annotation weft.dev/name',
  };
  return diagnostic(
    'inventory/cluster-twice',
    name.at,
    `two clusters of the inventory are called ${quoted(name.value)}`,
    {
      hint: hints[kind],
      related: [{ message: 'the first one', span: first.name.at }],
    },
  );
}

/** The keys of which two inventories have different values. */
function* contradictions(first: InventoryCluster, other: InventoryCluster): Iterable<Diagnostic> {
  for (const { value: key, at } of differingKeys(first.keys, other.keys, '')) {
    const message = `${first.kind} and ${other.kind} have another \`${key}\` for ${quoted(other.name.value)}`;
    yield diagnostic('inventory/cluster-twice', other.name.at, message, {
      hint: 'correct one of the two, or import only one of them',
      related: [{ message: 'the other value', span: at }],
    });
  }
}

function differingKeys(one: DocumentNode, other: DocumentNode, path: string): readonly Located<string>[] {
  if (one.kind === 'map' && other.kind === 'map') {
    return [...one.entries].flatMap(([key, { value }]) => {
      const beside = other.entries.get(key)?.value;
      return beside === undefined ? [] : differingKeys(value, beside, path === '' ? key : `${path}.${key}`);
    });
  }
  return isSameValue(one, other) ? [] : [{ value: path, at: one.span }];
}

/** True for equal values; a list of one text is that text. */
const isSameValue = (one: DocumentNode, other: DocumentNode): boolean =>
  JSON.stringify(withoutList(plainOf(one))) === JSON.stringify(withoutList(plainOf(other)));

const withoutList = (value: unknown): unknown => (Array.isArray(value) && value.length === 1 ? value[0] : value);

/**
 * The entry of `include` for the clusters of an inventory: `inventory/topology.clusters.yaml`. It is in a folder, because a file
 * beside a topology is another topology.
 */
export const includedEntry = (stem: string): string =>
  `inventory/${stem.replace(/[^A-Za-z0-9_.-]/g, '-').replace(/^[^A-Za-z0-9_]/, '_')}.clusters.yaml`;

/** The text of a topology that includes a file, by its name or with its folder; null if it does already. */
export function withInclude({ source, root }: WrittenYaml, entry: string): string | null {
  const list = nodeAt(root, ['include']);
  const entries = list?.kind === 'list' ? list.items.flatMap((it) => (it.kind === 'scalar' ? [it.value] : [])) : [];
  if (entries.includes(entry) || entries.includes(`${entry.split('/')[0]}/`)) return null;
  return editYaml({ text: source.text, root }, [
    root.entries.has('include')
      ? { kind: 'append', path: ['include'], value: entry }
      : { kind: 'add', path: [], keys: [{ key: 'include', value: `[${entry}]` }], after: lastOfHead(root) },
  ]);
}

const lastOfHead = (root: DocumentMap): string => (root.entries.has('name') ? 'name' : 'version');

interface Starter {
  readonly name: string;
  readonly entry: string;
  /** The path of the schema for editors; null without one. */
  readonly schema: string | null;
}

/** A topology for the clusters of an inventory. */
export const starterTopology = ({ name, entry, schema }: Starter): string =>
  render('inventory/topology', { name, entry, modeline: schema === null ? '' : MODELINE + schema });

const MODELINE = '# yaml-language-server: $schema=';

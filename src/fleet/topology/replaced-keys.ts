import { listOf } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import {
  type DocumentEntry,
  type DocumentMap,
  type DocumentNode,
  mergeNodes,
  nodeAt,
  plainOf,
} from '../../base/source/document-node.ts';
import type { Span } from '../../base/source/source.ts';

/*
 * Keys of a cluster that were values of Liqo's chart under other names. Files with them are read for one more release,
 * with a warning; then this file goes.
 */

/** The paths in the chart, by the former key. */
const REPLACED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  lending: {
    nodeLabels: 'discovery.config.clusterLabels',
    defaultResources: 'offloading.defaultNodeResources',
    storageClass: 'storage.realStorageClassName',
    ingressClasses: 'offloading.reflection.ingress.ingressClasses',
    loadBalancerClasses: 'offloading.reflection.service.loadBalancerClasses',
    limits: 'controllerManager.config.defaultLimitsEnforcement',
    enforceResources: 'controllerManager.config.enableResourceEnforcement',
  },
  virtualKubelet: {
    replicas: 'virtualKubelet.replicas',
    args: 'virtualKubelet.extra.args',
    labels: 'virtualKubelet.extra.labels',
    annotations: 'virtualKubelet.extra.annotations',
    nodeLabels: 'virtualKubelet.virtualNode.extra.labels',
    nodeAnnotations: 'virtualKubelet.virtualNode.extra.annotations',
  },
  reflection: {
    ips: 'networking.reflectIPs',
    skipLabels: 'offloading.reflection.skip.labels',
    skipAnnotations: 'offloading.reflection.skip.annotations',
    ...Object.fromEntries(
      ['pod', 'service', 'endpointslice', 'ingress', 'configmap', 'secret', 'serviceaccount']
        .concat('persistentvolumeclaim', 'event')
        .map((kind) => [kind, `offloading.reflection.${kind}`]),
    ),
  },
};

/** True for the path of a former key or of its map, without the name of a cluster. */
export const isFormerKey = (path: string): boolean => Object.hasOwn(REPLACED, path.split('.', 1)[0] ?? path);

/** A former key that a file has. */
interface Found {
  readonly group: string;
  readonly key: string;
  readonly entry: DocumentEntry;
  /** Its path below `helmValues`. */
  readonly path: readonly string[];
}

function formerKeys({ entries }: DocumentMap): readonly Found[] {
  return Object.entries(REPLACED).flatMap(([group, paths]) => {
    const value = entries.get(group)?.value;
    return [...(value?.kind === 'map' ? value.entries : [])].flatMap(([key, entry]) =>
      Object.hasOwn(paths, key) ? [{ group, key, entry, path: (paths[key] ?? '').split('.') }] : [],
    );
  });
}

/** The topology with `helmValues` instead of the former keys. A key that was none stays, and is reported as unknown. */
export const withoutFormerKeys = (root: DocumentMap): DocumentMap =>
  inClusters(root, (it) => (hasFormerKeys(it) ? mapOf(it.span, rewritten(it)) : it));

const hasFormerKeys = ({ entries }: DocumentMap): boolean => Object.keys(REPLACED).some((it) => entries.has(it));

function rewritten(cluster: DocumentMap): ReadonlyMap<string, DocumentEntry> {
  const entries = new Map(cluster.entries);
  for (const [group, paths] of Object.entries(REPLACED)) {
    const entry = entries.get(group);
    if (entry?.value.kind !== 'map') continue;
    const unknown = [...entry.value.entries].filter(([key]) => !Object.hasOwn(paths, key));
    if (unknown.length === 0) entries.delete(group);
    else entries.set(group, { key: entry.key, value: mapOf(entry.value.span, new Map(unknown)) });
  }
  const values = helmValuesOf(cluster);
  if (values) entries.set('helmValues', values);
  return entries;
}

/** All values of a cluster for the chart: those of `helmValues`, and those of former keys that are not empty. */
function helmValuesOf(cluster: DocumentMap): DocumentEntry | undefined {
  const written = cluster.entries.get('helmValues');
  const former = formerKeys(cluster).flatMap(({ entry, path }): readonly DocumentNode[] => {
    const { key, value } = entry;
    const named = path.at(-1)?.endsWith('Classes') ? namedClasses(value) : value;
    const isEmpty = named.kind === 'list' && named.items.length === 0;
    return isEmpty
      ? []
      : [path.reduceRight<DocumentNode>((it, name) => mapOf(key, new Map([[name, { key, value: it }]])), named)];
  });
  const [first, ...others] = [...former, ...(written ? [written.value] : [])];
  return first && { key: written?.key ?? first.span, value: others.reduce(mergeNodes, first) };
}

/** Class names as the chart lists them; the first one is the default. */
function namedClasses(classes: DocumentNode): DocumentNode {
  if (classes.kind !== 'list') return classes;
  const items = classes.items.map((name, index): DocumentNode => {
    const key = name.span;
    const isDefault: DocumentNode = { kind: 'scalar', span: key, value: true };
    const entries: [string, DocumentEntry][] = [['name', { key, value: name }]];
    return mapOf(key, new Map(index === 0 ? [...entries, ['default', { key, value: isDefault }]] : entries));
  });
  return { kind: 'list', span: classes.span, items };
}

const mapOf = (span: Span, entries: ReadonlyMap<string, DocumentEntry>): DocumentMap => ({
  kind: 'map',
  span,
  entries,
});

/** Changes the maps of all clusters, and `defaults`. */
function inClusters(root: DocumentMap, change: (cluster: DocumentMap) => DocumentMap): DocumentMap {
  const changed = ({ key, value }: DocumentEntry): DocumentEntry => ({
    key,
    value: value.kind === 'map' ? change(value) : value,
  });
  const entries = new Map(root.entries);
  const [defaults, clusters] = [entries.get('defaults'), entries.get('clusters')];
  if (defaults) entries.set('defaults', changed(defaults));
  if (clusters?.value.kind === 'map') {
    const all = new Map([...clusters.value.entries].map(([name, it]) => [name, changed(it)]));
    entries.set('clusters', { key: clusters.key, value: mapOf(clusters.value.span, all) });
  }
  return mapOf(root.span, entries);
}

/** Reports former keys: a warning with what to write instead, and an error where `helmValues` sets the same value. */
export function findFormerKeys(root: DocumentMap): readonly Diagnostic[] {
  const [defaults, clusters] = [root.entries.get('defaults')?.value, root.entries.get('clusters')?.value];
  const byName = clusters?.kind === 'map' ? [...clusters.entries] : [];
  return [
    ...(defaults?.kind === 'map'
      ? inMap(
          defaults,
          '`defaults`',
          byName.map(([name]) => name),
        )
      : []),
    ...byName.flatMap(([name, { value }]) => (value.kind === 'map' ? inMap(value, `"${name}"`, [name]) : [])),
  ];
}

function inMap(cluster: DocumentMap, owner: string, clusters: readonly string[]): readonly Diagnostic[] {
  const former = formerKeys(cluster);
  const groups = [...cluster.entries.keys()].filter((group) => {
    const value = cluster.entries.get(group)?.value;
    // One without any known key is reported as unknown, and has nothing to write instead.
    const isReplaced = Object.hasOwn(REPLACED, group) && value?.kind === 'map';
    return isReplaced && (value.entries.size === 0 || former.some((it) => it.group === group));
  });
  const [first] = groups.flatMap((it) => cluster.entries.get(it) ?? []);
  if (first === undefined) return [];
  const written = cluster.entries.get('helmValues')?.value;
  const twice = former.filter(({ path }) => written && nodeAt(written, path));
  if (twice.length > 0) {
    return twice.map(({ group, key, entry, path }) =>
      diagnostic(
        'topology/decided-value',
        entry.key,
        `\`${group}.${key}\` and \`${path.join('.')}\` in \`helmValues\` of ${owner} set the same value`,
        { hint: `remove \`${group}.${key}\`, which is the former name of the other` },
      ),
    );
  }
  const names = listOf(groups.map((it) => `\`${it}\``));
  const values = helmValuesOf(cluster)?.value;
  const instead = former.length > 0 && values && `write instead: \`helmValues: ${inBraces(plainOf(values))}\``;
  return [
    diagnostic('topology/replaced-key', first.key, `the next release of weft will not read ${names} of ${owner}`, {
      about: clusters.map((it) => [it]),
      hint: instead || 'remove it',
    }),
  ];
}

/** YAML on one line. */
function inBraces(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inBraces).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return isPlainText(value) ? String(value) : JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, it]) => `${isPlainText(key) ? key : JSON.stringify(key)}: ${inBraces(it)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** True for a text that means the same without quotes, also between braces. */
const isPlainText = (value: unknown): boolean =>
  typeof value === 'string' && /^[\w./-]*[a-z][\w./-]*$/i.test(value) && !LOOKS_TYPED.test(value);

const LOOKS_TYPED = /^(true|false|null|yes|no|on|off|y|n|[-+]?(0[xo][\da-f]+|[\d.]+e\d+|\.inf|\.nan))$/i;

import { byCodeUnit, groupBy } from '../../../src/base/core/collections.ts';
import { type Answering, answeringKubectl, type KubectlAnswer } from './answering-kubectl.ts';

export interface RecordedItem {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly type?: unknown;
  readonly data?: object;
}

/** Recorded objects by the name of the context that leads to them. */
export type RecordedClusters = Readonly<Record<string, readonly RecordedItem[]>>;

/** The environment of a kubectl that answers from recorded objects. */
export const recordedKubectl = (clusters: RecordedClusters): Readonly<Record<string, string>> =>
  answeringKubectl(recordedAnswers(clusters));

/** Kinds whose group kubectl finds by itself. */
const SHORT: Readonly<Record<string, string>> = {
  deployments: 'deployments.apps',
  rolebindings: 'rolebindings.rbac.authorization.k8s.io',
  clusterrolebindings: 'clusterrolebindings.rbac.authorization.k8s.io',
};

/** The value of an option in the arguments of kubectl. */
export const optionOf = (args: readonly string[], name: string): string | undefined =>
  args.find((it) => it.startsWith(`--${name}=`))?.slice(name.length + 3);

/** Lists, tables and errors as kubectl 1.35 prints them. */
export function recordedAnswers(clusters: RecordedClusters): Answering {
  const byContext = new Map(
    Object.entries(clusters).map(([context, items]) => [context, groupBy(items, (it) => [resourceOf(it)])]),
  );
  return (args) => {
    const [verb, given = ''] = args.filter((it) => !it.startsWith('-'));
    const context = optionOf(args, 'context') ?? '';
    const recorded = byContext.get(context);
    if (verb !== 'get') return failed(`error: unknown command "${verb}" for "kubectl"`);
    if (recorded === undefined) return failed(`error: context "${context}" does not exist`);
    const resources = given.split(',').map((it) => SHORT[it] ?? it);
    // The operator of ForeignClusterConnections brings its own CRD; it was not there.
    const isInstalled = (it: string): boolean =>
      recorded.has(it) ||
      /^[^.]+([.]networking[.]k8s[.]io)?$/.test(it) ||
      (/\.liqo\.io$/.test(it) && !/^foreignclusterc/.test(it));
    const missing = resources.find((it) => !isInstalled(it));
    if (missing !== undefined)
      return failed(`error: the server doesn't have a resource type "${missing.split('.')[0]}"`);
    const items = selected(
      args,
      resources.flatMap((it) => recorded.get(it) ?? []),
    );
    if (optionOf(args, 'output') === 'json') {
      const list = { apiVersion: 'v1', items: items.map(inOrder), kind: 'List', metadata: { resourceVersion: '' } };
      return { ok: true, text: `${JSON.stringify(list, null, 4)}\n` };
    }
    if (optionOf(args, 'output')?.startsWith('go-template=')) return { ok: true, text: publicHalves(items) };
    if (items.length === 0) return { ok: true, text: '', note: 'No resources found' };
    if (resources[0] !== 'secrets') return failed(`the columns of ${given} were not recorded`);
    return { ok: true, text: secretTable(args, items) };
  };
}

/** The output of the template that takes the public halves of keys out of Secrets. */
const publicHalves = (items: readonly RecordedItem[]): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'List',
    items: items.map(({ apiVersion, kind, metadata, data = {} }) => ({
      ...{ apiVersion, kind, metadata },
      data: 'publicKey' in data ? { publicKey: data.publicKey } : {},
      partsRead: ['metadata.labels', 'data.publicKey'],
    })),
  });

const failed = (message: string): KubectlAnswer => ({ ok: false, text: `${message}\n` });

/** `identities.authentication.liqo.io`, `secrets`. */
function resourceOf({ apiVersion, kind }: RecordedItem): string {
  const [group, version] = apiVersion.split('/');
  return `${pluralOf(kind)}${version === undefined ? '' : `.${group}`}`;
}

function pluralOf(kind: string): string {
  // The name in the CRD.
  if (kind === 'PublicKey') return 'publickeies';
  return kind.toLowerCase().replace(/y$/, 'ie').concat('s');
}

function selected(args: readonly string[], items: readonly RecordedItem[]): readonly RecordedItem[] {
  const { label, values } = selectorOf(optionOf(args, 'selector') ?? '');
  const name = optionOf(args, 'field-selector')?.replace('metadata.name=', '');
  const namespace = optionOf(args, 'namespace');
  return items.filter(({ metadata: { labels = {}, ...own } }) => {
    const value = labels[label];
    const hasLabel = label === '' || (value !== undefined && (values === null || values.includes(value)));
    const isInNamespace = namespace === undefined || own.namespace === namespace;
    return hasLabel && isInNamespace && (name === undefined || own.name === name);
  });
}

/** `a`, `a=b` or `a in (b,c)` as a label with its wanted values; null: any. */
function selectorOf(text: string): { readonly label: string; readonly values: readonly string[] | null } {
  const [, label = '', value, values] = /^([^= ]*)(?:=(.*)| in \((.*)\))?$/.exec(text) ?? [];
  return { label, values: values?.split(',') ?? (value === undefined ? null : [value]) };
}

/** The columns that the API server sends of a Secret: of its values their number. */
function secretTable(args: readonly string[], items: readonly RecordedItem[]): string {
  const rows = items.map(({ metadata: { namespace = '', name, labels = {} }, type, data }) => [
    ...[namespace, name, String(type ?? 'Opaque'), String(Object.keys(data ?? {}).length), '3d4h'],
    ...(args.includes('--show-labels') ? [labelText(labels)] : []),
  ]);
  const header = ['NAMESPACE', 'NAME', 'TYPE', 'DATA', 'AGE', 'LABELS'].slice(0, rows[0]?.length);
  const all = args.includes('--no-headers') ? rows : [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((it) => it[column]?.length ?? 0)) + 3);
  const lineOf = (row: readonly string[]): string => row.map((it, column) => it.padEnd(widths[column] ?? 0)).join('');
  return all.map((row) => `${lineOf(row).trimEnd()}\n`).join('');
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(inOrder(labels) as object).map((it) => it.join('='));
  return pairs.length === 0 ? '<none>' : pairs.join(',');
}

/** The order in which Go prints maps. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const sorted = Object.entries(value).sort(([a], [b]) => byCodeUnit(a, b));
  return Object.fromEntries(sorted.map(([key, it]) => [key, inOrder(it)]));
}

import { by, byCodeUnit, groupBy } from '../../base/core/collections.ts';
import { canonicalQuantity } from '../../base/core/quantity.ts';
import type { SchemaError } from '../../base/diagnostics/schema/schema-errors.ts';
import { validateTopology } from '../../base/generated/validators.js';
import { CHART, type ChartPart, chartPartBelow, resolvedPart } from '../../base/releases/chart-values.ts';
import type { ClusterSpec, Topology } from '../../base/schema-types/topology.ts';
import type { Reading, Untyped } from '../../base/source/reading.ts';
import type { Span } from '../../base/source/source.ts';
import type { ResourceQuantities } from './sharing-declaration.ts';

/** A value of Liqo's chart that the topology sets: a scalar or a list, below the maps that lead to it. */
export interface HelmValue {
  readonly path: readonly string[];
  readonly value: Untyped;
  /** The place of its key. */
  readonly key: Span;
  readonly at: Span;
}

/** The values of `helmValues`, sorted by path. An empty map sets none. */
export const readHelmValues = (cluster: Reading<ClusterSpec>): readonly HelmValue[] =>
  [...valuesBelow(cluster.at('helmValues').untyped(), CHART, [])].sort(by(({ path }) => path.join('\0')));

function* valuesBelow(
  at: Reading<Untyped>,
  part: ChartPart | undefined,
  path: readonly string[],
): Generator<HelmValue> {
  for (const { name, value } of at.entries()) {
    const [here, below] = [[...path, name.value], chartPartBelow(part, name.value)];
    const plain = value.plain();
    if (plain === undefined) continue;
    if (typeof plain === 'object' && !Array.isArray(plain)) {
      yield* valuesBelow(value, below, here);
      continue;
    }
    // YAML may contain numbers, which Kubernetes would convert into texts.
    const isAmount = part?.['x-weft-format'] === AMOUNTS;
    const usual = isAmount ? canonicalQuantity(String(plain)) : inOrder(plain, below);
    yield { path: here, value: usual, key: value.keySpan, at: value.span };
  }
}

/** The value with the keys of its maps in the order of the chart, and others behind them by name. */
function inOrder(value: Untyped, part: ChartPart | undefined): Untyped {
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((it) => inOrder(it, part?.items));
  const known = Object.keys(part?.properties ?? {});
  const place = (key: string): number => (known.includes(key) ? known.indexOf(key) : known.length);
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => place(a) - place(b) || byCodeUnit(a, b))
      .map(([key, it]) => [key, inOrder(it, chartPartBelow(part, key))]),
  );
}

/** The value at a path with dots; `undefined` when the topology does not set it. */
export const helmValueAt = (values: readonly HelmValue[], path: string): Untyped | undefined =>
  values.find((it) => it.path.join('.') === path)?.value;

/** The amounts of resources, wherever the chart has some. */
export const helmAmounts = (values: readonly HelmValue[]): ResourceQuantities =>
  values.flatMap(({ path, value, at }) => {
    const around = path.slice(0, -1).reduce<ChartPart | undefined>(chartPartBelow, CHART);
    return around?.['x-weft-format'] === AMOUNTS ? [[path.at(-1) ?? '', { value: String(value), at }] as const] : [];
  });

/** The format of maps with amounts of resources. */
const AMOUNTS = 'resources';

/** The values as one map of maps. */
type HelmTree = { readonly [key: string]: Untyped };

/** The map of maps that these values form, with sorted keys. */
export function helmTree(values: readonly HelmValue[], depth = 0): HelmTree {
  const byKey = groupBy(values, (it) => [it.path[depth] ?? '']);
  return Object.fromEntries(
    [...byKey]
      .sort(([a], [b]) => byCodeUnit(a, b))
      .map(([key, them]) => {
        const [first] = them;
        const isLeaf = first !== undefined && first.path.length === depth + 1;
        return [key, isLeaf ? first.value : helmTree(them, depth + 1)] as const;
      }),
  );
}

/**
 * Validates a topology, and its values of Liqo's chart by the chart. The chart is read as data: code for each of its
 * values would double the generated validators.
 */
export const validateWithChart = Object.assign(
  (data: unknown): data is Topology => {
    const own = validateTopology(data) ? [] : (validateTopology.errors ?? []);
    validateWithChart.errors = [...own, ...chartErrors(data)];
    return validateWithChart.errors.length === 0;
  },
  { errors: [] as readonly SchemaError[] },
);

function* chartErrors(topology: unknown): Iterable<SchemaError> {
  const { defaults, clusters } = mapIn(topology);
  yield* errorsOf(defaults, '/defaults');
  for (const [name, cluster] of Object.entries(mapIn(clusters))) yield* errorsOf(cluster, `/clusters/${escaped(name)}`);
}

function* errorsOf(cluster: unknown, path: string): Iterable<SchemaError> {
  const { helmValues } = mapIn(cluster);
  // The schema of the topology reports a value that is no map.
  if (typeOf(helmValues) === 'object') yield* errorsAt(helmValues, CHART, `${path}/helmValues`);
}

/** Any value but null: the parts of a map that is passed on as it is. */
const FREE: ChartPart = { type: ['string', 'number', 'boolean', 'array', 'object'] };

function* errorsAt(data: unknown, part: ChartPart, instancePath: string): Iterable<SchemaError> {
  const { type = [], enum: allowedValues, minimum, maximum, items, properties } = part;
  const error = (keyword: string, params: SchemaError['params']): SchemaError => ({
    instancePath,
    keyword,
    params,
    parentSchema: part === CHART ? { ...part, 'x-weft-removed': MOVED } : { ...part },
    data,
  });
  if (![type].flat().includes(typeOf(data))) {
    if (typeof data !== 'number' || !Number.isFinite(data) || ![type].flat().includes('number'))
      return yield error('type', { type });
  }
  if (allowedValues && !allowedValues.includes(String(data))) yield error('enum', { allowedValues });
  if (minimum !== undefined && Number(data) < minimum) yield error('minimum', { limit: minimum });
  if (maximum !== undefined && Number(data) > maximum) yield error('maximum', { limit: maximum });
  if (Array.isArray(data)) {
    for (const [i, it] of data.entries()) yield* errorsAt(it, resolvedPart(items ?? FREE), `${instancePath}/${i}`);
    return;
  }
  for (const [name, value] of Object.entries(mapIn(data))) {
    const below = chartPartBelow(part, name);
    if (below === undefined && properties) yield error('additionalProperties', { additionalProperty: name });
    else yield* errorsAt(value, below ?? FREE, `${instancePath}/${escaped(name)}`);
  }
}

/** Hints for keys of the second level that are written at the first one: `reflection` is in `offloading`. One of several parts has none. */
const MOVED: Readonly<Record<string, string>> = (() => {
  const parts = Object.entries(CHART.properties ?? {});
  const below = parts.flatMap(([name, part]) =>
    Object.keys(resolvedPart(part).properties ?? {}).map((key) => ({ name, key })),
  );
  const once = below.filter(({ key }) => below.filter((it) => it.key === key).length === 1);
  return Object.fromEntries(once.map(({ name, key }) => [key, `write it as \`helmValues.${name}.${key}\``]));
})();

const mapIn = (data: unknown): Readonly<Record<string, unknown>> =>
  typeOf(data) === 'object' ? (data as Readonly<Record<string, unknown>>) : {};

/** The type of a value in words of JSON Schema. */
function typeOf(data: unknown): string {
  if (data === null) return 'null';
  if (Array.isArray(data)) return 'array';
  return typeof data === 'number' && Number.isSafeInteger(data) ? 'integer' : typeof data;
}

/** Source of the escapes: RFC 6901. */
const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

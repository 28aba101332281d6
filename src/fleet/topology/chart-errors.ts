import type { SchemaError } from '../../base/diagnostics/schema/schema-errors.ts';
import { validateTopology } from '../../base/generated/validators.js';
import { CHART, type ChartPart, chartPartBelow, resolvedPart } from '../../base/releases/chart-values.ts';
import type { Topology } from '../../base/schema-types/topology.ts';

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

import { by, byCodeUnit, groupBy } from '../../base/core/collections.ts';
import { canonicalQuantity } from '../../base/core/quantity.ts';
import { CHART, type ChartPart, chartPartBelow } from '../../base/releases/chart-values.ts';
import type { ClusterSpec } from '../../base/schema-types/topology.ts';
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

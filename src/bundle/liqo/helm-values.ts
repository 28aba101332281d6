import { UNREFLECTED_ANNOTATIONS } from '../../base/releases/install-defaults.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import { type ChartValues, decidedValues } from '../../fleet/ipam/decided-values.ts';
import { type HelmValue, helmTree } from '../../fleet/model/network-model.ts';

/** The values of Liqo's chart: those that the topology decides by keys of its own, and those of its `helmValues`, which never contradict them. */
export const helmValues = (cluster: AddressedCluster): ChartValues =>
  mergeValues(decidedValues(cluster), helmTree(cluster.helmValues.map(withChartList)));

/** A list replaces the chart's, so what the chart excludes from reflection is in it. */
function withChartList(it: HelmValue): HelmValue {
  const { path, value } = it;
  if (path.join('.') !== 'offloading.reflection.skip.annotations' || !Array.isArray(value)) return it;
  return { ...it, value: [...new Set([...UNREFLECTED_ANNOTATIONS, ...value])] };
}

/** Values of a chart merged key by key through maps, as Helm merges files of values; a list or a scalar replaces. */
export function mergeValues(base: ChartValues, over: ChartValues): ChartValues {
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(over)) {
    const below = merged.get(key);
    if (isMap(below) && isMap(value)) merged.set(key, mergeValues(below, value));
    else if (value !== undefined) merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

const isMap = (value: ChartValues[string]): value is ChartValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

import { parseQuantity } from '../../../base/core/quantity.ts';
import { type Diagnostic, diagnostic, type Subject } from '../../../base/diagnostics/diagnostic.ts';
import { meantHint } from '../../../base/diagnostics/did-you-mean.ts';
import {
  CHART,
  type ChartPart,
  chartPartBelow,
  isInRelease,
  resolvedPart,
} from '../../../base/releases/chart-values.ts';
import type { ClusterDeclaration } from '../declaration.ts';
import { type HelmValue, helmAmounts } from '../helm-values.ts';
import type { Selector } from '../selector.ts';
import type { ResourceQuantities } from '../sharing-declaration.ts';
import type { TopologyRule } from './topology-rule.ts';

/** Amounts of memory and storage have a suffix: without one they are bytes. */
export const amountsOfBytesHaveASuffix: TopologyRule = function* ({ clusters, sharing }) {
  for (const { name, capacity, helmValues } of clusters)
    for (const it of [capacity, helmAmounts(helmValues)]) yield* fewBytes(it, [name]);
  for (const { consumer, provider, slices } of sharing)
    for (const { resources } of slices) yield* fewBytes(resources, ends(consumer, provider));
};

/** Above this number a replica of a gateway or a virtual kubelet adds nothing: one is active, the others wait. */
const MOST_REPLICAS = 10;

/** Above this number of workers for one kind of object, a virtual kubelet is limited by API servers. */
const MOST_WORKERS = 1000;

const MOST: ReadonlyMap<string, number> = new Map([
  ['replicas', MOST_REPLICAS],
  ['workers', MOST_WORKERS],
]);

/** Numbers of pods and of workers are ones that a cluster can run. */
export const countsAreModest: TopologyRule = function* ({ clusters }) {
  for (const { name, at: clusterAt, gateway, helmValues, retired } of clusters) {
    if (retired) continue;
    const counts = [
      { key: 'gateway.replicas', count: gateway.replicas, most: MOST_REPLICAS, at: clusterAt },
      ...helmValues.flatMap(({ path, value, at }) => {
        const most = MOST.get(path.at(-1) ?? '');
        return typeof value === 'number' && most !== undefined ? [{ key: path.join('.'), count: value, most, at }] : [];
      }),
    ];
    for (const { key, count, most, at } of counts) {
      if (count <= most) continue;
      yield diagnostic(
        'topology/unusual-value',
        at,
        `\`${key}\` of "${name}" is ${count}, more than any cluster needs`,
        {
          about: [[name]],
          hint: `write at most ${most}`,
        },
      );
    }
  }
};

/** The two clusters, if both have names. */
const ends = (consumer: Selector, provider: Selector): Subject | null =>
  consumer.kind === 'cluster' && provider.kind === 'cluster' ? [consumer.name, provider.name] : null;

const BYTES = /^(memory|storage|ephemeral-storage|hugepages-.*)$/;

/** Billionths of a byte in 1 MiB. Nothing that runs needs less. */
const LEAST = 1_000_000_000n * 1024n * 1024n;

function* fewBytes(resources: ResourceQuantities, about: Subject | null): Iterable<Diagnostic> {
  for (const [resource, { value, at }] of resources) {
    const nanos = BYTES.test(resource) ? parseQuantity(value)?.nanos : undefined;
    if (nanos === undefined || nanos === 0n || nanos >= LEAST) continue;
    yield diagnostic('topology/unusual-value', at, `${value} of ${resource} is less than 1Mi`, {
      ...(about === null ? {} : { about: [about] }),
      hint: `write a suffix, because an amount without one is in bytes: ${/^\d+$/.test(value) ? value : '8'}Gi`,
    });
  }
}

/** The chart of a cluster's release has every value of its `helmValues`: Helm would ignore another one without a word. */
export const helmValuesAreInTheRelease: TopologyRule = function* ({ clusters }) {
  for (const cluster of clusters) {
    if (cluster.retired) continue;
    for (const it of cluster.helmValues) yield* missingInRelease(it, cluster);
  }
};

function* missingInRelease(
  { path, key: at }: HelmValue,
  { name, release: { version } }: ClusterDeclaration,
): Iterable<Diagnostic> {
  let part: ChartPart | undefined = CHART;
  for (const [depth, key] of path.entries()) {
    const { properties = {} }: ChartPart = part ?? {};
    part = chartPartBelow(part, key);
    if (part === undefined || isInRelease(part, version)) continue;
    const { 'x-weft-since': since, 'x-weft-until': until } = part;
    const when = since === undefined ? `ended with Liqo ${until}` : `exists since Liqo ${since}`;
    const known = Object.entries(properties).flatMap(([it, below]) =>
      isInRelease(resolvedPart(below), version) ? [it] : [],
    );
    const dotted = path.slice(0, depth + 1).join('.');
    const message = `\`${dotted}\` in \`helmValues\` ${when}, and "${name}" runs ${version}`;
    return yield diagnostic('topology/not-in-release', at, message, {
      hint: meantHint(key, known) ?? 'remove it, or set `liqo.version` to the release that runs in the cluster',
    });
  }
}

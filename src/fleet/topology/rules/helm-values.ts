import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { meantHint } from '../../../base/diagnostics/did-you-mean.ts';
import {
  CHART,
  type ChartPart,
  chartPartBelow,
  isInRelease,
  resolvedPart,
} from '../../../base/releases/chart-values.ts';
import type { ClusterDeclaration } from '../declaration.ts';
import type { HelmValue } from '../helm-values.ts';
import type { TopologyRule } from './topology-rule.ts';

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

import type { Compiled } from '../../../src/compile.ts';
import { explainLive } from '../../../src/host/app/drift-fleet.ts';
import type { Finding } from '../../../src/live/drift/drift.ts';
import { type ExplainedCluster, explainFleet } from '../../../src/live/drift/explain-cluster.ts';
import { liveClusterOf } from './live-cluster-of.ts';
import type { KubernetesList } from './objects.ts';

/** The report of drift about simulated clusters. */
export const driftOf = (compiled: Compiled, dumps: ReadonlyMap<string, KubernetesList>): readonly ExplainedCluster[] =>
  explainFleet([...dumps].map(([cluster, list]) => explainLive(compiled, 'out', liveClusterOf(cluster, list))));

/** `hub different Network liqo-tenant-a/a-pod status.cidr: ["10.60.0.0/16","10.61.0.0/16"]` */
export const driftLines = (compiled: Compiled, dumps: ReadonlyMap<string, KubernetesList>): readonly string[] =>
  driftOf(compiled, dumps).flatMap(({ drift }) => drift.findings.map((it) => `${drift.cluster} ${findingLine(it)}`));

/** The subject of a finding: `Network liqo-tenant-a/a-pod`. */
export const aboutOf = ({ object: { kind, namespace, name } }: Finding): string => `${kind} ${namespace ?? ''}/${name}`;

export const findingLine = (it: Finding): string =>
  `${it.kind} ${aboutOf(it)}${it.kind === 'different' ? ` ${it.path.join('.')}: ${JSON.stringify([it.promised, it.live])}` : ''}`;

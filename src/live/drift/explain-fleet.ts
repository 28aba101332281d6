import { groupBy } from '../../base/core/group-by.ts';
import { shortened } from '../../base/core/words.ts';
import type { ExplainedCluster } from './explain-cluster.ts';
import type { LiveEnd } from './live-ends.ts';
import { type Problem, withDetails } from './problem.ts';

/**
 * Adds what only the other end of a link shows: whether both ends agree with each other, and in which of two clusters the
 * cause of a missing tunnel is. It reads summaries, so the objects of a cluster need not be kept until here.
 */
export function explainFleet(clusters: readonly ExplainedCluster[]): readonly ExplainedCluster[] {
  const others = new Map(
    clusters.map((it) => [
      it.drift.cluster,
      { ends: it.ends, problems: groupBy(it.problems, (one) => [one.peer ?? '']) },
    ]),
  );
  return clusters.map((it) => ({
    ...it,
    problems: it.problems.map((one) => {
      if (one.peer === null) return one;
      const { cluster } = it.drift;
      const there = others.get(one.peer);
      const here = it.ends.get(one.peer);
      const remote = {
        cluster: one.peer,
        end: there?.ends.get(cluster),
        problems: there?.problems.get(cluster) ?? [],
        own: there?.problems.get('') ?? [],
      };
      return withDetails(one, [...sentences(one, here, remote)]);
    }),
  }));
}

interface Remote {
  readonly cluster: string;
  /** `undefined` when that cluster was not looked at, or has no gateway for this one. */
  readonly end: LiveEnd | undefined;
  readonly problems: readonly Problem[];
  /** Those of that cluster that are about no peer. */
  readonly own: readonly Problem[];
}

/** What a Tenant at the other end, or a NamespaceOffloading there, may be the cause of. */
const OF_LOANS = new Set(['drift/offloading', 'drift/missing', 'drift/other-spec', 'drift/other-status']);

function* loanSentences({ effects }: Problem, { problems, own }: Remote): Iterable<string> {
  const namespaces = new Set(effects.flatMap((one) => (one.kind === 'different' ? [one.path[2] ?? ''] : [])));
  const cause =
    problems.find((one) => one.diagnostic.code === 'drift/tenant-condition') ??
    own.find((one) =>
      one.findings.some(({ object: { kind, namespace } }) => kind === OFFLOADING && namespaces.has(namespace ?? '')),
    );
  if (cause !== undefined) yield `at the other end: ${shortened(cause.diagnostic.message, 300)}`;
}

const OFFLOADING = 'NamespaceOffloading';

function* sentences(it: Problem, here: LiveEnd | undefined, remote: Remote): Iterable<string> {
  const { cluster, end, problems } = remote;
  if (OF_LOANS.has(it.diagnostic.code)) yield* loanSentences(it, remote);
  if (here === undefined) return;
  switch (it.diagnostic.code) {
    case 'drift/mtu':
      if (end === undefined) yield `"${cluster}" was not compared, so its MTU is not known`;
      else if (end.mtuBytes === here.mtuBytes)
        yield `"${cluster}" has the same MTU: both ends agree, and git is behind`;
      else yield `"${cluster}" has ${end.mtuBytes ?? 0}: the two ends differ, and large packets are lost`;
      return;
    case 'drift/port':
      if (end === undefined || end.role === here.role || end.port === null) return;
      if (end.port === here.port)
        yield `"${cluster}" uses port ${end.port} as well: both ends agree, and git is behind`;
      else if (end.role === 'client') yield `"${cluster}" dials port ${end.port}, where it finds nothing now`;
      else yield `"${cluster}" listens on port ${end.port}, so this end finds nothing`;
      return;
    case 'drift/not-connected': {
      const cause = problems.find((one) => one.diagnostic.code !== 'drift/not-connected' && !one.isWaiting);
      if (cause !== undefined) yield `at the other end: ${shortened(cause.diagnostic.message, 300)}`;
      else if (end?.connection === 'Connected') yield `"${cluster}" still reports the tunnel as Connected`;
      return;
    }
    default:
      return;
  }
}

import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Span } from '../../base/source/source.ts';
import { clusterIdsIn } from './cluster-id.ts';
import type { LiveObject } from './kubernetes-object.ts';
import { anotherCluster, twoClusters, whoseDump } from './live-diagnostics.ts';

interface DumpOfSomebody {
  /** The cluster that the user names. */
  readonly named: string | null;
  /** The name of its file, without the ending. */
  readonly stem: string | null;
  readonly at: Span;
  readonly objects: readonly LiveObject[];
}

type Owner =
  | {
      readonly ok: true;
      readonly cluster: string;
      /** The file is named like another cluster: a mistake, if there turns out to be such a cluster. */
      readonly unless: { readonly cluster: string; readonly problem: Diagnostic } | null;
    }
  | { readonly ok: false; readonly problem: Diagnostic };

/** Source: liqotech/liqo@v1.2.0 apis/core/v1beta1/foreigncluster_types.go. */
const CLUSTER_ID = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** The cluster that a file is named after; while no clusters are known, any ID may be one. */
export const namedAfter = (stem: string | null, clusters: ReadonlySet<string> | null): string | null =>
  stem !== null && (clusters === null ? CLUSTER_ID.test(stem) : clusters.has(stem)) ? stem : null;

/**
 * Whose dump it is: of the named cluster, of the one whose ID it contains, or of the one that its file is named after. No
 * two of these may contradict each other, but for the name of a file while no clusters are known.
 */
export function ownerOf(dump: DumpOfSomebody, clusters: ReadonlySet<string> | null): Owner {
  const { named, stem, at } = dump;
  const [found, another] = clusterIdsIn(dump.objects);
  const after = namedAfter(stem, clusters);
  const given = named ?? after;
  if (found === undefined)
    return given === null ? refused(whoseDump(at, [...(clusters ?? [])])) : { ok: true, cluster: given, unless: null };
  if (another !== undefined) return refused(twoClusters(another.from.at(), found.id, another.id));
  if (given === null || given === found.id) return { ok: true, cluster: found.id, unless: null };
  const problem = anotherCluster(found.from.at(), given, found.id);
  return named === null && clusters === null
    ? { ok: true, cluster: found.id, unless: { cluster: given, problem } }
    : refused(problem);
}

const refused = (problem: Diagnostic): Owner => ({ ok: false, problem });

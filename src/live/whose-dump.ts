import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Span } from '../source/source.ts';
import { clusterIdIn } from './cluster-id.ts';
import type { LiveObject } from './kubernetes-object.ts';
import { anotherCluster, whoseDump } from './live-diagnostics.ts';

interface DumpOfSomebody {
  /** The cluster that the user names. */
  readonly named: string | null;
  /** The name of its file, without the ending. */
  readonly stem: string | null;
  readonly at: Span;
  readonly objects: readonly LiveObject[];
}

type Owner = { readonly ok: true; readonly cluster: string } | { readonly ok: false; readonly problem: Diagnostic };

/** Source: liqotech/liqo@v1.2.0 apis/core/v1beta1/foreigncluster_types.go. */
const CLUSTER_ID = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/**
 * Whose dump it is: of the named cluster, of the one whose ID it contains, or of the one that its file is named after. No
 * two of these may contradict each other. Where no clusters are known, any ID will do.
 */
export function ownerOf({ named, stem, at, objects }: DumpOfSomebody, clusters: readonly string[] | null): Owner {
  const found = clusterIdIn(objects);
  const given =
    named ?? (stem !== null && (clusters === null ? CLUSTER_ID.test(stem) : clusters.includes(stem)) ? stem : null);
  if (found === undefined)
    return given === null ? { ok: false, problem: whoseDump(at, clusters ?? []) } : { ok: true, cluster: given };
  if (given === null || given === found.id) return { ok: true, cluster: found.id };
  return { ok: false, problem: anotherCluster(found.from.at(), given, found.id) };
}

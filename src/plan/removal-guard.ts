import type { Plan } from './plan-changes.ts';

export interface Removal {
  readonly what: 'clusters' | 'links';
  /** The names of each: a cluster has one, a link has two. */
  readonly gone: readonly (readonly string[])[];
  readonly of: number;
}

/** A third: above it, a plan is more often a mistake (an emptied file, a wrong branch) than intended. */
export const MAX_REMOVED = 1 / 3;

/** Removed clusters or links, if they are more than a share of all; a renamed cluster is not removed. */
export function tooMuchRemoved({ changes, size }: Plan, maxShare: number): readonly Removal[] {
  const clusters = changes.flatMap((it) =>
    it.kind === 'cluster-retired' || (it.kind === 'cluster-removed' && !it.wasRetired) ? [[it.cluster]] : [],
  );
  const links = changes.flatMap((it) => (it.kind === 'link-removed' ? [it.link.ends] : []));
  const removals: readonly Removal[] = [
    { what: 'clusters', gone: clusters, of: size.before.clusters },
    { what: 'links', gone: links, of: size.before.links },
  ];
  return removals.filter((it) => it.gone.length > it.of * maxShare);
}

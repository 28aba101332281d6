import { maskSecrets } from '../base/core/secrets.ts';
import type { BundleSource, DeliverySetting, Difference, GitOpsTool } from './difference.ts';
import type { Rename } from './find-renames.ts';
import { BASENAME, type NetworkState, type ToolState } from './network-state.ts';

export const TOOLS = [
  ['argo', 'Argo CD'],
  ['flux', 'Flux'],
] as const;

/**
 * Compares the source from which a tool reads bundles, and the destinations of clusters that stay. `before` has the old
 * names.
 */
export function* compareDelivery(
  before: NetworkState,
  after: NetworkState,
  renames: readonly Rename[],
): Iterable<Difference> {
  const formerNames = new Map(renames.map((it) => [it.to, it.from]));
  for (const [key, tool] of TOOLS) {
    const [was, is] = [before.fleet.tools[key], after.fleet.tools[key]];
    if (was === null || is === null) continue;
    for (const setting of Object.keys(is.source) as (keyof ToolState['source'])[]) {
      // The owner of the source decides both.
      if (setting === 'revision' && is.source.repository === null) continue;
      yield* changed({ tool, cluster: null, setting }, was.source[setting], is.source[setting]);
    }
    const [old, now] = [destinations(was), destinations(is)];
    for (const cluster of after.clusters.keys()) {
      const formerName = formerNames.get(cluster) ?? cluster;
      if (!before.clusters.has(formerName)) continue;
      yield* changed({ tool, cluster, setting: 'destination' }, old(formerName), now(cluster));
    }
  }
}

/** The destinations of a cluster's bundle that are not the cluster with its name. */
export const destinationsOf = (cluster: string, { fleet }: NetworkState) =>
  TOOLS.flatMap(([key, tool]) => {
    const state = fleet.tools[key];
    const to = state && maskedText(destinations(state)(cluster));
    return to === null ? [] : [{ tool, to }];
  });

/** The objects of Argo CD and Flux that apply the bundle of a cluster: `kustomization/weft-europe.rome`. */
export const appliersOf = (cluster: string, { fleet }: NetworkState): readonly string[] =>
  TOOLS.flatMap(([tool]) => fleet.tools[tool]?.appliers ?? [])
    .filter((it) => it.cluster === null || it.cluster === cluster)
    .map(({ object }) => object.replaceAll(BASENAME, () => cluster));

interface Place {
  readonly tool: GitOpsTool;
  readonly cluster: string | null;
  readonly setting: DeliverySetting;
}

/** The text with masked secrets: Secrets are compared, but not displayed. */
const maskedText = (it: string | null): string | null => it && maskSecrets(it);

export const shownSource = ({ source: { repository, revision, source } }: ToolState): BundleSource => ({
  repository: maskedText(repository),
  revision: maskedText(revision),
  source: maskedText(source),
});

function* changed(place: Place, from: string | null, to: string | null): Iterable<Difference> {
  if (from !== to) yield { kind: 'delivery-changed', ...place, from: maskedText(from), to: maskedText(to) };
}

function destinations({ destinations: listed, otherDestinations }: ToolState): (cluster: string) => string | null {
  const known = new Map(listed);
  return (cluster) => (known.has(cluster) ? (known.get(cluster) ?? null) : otherDestinations);
}

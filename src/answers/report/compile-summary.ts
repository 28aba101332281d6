import { sortedUnique } from '../../base/core/order.ts';
import { printPrefix } from '../../base/net/text.ts';
import { type AddressedModel, viewsOf } from '../../fleet/ipam/addressed-model.ts';
import type { SharedModel } from '../../fleet/sharing/shared-model.ts';

/** What one compile decided, as data. */
export interface CompileSummary {
  readonly fleet: string;
  readonly clusters: number;
  readonly hubs: readonly string[];
  readonly retired: readonly string[];
  readonly links: { readonly hub: number; readonly peering: number; readonly shortcut: number };
  /** `null` for a fleet that shares nothing. */
  readonly sharing: SharingCounts | null;
  readonly views: ViewCounts;
  /** The first few remapped views; those of pods come before those of external CIDRs. */
  readonly remapped: readonly RemappedView[];
}

interface SharingCounts {
  /** Pairs of a consumer and a provider. */
  readonly pairs: number;
  readonly slices: number;
  readonly namespaces: number;
}

interface ViewCounts {
  readonly total: number;
  readonly remapped: number;
  readonly orderDependent: number;
  readonly history: number;
}

interface RemappedView {
  readonly cluster: string;
  readonly peer: string;
  readonly kind: 'pod' | 'external';
  readonly cidr: string;
  readonly seenAs: string;
}

const SHOWN_VIEWS = 4;

export function compileSummary(model: SharedModel): CompileSummary {
  const clusters = [...model.clusters.values()];
  const count = (kind: string) => model.links.filter((it) => it.kind === kind).length;
  return {
    fleet: model.fleet.name,
    clusters: clusters.length,
    hubs: sortedUnique(clusters.flatMap((it) => it.hubs)),
    retired: clusters.filter((it) => it.retired).map((it) => it.name),
    links: { hub: count('hub'), peering: count('peering'), shortcut: count('shortcut') },
    sharing: countSharing(model),
    ...summarizeViews(model),
  };
}

function countSharing({ shares, offloadings }: SharedModel): SharingCounts | null {
  if (shares.length + offloadings.length === 0) return null;
  const slices = shares.reduce((sum, it) => sum + it.slices.length, 0);
  return { pairs: shares.length, slices, namespaces: offloadings.length };
}

function summarizeViews(model: AddressedModel): Pick<CompileSummary, 'views' | 'remapped'> {
  const views = { total: 0, remapped: 0, orderDependent: 0, history: 0 };
  const pods: RemappedView[] = [];
  const externals: RemappedView[] = [];
  for (const cluster of model.clusters.values()) {
    for (const peer of cluster.peers.values()) {
      const all = viewsOf(peer);
      views.total += all.length;
      if (peer.orderDependent) views.orderDependent += all.length;
      for (const view of all) {
        if (view.history) views.history += 1;
        if (view.cidr.base === view.seenAs.base) continue;
        views.remapped += 1;
        const kind = view === peer.externalView ? 'external' : 'pod';
        const list = kind === 'pod' ? pods : externals;
        if (list.length >= SHOWN_VIEWS) continue;
        const [cidr, seenAs] = [printPrefix(view.cidr), printPrefix(view.seenAs)];
        list.push({ cluster: cluster.name, peer: peer.name, kind, cidr, seenAs });
      }
    }
  }
  return { views, remapped: [...pods, ...externals].slice(0, SHOWN_VIEWS) };
}

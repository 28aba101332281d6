import { OverlapIndex } from '../../base/net/overlap-index.ts';
import { samePrefix } from '../../base/net/prefix.ts';
import type { LiveView } from './live-network.ts';

/** A view that cannot be as it is beside another one of the same cluster. */
export interface OverlappingView {
  readonly view: LiveView;
  readonly other: LiveView;
}

interface SortedViews {
  /** Of views that overlap each other the first one, and one without a remap before others. */
  readonly sound: readonly LiveView[];
  readonly overlapping: readonly OverlappingView[];
}

/** Live views that can all be kept at once, and those that share addresses with one of them. */
export function overlappingViews(views: readonly LiveView[]): SortedViews {
  const indexes = new Map<string, OverlapIndex<LiveView>>();
  const sound = new Set<LiveView>();
  const overlapping: OverlappingView[] = [];
  const isFree = ({ cidr, seenAs }: LiveView): boolean => samePrefix(cidr, seenAs);
  for (const view of [...views.filter(isFree), ...views.filter((it) => !isFree(it))]) {
    const index = indexes.get(view.viewer) ?? new OverlapIndex<LiveView>();
    indexes.set(view.viewer, index);
    const other = index.first(view.seenAs);
    if (other !== undefined) {
      overlapping.push({ view, other });
      continue;
    }
    index.add(view.seenAs, view);
    sound.add(view);
  }
  return { sound: views.filter((it) => sound.has(it)), overlapping };
}

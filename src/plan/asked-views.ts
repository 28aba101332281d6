import { groupBy } from '../core/group-by.ts';
import { OverlapIndex } from '../net/overlap-index.ts';
import type { Prefix } from '../net/prefix.ts';
import { readPrefix } from '../net/text.ts';
import type { NetworkState, SideState, ViewState } from './network-state.ts';

/** The views that the clusters of a fleet ask for in one change, beside those that they keep. */
export interface AskedViews {
  /** Whether a cluster asks for a view of any peer but this one. */
  readonly ofOthers: (cluster: string, peer: string) => boolean;
  /** The same, for peers that it has already. */
  readonly ofOthersAgain: (cluster: string, peer: string) => boolean;
  /** Whether a cluster gets an address that it has given to this side so far. */
  readonly takeFrom: (side: SideState) => boolean;
}

/**
 * An IPAM gives what is free at that moment, so where a cluster asks for views in the same change in which others go, the
 * order decides.
 *
 * @param renamed clusters that their peers know under another name so far
 */
export function askedViews(before: NetworkState, after: NetworkState, renamed: ReadonlySet<string>): AskedViews {
  const asked = [...after.links].flatMap(([pair, { sides }]) =>
    [...sides.values()].flatMap((side) => {
      const { cluster, peer, views } = side;
      const was = before.links.get(pair)?.sides.get(cluster);
      const isKept = was !== undefined && hasSameName(was, side) && !renamed.has(peer);
      const added = isKept ? views.filter((it) => !was.views.some((one) => isSame(one, it))) : views;
      return added.length === 0 ? [] : [{ cluster, peer, added, isAgain: was !== undefined }];
    }),
  );
  const byCluster = groupBy(asked, (it) => [it.cluster]);
  const taken = new Map<string, OverlapIndex<true>>();
  const takenIn = (cluster: string): OverlapIndex<true> => {
    const known = taken.get(cluster) ?? new OverlapIndex<true>();
    if (!taken.has(cluster))
      for (const it of prefixes((byCluster.get(cluster) ?? []).flatMap(({ added }) => added))) known.add(it, true);
    taken.set(cluster, known);
    return known;
  };
  return {
    ofOthers: (cluster, peer) => byCluster.get(cluster)?.some((it) => it.peer !== peer) === true,
    ofOthersAgain: (cluster, peer) => byCluster.get(cluster)?.some((it) => it.isAgain && it.peer !== peer) === true,
    takeFrom: ({ cluster, views }) => prefixes(views).some((it) => takenIn(cluster).first(it) === true),
  };
}

/** A Configuration of another name is another one. */
const hasSameName = ({ names: was }: SideState, { names: is }: SideState): boolean =>
  was.namespace === is.namespace && was.configuration === is.configuration;

const isSame = (a: ViewState, b: ViewState): boolean => a.kind === b.kind && a.cidr === b.cidr && a.seenAs === b.seenAs;

/** Files that were edited by hand may contain anything. */
const prefixes = (views: readonly ViewState[]): readonly Prefix[] =>
  views.flatMap(({ seenAs }) => {
    const reading = readPrefix(seenAs);
    return reading.ok ? [reading.prefix] : [];
  });

import { sortedUnique } from '../base/core/collections.ts';
import { type Demand, type Demands, demandId, endsOf, isStronger } from './demand.ts';
import type { Difference } from './difference.ts';
import type { Rename } from './find-renames.ts';
import type { NetworkState } from './network-state.ts';

/** Compares the assertions: removed, changed and added ones, in source order. */
export function* compareDemands(
  { before, after }: Demands,
  renames: readonly Rename[],
  { clusters }: NetworkState,
): Iterable<Difference> {
  const names = new Map(renames.map((it) => [it.from, it.to]));
  const was = byId((before ?? after).map((it) => renamedDemand(it, (name) => names.get(name) ?? name)));
  const is = byId(after);
  const stays = (cluster: string): boolean => clusters.get(cluster)?.retired === false;
  const open = [...is].filter(([id]) => !was.has(id)).map(([, it]) => it);
  for (const [id, from] of was) {
    const same = is.get(id);
    const at = same === undefined ? open.findIndex((it) => endsOf(it) === endsOf(from)) : -1;
    const to = same ?? open.splice(at, at === -1 ? 0 : 1)[0] ?? null;
    const spared = to === null ? [] : sparedBy(from, to).filter(stays);
    if (same !== undefined && spared.length === 0) continue;
    const isImplied = [...is.values()].some((it) => implies(it, from, stays));
    yield { kind: 'assertion-changed', from, to, spared, isImplied };
  }
  for (const to of open) yield { kind: 'assertion-changed', from: null, to, spared: [], isImplied: false };
}

const byId = (all: readonly Demand[]): ReadonlyMap<string, Demand> => new Map(all.map((it) => [demandId(it), it]));

/** The clusters that the same text no longer selects, because they have other labels. */
const sparedBy = (from: Demand, to: Demand): readonly string[] =>
  sortedUnique([0, 1].flatMap((side) => from.applies[side]?.filter((it) => !to.applies[side]?.includes(it)) ?? []));

/** True when every network that meets a demand also meets the other one. */
const implies = (it: Demand, other: Demand, stays: (cluster: string) => boolean): boolean =>
  (demandId({ ...it, from: '', to: '' }) === demandId({ ...other, from: '', to: '' }) || isStronger(other, it)) &&
  (other.applies[1].length > 0 || it.to === other.to) &&
  sparedBy(other, it).filter(stays).length === 0;

function renamedDemand(it: Demand, name: (cluster: string) => string): Demand {
  const [from, to] = it.applies;
  return {
    ...it,
    from: name(it.from),
    to: name(it.to).replace(/(?<= of ).*$/, name),
    named: it.named.map(name),
    applies: [from.map(name), to.map(name)],
  };
}

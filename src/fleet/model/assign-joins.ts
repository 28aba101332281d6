import { byCodeUnit } from '../../base/core/collections.ts';
import { printLinkId } from '../../base/core/lock-key.ts';
import { type Decisions, decisionAbout } from '../lock/decisions.ts';
import type { Declaration } from '../topology/declaration.ts';
import type { LinkRequest } from './link-stages.ts';

/**
 * The join number of each link. Known links keep theirs; new links follow in this order: hub links before others, then
 * `order`, then by name. Two branches may have assigned the same number; then the later of the two links gets the next
 * number, so that every number is unique.
 */
export function assignJoins(
  links: readonly LinkRequest[],
  declaration: Declaration,
  decisions: Decisions,
): ReadonlyMap<LinkRequest, number> {
  const kept = new Map(links.map((it) => [it, decisionAbout<number>(decisions, { kind: 'join', link: it.id })?.value]));
  const rank = rankOf(declaration);
  const sorted = [...links].sort((a, b) => {
    const [x, y] = [kept.get(a) ?? Number.POSITIVE_INFINITY, kept.get(b) ?? Number.POSITIVE_INFINITY];
    return x === y ? compare(rank(a), rank(b)) : x - y;
  });
  const joins = new Map<LinkRequest, number>();
  let last = 0;
  for (const link of sorted) {
    last = Math.max(last + 1, kept.get(link) ?? 0);
    joins.set(link, last);
  }
  return joins;
}

/** The order of new links; the first difference decides. */
interface Rank {
  /** 0 for a hub link, 1 for any other. */
  readonly kind: number;
  /** Indexes in `order` of the end that joins last and of the one that joins first. */
  readonly last: number;
  readonly first: number;
  readonly id: string;
}

/** The rank of a link. It joins when the later of its ends does; a hub exists from the start. */
function rankOf({ order }: Declaration): (link: LinkRequest) => Rank {
  const places = new Map(order.map((it, i) => [it.value, i]));
  const placeOf = (name: string): number => places.get(name) ?? order.length;
  return ({ hub, ends, id }) => {
    const joining = ends.filter((it) => it !== hub).map((it) => placeOf(it.name));
    return {
      kind: hub ? 0 : 1,
      last: Math.max(...joining),
      first: Math.min(...joining),
      id: printLinkId(id),
    };
  };
}

function compare(a: Rank, b: Rank): number {
  return a.kind - b.kind || a.last - b.last || a.first - b.first || byCodeUnit(a.id, b.id);
}

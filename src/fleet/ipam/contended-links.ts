import { contains, type Prefix, samePrefix } from '../../base/net/prefix.ts';
import { AddressSet } from './address-set.ts';
import type { Allocator } from './allocators/allocator.ts';
import type { ViewRequest } from './view-request.ts';

/** The requests of a link, and the cluster's view of them. */
export interface SeenLink {
  readonly requests: readonly ViewRequest[];
  /** True when some requested network is remapped. */
  readonly remapped: boolean;
}

/** Largest number of links for which every order is tried, which is 24 orders. */
const MOST_TRIED = 4;

/**
 * The links whose views depend on the order in which the cluster's Configurations are applied. Candidates are remapped
 * links, and links that keep their own networks only because they come before a remapped one that requests some of the
 * same addresses. When there are many candidates, all of them are returned.
 *
 * @param fresh creates an IPAM in the state after the cluster's own reservations.
 */
export function contendedLinks<T extends SeenLink>(links: readonly T[], fresh: () => Allocator): ReadonlySet<T> {
  const remapped = links.filter((it) => it.remapped);
  if (remapped.length === 0 || links.length < 2) return new Set();
  const ipam = fresh();
  const claimed = new AddressSet();
  for (const { requests } of remapped) for (const it of claims(requests, ipam)) claimed.add(it);
  const candidates = new Set(
    links.filter((it) => it.remapped || it.requests.some(({ cidr }) => claimed.overlaps(cidr))),
  );
  if (candidates.size > MOST_TRIED) return candidates;
  for (const it of links) if (!candidates.has(it)) acquireAll(it, ipam);
  const [first, ...others] = ordersOf([...candidates]).map((it) => answersTo(it, ipam));
  return new Set([...candidates].filter((it) => others.some((answers) => !areSame(answers.get(it), first?.get(it)))));
}

/** The networks that a link would keep if it were the first: free, and not around one that it requests before. */
function claims(requests: readonly ViewRequest[], ipam: Allocator): readonly Prefix[] {
  const cidrs = requests.map((it) => it.cidr);
  return cidrs.filter((cidr, i) => ipam.fits(cidr) && !cidrs.slice(0, i).some((it) => contains(cidr, it)));
}

/** One network for each request; `null` when the IPAM has none for it. */
type Answers = readonly (Prefix | null)[];

const acquireAll = ({ requests }: SeenLink, ipam: Allocator): Answers =>
  requests.map((it) => {
    const given = ipam.acquire(it.cidr);
    return given.ok ? given.prefix : null;
  });

/** The networks that the links get in this order. The IPAM is restored afterwards. */
function answersTo<T extends SeenLink>(order: readonly T[], ipam: Allocator): ReadonlyMap<T, Answers> {
  const answers = new Map(order.map((it) => [it, acquireAll(it, ipam)]));
  for (const it of [...answers.values()].flat()) if (it !== null) ipam.release(it);
  return answers;
}

const areSame = (a: Answers = [], b: Answers = []): boolean =>
  a.every((it, i) => {
    const other = b[i] ?? null;
    return it === null || other === null ? it === other : samePrefix(it, other);
  });

function ordersOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length === 0) return [[]];
  return items.flatMap((first) => ordersOf(items.filter((it) => it !== first)).map((it) => [first, ...it]));
}

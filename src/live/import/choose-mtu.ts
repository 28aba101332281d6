import { DEFAULT_MTU_BYTES } from '../../base/releases/install-defaults.ts';
import type { LiveLink } from './live-link.ts';
import { mostCommon } from './most-common.ts';

interface ChosenMtus {
  /** Of the gateways of a cluster; weft's default where a cluster is left out. */
  readonly ofClusters: ReadonlyMap<string, number>;
  /** By identity of the link, where its gateways do not say it. */
  readonly ofLinks: ReadonlyMap<string, number>;
}

/** The MTU of a link, in bytes: where its ends differ the smaller one, with which both can work. */
function mtuOf({ ends }: LiveLink): number {
  const known = ends.flatMap(({ gateway }) => (gateway?.mtu ? [gateway.mtu] : []));
  return known.length === 0 ? DEFAULT_MTU_BYTES : Math.min(...known);
}

/** Gateways with one MTU, and links that have another: either one for the fleet, or for each cluster its largest. */
export function chooseMtus(links: readonly LiveLink[]): ChosenMtus {
  const wanted = links.map((link) => ({ link, mtu: mtuOf(link) }));
  const most = mostCommon(wanted.map((it) => it.mtu));
  const isUsual = wanted.filter((it) => it.mtu === DEFAULT_MTU_BYTES).length >= (most?.count ?? 0);
  const usual = isUsual ? DEFAULT_MTU_BYTES : (most?.value ?? DEFAULT_MTU_BYTES);
  const largest = new Map<string, number>();
  for (const { link, mtu } of wanted) {
    for (const { cluster } of link.ends) largest.set(cluster, Math.max(mtu, largest.get(cluster) ?? 0));
  }
  const same = new Map([...largest.keys()].map((it) => [it, usual] as const));
  const [bySame, byLargest] = [ofLinks(wanted, same), ofLinks(wanted, largest)];
  const others = [...largest.values()].filter((it) => it !== usual).length;
  return byLargest.size + others < bySame.size
    ? { ofClusters: largest, ofLinks: byLargest }
    : { ofClusters: same, ofLinks: bySame };
}

/** A link gets the smaller MTU of its gateways; where they differ, weft asks for one of the link. */
function ofLinks(
  wanted: readonly { readonly link: LiveLink; readonly mtu: number }[],
  gateways: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const differing = wanted.filter(({ link, mtu }) => link.ends.some((it) => gateways.get(it.cluster) !== mtu));
  return new Map(differing.map(({ link, mtu }) => [link.id, mtu]));
}

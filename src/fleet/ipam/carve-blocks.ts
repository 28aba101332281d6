import { addAll } from '../../base/core/collections.ts';
import { type BlockKind, parseLockKey } from '../../base/core/lock-key.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { fnv1a } from '../../base/net/fnv.ts';
import { AddressSet, OverlapIndex } from '../../base/net/overlap-index.ts';
import { contains, lastAddress, overlaps, type Prefix, samePrefix } from '../../base/net/prefix.ts';
import { printPrefix, readPrintedPrefix } from '../../base/net/text.ts';
import { allocatorTraits } from '../../base/releases/allocators.ts';
import type { Located } from '../../base/source/source.ts';
import { contradiction, type Decisions, decisionAbout } from '../lock/lock.ts';
import type { CidrRequest, Cluster, NetworkModel } from '../model/network-model.ts';
import { type AddressedModel, viewsOf } from './addressed-model.ts';
import { PrefixTrie } from './allocators/prefix-trie.ts';
import { placeOwnAddresses } from './own-addresses.ts';

/** The blocks of clusters with `auto`, by cluster. */
interface CarvedBlocks {
  readonly external: ReadonlyMap<string, Prefix>;
  readonly internal: ReadonlyMap<string, Prefix>;
}

type Carve = NetworkModel['fleet']['carve'];

/** An external or internal CIDR that the topology sets to `auto`. */
interface BlockRequest {
  readonly cluster: Cluster;
  readonly kind: BlockKind;
}

/** The networks outside which the next block is carved: those that clusters use, their blocks, and their views. */
export const networksOfFleet = (model: AddressedModel): readonly Prefix[] => [
  ...networksInUse(model),
  ...[...model.clusters.values()].flatMap((it) => [
    ...(it.external.kind === 'auto' ? [it.externalCIDR] : []),
    ...(it.internal.kind === 'auto' ? [it.internalCIDR] : []),
    ...[...it.peers.values()].flatMap((peer) => viewsOf(peer).map(({ seenAs }) => seenAs)),
  ]),
];

/** The number of blocks that can still be carved. */
export function countFreeBlocks({ fleet: { carve } }: AddressedModel, taken: readonly Prefix[]): number {
  const counts = rangesOf(carve).map((from) => {
    if (taken.some((it) => contains(it, from))) return 0;
    const trie = new PrefixTrie(from);
    for (const it of taken) trie.share(it);
    return trie.countFree(carve.length);
  });
  return counts.reduce((sum, it) => sum + it, 0);
}

/** Carves blocks for clusters that join a fleet one after another, outside the taken networks, to which each is added. */
export function blockCarver(
  { fleet: { carve } }: AddressedModel,
  taken: AddressSet,
): (name: string, kind: BlockKind) => Prefix | undefined {
  const windows = windowsOf(carve);
  return (name, kind) => {
    const block = carveBlock(name, kind, windows, taken);
    if (block !== undefined) taken.add(block);
    return block;
  };
}

/**
 * The number of blocks in a window. Blocks are taken from the upper end of the range, because people usually number
 * from the lower end, window by window. Inside a window a hash of the cluster's name chooses, so that two branches
 * rarely choose the same block, and the blocks are still close together: scattered ones would split the large networks
 * that remaps need.
 */
const WINDOW_BLOCKS = 64;

/**
 * Carves a block that is free in the whole fleet for every `auto`. Blocks of the lock stay as long as their cluster can
 * use them.
 */
export function carveBlocks(
  model: NetworkModel,
  decisions: Decisions,
): { readonly blocks: CarvedBlocks; readonly found: readonly Diagnostic[] } {
  const found: Diagnostic[] = [];
  const blocks = { external: new Map<string, Prefix>(), internal: new Map<string, Prefix>() };
  const requests = [...model.clusters.values()].flatMap((cluster) =>
    (['external', 'internal'] as const)
      .filter((kind) => cluster[kind].kind === 'auto')
      .map((kind): BlockRequest => ({ cluster, kind })),
  );
  if (requests.length === 0) return { blocks, found };
  const taken = new AddressSet();
  const undecided: BlockRequest[] = [];
  const kept: { readonly it: BlockRequest; readonly block: Located<Prefix> }[] = [];
  for (const it of requests) {
    const block = keptBlock(it, decisions);
    const other = block && whyBlockIsLost(it, block.value);
    if (block && !other) {
      kept.push({ it, block });
      taken.add(block.value);
      blocks[it.kind].set(it.cluster.name, block.value);
    } else {
      if (block && other) found.push(blockMoved(it, block, other));
      undecided.push(it);
    }
  }
  addAll(found, blocksKeptTwice(kept));
  if (undecided.length === 0) return { blocks, found };
  for (const prefix of networksInUse(model)) taken.add(prefix);
  const views = decidedViews(decisions);
  const announced = announcedBlocks(undecided, views);
  for (const { seenAs, announces } of views) if (announces === null || !announced.has(announces)) taken.add(seenAs);
  const isAnnounced = announcedByOthers(announced);
  const again = undecided.flatMap((it) => {
    const former = it.kind === 'external' ? (announced.get(it.cluster.name) ?? []) : [];
    const block = keepAnnounced(it, model, former, (one) => isAnnounced(one, it.cluster.name) || taken.overlaps(one));
    return block ? [{ it, block }] : [];
  });
  for (const { it, block } of again) {
    taken.add(block);
    blocks[it.kind].set(it.cluster.name, block);
  }
  for (const it of [...announced.values()].flat()) taken.add(it);
  const windows = windowsOf(model.fleet.carve);
  for (const it of undecided) {
    if (blocks[it.kind].has(it.cluster.name)) continue;
    const block = carveBlock(it.cluster.name, it.kind, windows, taken);
    if (!block) {
      found.push(exhausted(it, model));
      break; // The next one would be reported for the same reason.
    }
    taken.add(block);
    blocks[it.kind].set(it.cluster.name, block);
  }
  return { blocks, found };
}

function keptBlock({ cluster, kind }: BlockRequest, decisions: Decisions): Located<Prefix> | undefined {
  const kept = decisionAbout(decisions, { kind: 'block', cluster: cluster.name, block: kind });
  const value = kept && readPrintedPrefix(String(kept.value));
  return value && { value, at: kept.at };
}

const prefixesOf = (request: CidrRequest): readonly Prefix[] => (request.kind === 'auto' ? [] : [request.prefix]);

/**
 * The external and internal CIDRs that are not carved, after Liqo has moved colliding ones. The external one is final;
 * Liqo may still move the internal one when it collides with a carved external one.
 */
function placedCIDRs(cluster: Cluster): Readonly<Record<BlockKind, readonly Prefix[]>> {
  const [external, internal] = [prefixesOf(cluster.external), prefixesOf(cluster.internal)];
  if (staysInPlace(cluster, [...external, ...internal])) return { external, internal };
  const placed = placeOwnAddresses(cluster, {});
  return {
    external: cluster.external.kind === 'auto' ? [] : [placed.externalCIDR],
    internal: cluster.internal.kind === 'auto' ? [] : [placed.internalCIDR],
  };
}

/**
 * True when networks are inside pools and overlap nothing, so that Liqo's allocators do not move them. This is the
 * usual case, which needs no allocator.
 */
function staysInPlace(cluster: Cluster, wanted: readonly Prefix[]): boolean {
  if (allocatorTraits(cluster.allocator).movesFreeNetworks) return false;
  return wanted.every(
    (it, i) =>
      cluster.pools.some((pool) => pool.value.length < it.length && contains(pool.value, it)) &&
      !cluster.podCIDRs.some((other) => overlaps(it, other.value)) &&
      !overlaps(it, cluster.serviceCIDR.value) &&
      !cluster.reserved.some((other) => overlaps(it, other.value)) &&
      !wanted.some((other, before) => before < i && overlaps(it, other)),
  );
}

/** The reason why the cluster cannot keep its block: a CIDR of its own overlaps it, or no pool contains it. */
function whyBlockIsLost({ cluster, kind }: BlockRequest, block: Prefix): string | undefined {
  const own = [...cluster.podCIDRs, cluster.serviceCIDR, ...cluster.reserved].map((it) => it.value);
  const other = kind === 'external' ? prefixesOf(cluster.internal) : placedCIDRs(cluster).external;
  const overlapping = [...own, ...other].find((it) => overlaps(it, block));
  if (overlapping) return `it overlaps ${printPrefix(overlapping)}, which the cluster itself uses`;
  return cluster.pools.some((pool) => contains(pool.value, block))
    ? undefined
    : 'it no longer lies in a pool of the cluster';
}

/** A view of the lock. */
interface DecidedView {
  readonly seenAs: Prefix;
  /** The cluster whose external CIDR has a view without a remap; `null` for any other view. */
  readonly announces: string | null;
}

function decidedViews(decisions: Decisions): readonly DecidedView[] {
  return [...decisions].flatMap(([text, { value }]) => {
    const key = parseLockKey(text);
    const seenAs = readPrintedPrefix(String(value));
    if (key?.kind !== 'view' || !seenAs) return [];
    const { first, second } = key.link;
    const isAsAnnounced = key.role === 'external' && samePrefix(key.cidr, seenAs);
    const announces = isAsAnnounced ? (key.viewer === first ? second : first) : null;
    return [{ seenAs, announces }];
  });
}

/**
 * The external block that peers still see, for each cluster whose block must be decided again: they need no change when
 * the cluster keeps it.
 */
function announcedBlocks(
  undecided: readonly BlockRequest[],
  views: readonly DecidedView[],
): ReadonlyMap<string, readonly Prefix[]> {
  const names = new Set(undecided.filter((it) => it.kind === 'external').map((it) => it.cluster.name));
  const blocks = new Map<string, Prefix[]>();
  for (const { seenAs, announces } of views) {
    if (announces === null || !names.has(announces)) continue;
    const known = blocks.get(announces);
    if (known) known.push(seenAs);
    else blocks.set(announces, [seenAs]);
  }
  return blocks;
}

/** True when a network shares an address with an announced block of another cluster. */
function announcedByOthers(
  announced: ReadonlyMap<string, readonly Prefix[]>,
): (network: Prefix, cluster: string) => boolean {
  const all = [...announced].flatMap(([cluster, blocks]) => blocks.map((block) => ({ cluster, block })));
  // The blocks of a cluster are adjacent, so the blocks of others overlap when the first or the last overlapping one
  // belongs to another cluster.
  const [first, last] = [new OverlapIndex<string>(), new OverlapIndex<string>()];
  for (const it of all) first.add(it.block, it.cluster);
  for (const it of all.reverse()) last.add(it.block, it.cluster);
  return (network, cluster) => [first, last].some((index) => (index.first(network) ?? cluster) !== cluster);
}

function keepAnnounced(
  it: BlockRequest,
  { fleet: { carve } }: NetworkModel,
  former: readonly Prefix[],
  isTaken: (block: Prefix) => boolean,
): Prefix | undefined {
  return former.find(
    (block) =>
      block.length === carve.length &&
      carve.from.some((from) => contains(from, block)) &&
      !isTaken(block) &&
      !whyBlockIsLost(it, block),
  );
}

/** Every network that a cluster uses for itself, so that no new block needs a remap anywhere. */
export function* networksInUse({ clusters }: Pick<NetworkModel, 'clusters'>): Iterable<Prefix> {
  for (const cluster of clusters.values()) {
    for (const { value } of [...cluster.podCIDRs, cluster.serviceCIDR, ...cluster.reserved]) yield value;
    const { external, internal } = placedCIDRs(cluster);
    yield* external;
    yield* internal;
  }
}

/** The windows of one range that blocks are carved from. */
interface Windows {
  readonly from: Prefix;
  readonly length: number;
  readonly perWindow: number;
  /**
   * The highest window that is not known to be full; -1 when all are full. Blocks are never released, so a full window
   * stays full.
   */
  highest: number;
}

const windowsOf = (carve: Carve): readonly Windows[] =>
  rangesOf(carve).map((from) => {
    const blocks = 2 ** (carve.length - from.length);
    const perWindow = Math.min(WINDOW_BLOCKS, blocks);
    return { from, length: carve.length, perWindow, highest: blocks / perWindow - 1 };
  });

/** The ranges that have room for a block. */
const rangesOf = ({ from, length }: Carve): readonly Prefix[] => from.filter((it) => length >= it.length);

function carveBlock(name: string, kind: BlockKind, all: readonly Windows[], taken: AddressSet): Prefix | undefined {
  const hash = fnv1a(`${name}/${kind}`);
  for (const windows of all) {
    for (; windows.highest >= 0; windows.highest--) {
      const block = freeBlock(windows, hash, taken);
      if (block) return block;
    }
  }
  return undefined;
}

function freeBlock({ from, length, perWindow, highest }: Windows, hash: number, taken: AddressSet): Prefix | undefined {
  const size = 2 ** (32 - length);
  const base = from.base + highest * perWindow * size;
  // Skips a window that is covered completely, without checking each of its blocks.
  if (taken.covers(base, base + perWindow * size - 1)) return undefined;
  for (let i = 0; i < perWindow; i++) {
    const block = { base: base + ((hash + i) % perWindow) * size, length };
    if (!taken.overlaps(block)) return block;
  }
  return undefined;
}

function blockMoved({ cluster, kind }: BlockRequest, block: Located<Prefix>, why: string): Diagnostic {
  return diagnostic(
    'lock/block-moved',
    cluster.at,
    `"${cluster.name}" can no longer use its carved ${kind} CIDR ${printPrefix(block.value)}: ${why}`,
    {
      hint: `reinstall Liqo if the cluster is running, since another ${kind} CIDR requires it, and run "weft compile --relock ${cluster.name}": a new installation asks for every view again`,
      related: [{ message: 'recorded in the lock file here', span: block.at }],
    },
  );
}

function blocksKeptTwice(
  kept: readonly { readonly it: BlockRequest; readonly block: Located<Prefix> }[],
): readonly Diagnostic[] {
  const sorted = [...kept].sort(
    (a, b) => a.block.value.base - b.block.value.base || a.block.value.length - b.block.value.length,
  );
  return sorted.flatMap((later, i) => {
    const earlier = sorted[i - 1];
    if (!earlier || lastAddress(earlier.block.value) < later.block.value.base) return [];
    return [
      contradiction({
        message: `the lock file assigns ${printPrefix(later.block.value)} to both "${later.it.cluster.name}" (${later.it.kind}) and "${earlier.it.cluster.name}" (${earlier.it.kind})`,
        later: later.block.at,
        earlier: { message: 'the other decision', span: earlier.block.at },
        cluster: later.it.cluster.name,
        peer: null,
      }),
    ];
  });
}

function exhausted({ cluster, kind }: BlockRequest, { fleet }: NetworkModel): Diagnostic {
  const from = fleet.carve.from.map(printPrefix).join(', ');
  return diagnostic(
    'ipam/carve-exhausted',
    cluster[kind].at,
    `no block of /${fleet.carve.length} is left in ${from} for the ${kind} CIDR of "${cluster.name}"`,
    {
      hint: 'widen `ipam.carve.from`, choose smaller blocks with `ipam.carve.prefix`, or set explicit networks for some clusters',
    },
  );
}

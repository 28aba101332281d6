import { type BlockKind, parseLockKey } from '../core/lock-key.ts';
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import { contradiction } from '../lock/contradiction.ts';
import { type Decisions, decisionAbout } from '../lock/decisions.ts';
import type { CidrRequest, Cluster, NetworkModel } from '../model/network-model.ts';
import { fnv1a } from '../net/fnv.ts';
import { contains, lastAddress, overlaps, type Prefix } from '../net/prefix.ts';
import { printPrefix, readPrefix } from '../net/text.ts';
import type { Located } from '../source/located.ts';
import { AddressSet } from './address-set.ts';
import { placeOwnAddresses } from './own-addresses.ts';

/** The blocks of clusters that asked for `auto`, by cluster. */
export interface CarvedBlocks {
  readonly external: ReadonlyMap<string, Prefix>;
  readonly internal: ReadonlyMap<string, Prefix>;
}

/** A block that was asked for. */
interface Wanted {
  readonly cluster: Cluster;
  readonly kind: BlockKind;
}

/**
 * Blocks are taken from the upper end of the range, where people rarely begin to number, from windows of this many
 * blocks. Inside a window the cluster's name chooses, so that two branches rarely choose alike, and the blocks still
 * stay together: scattered ones would break up the large networks that remaps need.
 */
const WINDOW_BLOCKS = 64;

/** Carves a block, free in the whole fleet, for every `auto`. Blocks of the lock stay as long as their cluster can have them. */
export function carveBlocks(
  model: NetworkModel,
  decisions: Decisions,
): { readonly blocks: CarvedBlocks; readonly found: readonly Diagnostic[] } {
  const found: Diagnostic[] = [];
  const blocks = { external: new Map<string, Prefix>(), internal: new Map<string, Prefix>() };
  const wanted = [...model.clusters.values()].flatMap((cluster) =>
    (['external', 'internal'] as const)
      .filter((kind) => cluster[kind].kind === 'auto')
      .map((kind): Wanted => ({ cluster, kind })),
  );
  if (wanted.length === 0) return { blocks, found };
  const taken = new AddressSet();
  const newcomers: Wanted[] = [];
  const kept: { readonly it: Wanted; readonly block: Located<Prefix> }[] = [];
  for (const it of wanted) {
    const block = keptBlock(it, decisions);
    const other = block && obstacle(it, block.value);
    if (block && !other) {
      kept.push({ it, block });
      taken.add(block.value);
      blocks[it.kind].set(it.cluster.name, block.value);
    } else {
      if (block && other) found.push(blockMoved(it, block, other));
      newcomers.push(it);
    }
  }
  found.push(...keptTwice(kept));
  for (const prefix of everythingElse(model, decisions)) taken.add(prefix);
  for (const it of newcomers) {
    const block = carve(it, model, taken);
    if (!block) {
      found.push(exhausted(it, model));
      break; // The next one would say the same.
    }
    taken.add(block);
    blocks[it.kind].set(it.cluster.name, block);
  }
  return { blocks, found };
}

function keptBlock({ cluster, kind }: Wanted, decisions: Decisions): Located<Prefix> | undefined {
  const kept = decisionAbout(decisions, { kind: 'block', cluster: cluster.name, block: kind });
  const reading = kept && readPrefix(String(kept.value));
  return kept && reading?.ok ? { value: reading.prefix, at: kept.at } : undefined;
}

const prefixOfWish = (wish: CidrRequest): readonly Prefix[] => (wish.kind === 'auto' ? [] : [wish.prefix]);

/**
 * Where the external and internal CIDR come to lie that are not to be carved: Liqo moves them when they collide. That of
 * the external one is certain; the internal one may yet make way for a carved external one.
 */
function placedWishes(cluster: Cluster): Readonly<Record<BlockKind, readonly Prefix[]>> {
  const placed = placeOwnAddresses(cluster, {});
  return {
    external: cluster.external.kind === 'auto' ? [] : [placed.externalCIDR],
    internal: cluster.internal.kind === 'auto' ? [] : [placed.internalCIDR],
  };
}

/** What the cluster itself says to a block that it had: the CIDR of its own in the way, or that no pool holds it. */
function obstacle({ cluster, kind }: Wanted, block: Prefix): string | undefined {
  const own = [...cluster.podCIDRs, cluster.serviceCIDR, ...cluster.reserved].map((it) => it.value);
  const beside = kind === 'external' ? prefixOfWish(cluster.internal) : placedWishes(cluster).external;
  const other = [...own, ...beside].find((it) => overlaps(it, block));
  if (other) return `it overlaps ${printPrefix(other)} of the cluster itself`;
  return cluster.pools.some((pool) => contains(pool.value, block))
    ? undefined
    : 'it lies in no pool of the cluster any more';
}

/** Every address that somebody in the fleet uses or sees, so that no new block needs a remap anywhere. */
function* everythingElse({ clusters }: NetworkModel, decisions: Decisions): Iterable<Prefix> {
  for (const cluster of clusters.values()) {
    for (const { value } of [...cluster.podCIDRs, cluster.serviceCIDR, ...cluster.reserved]) yield value;
    const { external, internal } = placedWishes(cluster);
    yield* external;
    yield* internal;
  }
  for (const [key, { value }] of decisions) {
    if (parseLockKey(key)?.kind !== 'view') continue;
    const seenAs = readPrefix(String(value));
    if (seenAs.ok) yield seenAs.prefix;
  }
}

function carve({ cluster, kind }: Wanted, { fleet }: NetworkModel, taken: AddressSet): Prefix | undefined {
  const { length } = fleet.carve;
  const size = 2 ** (32 - length);
  for (const from of fleet.carve.from) {
    const blocks = length >= from.length ? 2 ** (length - from.length) : 0;
    const perWindow = Math.min(WINDOW_BLOCKS, blocks);
    const start = fnv1a(`${cluster.name}/${kind}`) % Math.max(1, perWindow);
    for (let window = blocks / Math.max(1, perWindow) - 1; window >= 0; window--) {
      const base = from.base + window * perWindow * size;
      // One look at a window that something covers whole spares looking at each block of it.
      const covered = taken.covering(base, base + perWindow * size - 1);
      if (covered) continue;
      for (let i = 0; i < perWindow; i++) {
        const block = { base: base + ((start + i) % perWindow) * size, length };
        if (!taken.overlaps(block)) return block;
      }
    }
  }
  return undefined;
}

function blockMoved({ cluster, kind }: Wanted, block: Located<Prefix>, why: string): Diagnostic {
  return diagnostic(
    'lock/block-moved',
    cluster.at,
    `"${cluster.name}" gives up its carved ${kind} CIDR ${printPrefix(block.value)}: ${why}`,
    {
      hint: `on a running cluster another ${kind} CIDR means reinstalling Liqo`,
      related: [{ message: 'the lock keeps it here', span: block.at }],
    },
  );
}

function keptTwice(kept: readonly { readonly it: Wanted; readonly block: Located<Prefix> }[]): readonly Diagnostic[] {
  const sorted = [...kept].sort(
    (a, b) => a.block.value.base - b.block.value.base || a.block.value.length - b.block.value.length,
  );
  return sorted.flatMap((later, i) => {
    const earlier = sorted[i - 1];
    if (!earlier || lastAddress(earlier.block.value) < later.block.value.base) return [];
    return [
      contradiction({
        message: `the lock gives ${printPrefix(later.block.value)} to "${later.it.cluster.name}" (${later.it.kind}) and to "${earlier.it.cluster.name}" (${earlier.it.kind})`,
        later: later.block.at,
        earlier: { message: 'also here', span: earlier.block.at },
        cluster: later.it.cluster.name,
        peer: null,
      }),
    ];
  });
}

function exhausted({ cluster, kind }: Wanted, { fleet }: NetworkModel): Diagnostic {
  const from = fleet.carve.from.map(printPrefix).join(', ');
  return diagnostic(
    'ipam/carve-exhausted',
    cluster[kind].at,
    `no block of /${fleet.carve.length} is left in ${from} for the ${kind} CIDR of "${cluster.name}"`,
    {
      hint: 'widen `ipam.carve.from`, ask for smaller blocks with `ipam.carve.prefix`, or give explicit networks to some clusters',
    },
  );
}

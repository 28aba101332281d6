import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { contains, overlaps, type Prefix, samePrefix } from '../../../base/net/prefix.ts';
import { readPrefix } from '../../../base/net/text.ts';
import type { ClusterDeclaration } from '../../../fleet/topology/declaration.ts';
import { cidrText } from '../cidr-text.ts';
import type { Expectation } from '../expectation.ts';
import { startIpam } from '../expected/expect-addresses.ts';
import type { FoundText } from '../kube-object.ts';
import { NetworkIndex } from '../network-index.ts';
import type { CheckContext, FleetCheck } from './bundle-check.ts';

type BlockKind = 'external' | 'internal';

interface Block {
  readonly cluster: ClusterDeclaration;
  readonly kind: BlockKind;
  readonly block: Prefix;
  readonly found: FoundText;
}

/**
 * A carved block is the one of the lock, or is in the carve range, has its length and overlaps no network of the fleet.
 */
export const blocksAreFree: FleetCheck = function* (context) {
  const { expected } = context;
  const blocks = [...blocksIn(context)];
  const isNew = (it: Block): boolean => keptBlock(expected, it.cluster, it.kind) === null;
  const others = blocks.some(isNew) ? everythingElse(expected) : new NetworkIndex();
  const views = new NetworkIndex();
  for (const it of expected.before.viewsBy.values()) for (const { seenAs } of it) views.add(seenAs);
  for (const it of blocks) yield* isNew(it) ? isFree(it, expected, { others, views }) : isKept(it, expected);
  const taken = new NetworkIndex();
  for (const it of [...blocks.filter((one) => !isNew(one)), ...blocks.filter(isNew)]) {
    if (taken.touches(it.block)) yield wrong(it, 'overlaps another carved block');
    taken.add(it.block);
  }
};

function* blocksIn({ network }: CheckContext): Iterable<Block> {
  for (const { expected, blocks } of network.values()) {
    if (expected.retired) continue;
    for (const kind of ['external', 'internal'] as const) {
      const found = blocks[kind];
      const reading = readPrefix(found?.text ?? '');
      if (found && reading.ok) yield { cluster: expected.declared, kind, block: reading.prefix, found };
    }
  }
}

/**
 * The block of the lock while the cluster can use it: it overlaps none of its own networks and is in one of its pools.
 */
function keptBlock({ before }: Expectation, cluster: ClusterDeclaration, kind: BlockKind): Prefix | null {
  const kept = before.block(cluster.name, kind);
  if (!kept || !cluster.pools.some((it) => contains(it.value, kept))) return null;
  const fixed = [...cluster.podCIDRs, cluster.serviceCIDR, ...cluster.reserved].map((it) => it.value);
  return [...fixed, ...besideOf(cluster, kind)].some((it) => overlaps(it, kept)) ? null : kept;
}

/** The other one of external and internal, where it is not carved itself: Liqo places the external one first. */
function besideOf(cluster: ClusterDeclaration, kind: BlockKind): readonly Prefix[] {
  if (kind === 'external') return cluster.internal.kind === 'auto' ? [] : [cluster.internal.prefix];
  const { external } = startIpam(cluster, { external: null, internal: null });
  return external ? [external] : [];
}

function* isKept(it: Block, expected: Expectation): Iterable<Diagnostic> {
  const kept = keptBlock(expected, it.cluster, it.kind);
  if (kept && !samePrefix(kept, it.block)) yield wrong(it, `must be ${cidrText(kept)}, as in the lock`);
}

interface Taken {
  /** Every network that a cluster has for itself. */
  readonly others: NetworkIndex;
  /** What clusters saw before. */
  readonly views: NetworkIndex;
}

function* isFree(it: Block, expected: Expectation, { others, views }: Taken): Iterable<Diagnostic> {
  const { block } = it;
  const { carve } = expected.declaration;
  if (block.length !== carve.length.value) yield wrong(it, `must have the length /${carve.length.value}`);
  else if (!carve.from.some((range) => contains(range.value, block))) yield wrong(it, 'is outside the carve range');
  else if (others.touches(block) || (views.touches(block) && isSeenOtherwise(it, expected)))
    yield wrong(it, 'overlaps a network of the fleet');
}

/** Whether a former view overlaps a new block; peers may still see this very block of the cluster. */
const isSeenOtherwise = ({ cluster, kind, block }: Block, { before }: Expectation): boolean =>
  [...before.viewsBy.values()].flat().some(({ peer, seenAs }) => {
    const isItself = kind === 'external' && peer === cluster.name && samePrefix(seenAs, block);
    return !isItself && overlaps(seenAs, block);
  });

/** The networks that a new block must not overlap: every network that a cluster has for itself. */
function everythingElse({ declaration }: Expectation): NetworkIndex {
  const index = new NetworkIndex();
  for (const cluster of declaration.clusters) {
    for (const { value } of [...cluster.podCIDRs, cluster.serviceCIDR, ...cluster.reserved]) index.add(value);
    const { external, internal } = startIpam(cluster, { external: null, internal: null });
    for (const it of [external, internal]) if (it) index.add(it);
  }
  return index;
}

const wrong = ({ cluster, kind, found }: Block, why: string): Diagnostic =>
  diagnostic('verify/own-addresses', found.at, `the carved ${kind} CIDR ${found.text} of "${cluster.name}" ${why}`);

import { byCodeUnit } from '../../../base/core/collections.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { comparePrefixes, contains, overlaps, type Prefix, samePrefix } from '../../../base/net/prefix.ts';
import { readPrintedPrefix } from '../../../base/net/text.ts';
import type { ClusterDeclaration } from '../../../fleet/topology/declaration.ts';
import type { Expectation } from '../expectation.ts';
import { startIpam } from '../expected/expect-addresses.ts';
import { type FoundText, type KubeObject, nearestKey, textsAt } from '../kube-object.ts';
import { cidrText, NetworkIndex } from '../networks.ts';
import type { RebuiltCluster, RebuiltPeer } from '../rebuild-network.ts';
import { type CheckContext, type FleetCheck, forEachCluster } from './bundle-check.ts';

type BlockKind = 'external' | 'internal';

interface Block {
  readonly cluster: ClusterDeclaration;
  readonly kind: BlockKind;
  readonly block: Prefix;
  readonly found: FoundText;
}

/**
 * A carved block equals that of the lock; or it is inside the carve range, has the length of the topology and overlaps
 * no network of the fleet.
 */
export const blocksAreFree: FleetCheck = function* (context) {
  const { expected } = context;
  const blocks = [...blocksIn(context)];
  const isNew = (it: Block): boolean => keptBlock(expected, it.cluster, it.kind) === null;
  const others = blocks.some(isNew) ? everythingElse(expected) : new NetworkIndex();
  const views = new NetworkIndex();
  for (const it of expected.before.viewsBy.values()) for (const { seenAs } of it) views.add(seenAs);
  for (const it of blocks)
    yield* isNew(it) ? checkFreeBlock(it, expected, { others, views }) : checkKeptBlock(it, expected);
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
      const block = readPrintedPrefix(found?.text ?? '');
      if (found && block) yield { cluster: expected.declared, kind, block, found };
    }
  }
}

/**
 * The block of the lock if the cluster can still use it: it overlaps none of the cluster's own networks and is in one
 * of its pools.
 */
function keptBlock({ before }: Expectation, cluster: ClusterDeclaration, kind: BlockKind): Prefix | null {
  const kept = before.block(cluster.name, kind);
  if (!kept || !cluster.pools.some((it) => contains(it.value, kept))) return null;
  const fixed = [...cluster.podCIDRs, cluster.serviceCIDR, ...cluster.reserved].map((it) => it.value);
  return [...fixed, ...besideOf(cluster, kind)].some((it) => overlaps(it, kept)) ? null : kept;
}

/** The other block of external and internal, unless it is carved itself: Liqo places the external one first. */
function besideOf(cluster: ClusterDeclaration, kind: BlockKind): readonly Prefix[] {
  if (kind === 'external') return cluster.internal.kind === 'auto' ? [] : [cluster.internal.prefix];
  const { external } = startIpam(cluster, { external: null, internal: null });
  return external ? [external] : [];
}

function* checkKeptBlock(it: Block, expected: Expectation): Iterable<Diagnostic> {
  const kept = keptBlock(expected, it.cluster, it.kind);
  if (kept && !samePrefix(kept, it.block)) yield wrong(it, `must be ${cidrText(kept)}, as in the lock`);
}

interface Taken {
  /** All networks that a cluster uses for itself. */
  readonly others: NetworkIndex;
  /** The views in the lock. */
  readonly views: NetworkIndex;
}

function* checkFreeBlock(it: Block, expected: Expectation, { others, views }: Taken): Iterable<Diagnostic> {
  const { block } = it;
  const { carve } = expected.declaration;
  if (block.length !== carve.length.value) yield wrong(it, `must have the length /${carve.length.value}`);
  else if (!carve.from.some((range) => contains(range.value, block))) yield wrong(it, 'is outside the carve range');
  else if (others.touches(block) || (views.touches(block) && isSeenOtherwise(it, expected)))
    yield wrong(it, 'overlaps a network of the fleet');
}

/** True when a view of the lock overlaps a new block; a peer's view of this very block is allowed. */
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

/** No address has two meanings in a cluster: views are disjoint from each other and from its own networks. */
export const addressesAreUnambiguous = forEachCluster(function* (_, cluster) {
  const meanings = meaningsIn(cluster).sort(
    (a, b) => comparePrefixes(a.network, b.network) || byCodeUnit(a.what, b.what),
  );
  // Two networks that overlap are nested, so the open networks form a stack.
  const open: Meaning[] = [];
  for (const later of meanings) {
    for (let last = open.at(-1); last && !overlaps(last.network, later.network); last = open.at(-1)) open.pop();
    for (const earlier of open) if (clashes(earlier, later)) yield clash(cluster, earlier, later);
    open.push(later);
  }
});

interface Meaning {
  readonly network: Prefix;
  readonly what: string;
  /** `fixed`: pod, service and reserved networks, which Liqo allows to overlap each other. */
  readonly kind: 'view' | 'fixed' | 'moved';
  readonly at: FoundText;
}

const FIXED = new Set(['pod-cidr', 'service-cidr', 'reserved']);

function meaningsIn(cluster: RebuiltCluster): Meaning[] {
  const own = cluster.own.flatMap(({ type, given }) =>
    meaning(given, `its own ${type}`, FIXED.has(type) ? 'fixed' : 'moved'),
  );
  const views = [...cluster.peers.values()].flatMap((peer) =>
    peer.views.flatMap(({ kind, seenAs }) => meaning(seenAs, `the ${kind} CIDR of "${peer.name}"`, 'view')),
  );
  return [...own, ...views];
}

function meaning(at: FoundText, what: string, kind: Meaning['kind']): readonly Meaning[] {
  const network = readPrintedPrefix(at.text ?? '');
  return network ? [{ network, what, kind, at }] : [];
}

const clashes = (a: Meaning, b: Meaning): boolean =>
  overlaps(a.network, b.network) && !(a.kind === 'fixed' && b.kind === 'fixed');

function clash(cluster: RebuiltCluster, a: Meaning, b: Meaning): Diagnostic {
  // The error is reported at a view, which weft decides, rather than at a network of the topology.
  const [first, other] = a.kind === 'view' && b.kind !== 'view' ? [a, b] : [b, a];
  const message = `in "${cluster.name}" ${first.at.text} (${first.what}) overlaps ${other.at.text} (${other.what})`;
  return diagnostic('verify/overlap', first.at.at, message, { related: [{ message: other.what, span: other.at.at }] });
}

/** Every Configuration about a cluster contains the CIDRs of the cluster itself. */
export const announcementsAgree = forEachCluster(function* (context, cluster) {
  for (const peer of cluster.peers.values()) {
    const remote = context.network.get(peer.name);
    if (!remote) continue;
    for (const configuration of [peer.configuration, peer.expectedConfiguration]) {
      if (configuration) yield* announced(configuration, cluster, remote);
    }
  }
  yield* predictedSpecs(cluster);
});

function* announced(it: KubeObject, cluster: RebuiltCluster, remote: RebuiltCluster): Iterable<Diagnostic> {
  const own = remote.announces;
  for (const kind of ['pod', 'external'] as const) {
    // Without a file that contains the CIDR there is nothing to compare, and another check reports the missing file.
    if (own[kind].length === 0) continue;
    const path = ['spec', 'remote', 'cidr', kind];
    const listed = textsAt(it.node, path);
    const missing: FoundText = { text: undefined, at: nearestKey(it.node, path) };
    for (let i = 0; i < Math.max(listed.length, own[kind].length); i++) {
      const [here, there] = [listed[i] ?? missing, own[kind][i]];
      if (here.text === there?.text) continue;
      const found = here.text === undefined ? 'is missing' : `is ${here.text}`;
      const wanted = there ? `"${remote.name}" has ${there.text}` : `"${remote.name}" has no other`;
      const message = `the ${kind} CIDR of "${remote.name}" for "${cluster.name}" ${found}, but ${wanted}`;
      yield diagnostic('verify/announcement', here.at, message, {
        related: there ? [{ message: `the CIDR in "${remote.name}"`, span: there.at }] : undefined,
      });
    }
  }
}

/** Errors about a Configuration with more than the remote's CIDRs: Liqo itself sets `spec.local`. */
function* predictedSpecs(cluster: RebuiltCluster): Iterable<Diagnostic> {
  for (const peer of cluster.peers.values()) {
    for (const it of configurationsOf(peer)) {
      const spec = it.node.entries.get('spec')?.value;
      const extra = spec?.kind === 'map' ? [...spec.entries].find(([key]) => key !== 'remote') : undefined;
      if (!extra) continue;
      const message = `the Configuration of "${cluster.name}" for "${peer.name}" sets \`${extra[0]}\`, which only Liqo's controller must set`;
      yield diagnostic('verify/announcement', extra[1].key, message);
    }
  }
}

const configurationsOf = ({ objects }: RebuiltPeer): readonly KubeObject[] =>
  objects.filter((it) => it.kind === 'Configuration');

import { groupBy } from '../../../base/core/collections.ts';
import { countOf, firstOf, quoted, someOf } from '../../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { addressCount, samePrefix } from '../../../base/net/prefix.ts';
import { printPrefix } from '../../../base/net/text.ts';
import { firstLineWith } from '../../../base/releases/traits.ts';
import type { CidrRequest, GitOps, Link } from '../../model/network-model.ts';
import {
  type AddressedCluster,
  type AddressedModel,
  type AddressRule,
  clusterNamed,
  type Peer,
  type View,
  viewsOf,
} from '../addressed-model.ts';

/** Above this number of ordered peers a rollout is slow: each is applied and becomes ready before the next. */
const MANY_ORDERED = 50;

/** Largest number of peers in the note. */
const SHOWN_LINKS = 5;

/** The views of a cluster do not depend on the order in which Configurations are applied. */
export const viewsNeedNoOrder: AddressRule = function* ({ clusters, fleet }) {
  for (const cluster of clusters.values()) yield* orderDependence(cluster, fleet.gitops);
};

/**
 * Flux goes through a chain once. Before 2.7 a dependency counts as ready only at the commit that is applied, so that every
 * commit, of any cluster, passes through all chains. Source: fluxcd/kustomize-controller docs/spec/v1/kustomizations.md
 * (`readyExpr`).
 */
export const chainsAreReadyAtAnyCommit: AddressRule = function* ({ clusters, fleet }) {
  const flux = fleet.gitops?.flux;
  if (!flux || flux.evaluatesReadyExpr) return;
  const chains = [...clusters.values()]
    .map((cluster) => ({ cluster, links: [...cluster.peers.values()].filter((it) => it.remapped).length }))
    .filter((it) => it.links > 0)
    .sort((a, b) => b.links - a.links);
  if (chains.length === 0) return;
  const names = chains.map(({ cluster, links }) => `${minutes(links * SECONDS_PER_LINK.flux)} in "${cluster.name}"`);
  yield diagnostic(
    'ipam/chains-before-flux-2.7',
    flux.versionAt,
    `Flux before 2.7 applies ordered links one after the other again at every commit: about ${someOf(names, SHOWN_LINKS)}`,
    {
      about: chains.map((it) => [it.cluster.name]),
      hint: 'run Flux 2.7, which goes through links that are ready at once, and remove `flux.version`',
    },
  );
};

/** Seconds that one ordered link takes in a first rollout, measured with 50 links and controllers with default flags. */
const SECONDS_PER_LINK = { flux: 30, argo: 8 };

const minutes = (seconds: number): string => countOf(Math.ceil(seconds / 60), 'minute');

/** The time of a first rollout, as text; empty without a tool. */
function rolloutTime(links: number, gitops: GitOps | null): string {
  const times = [
    ...(gitops?.flux ? [`${minutes(links * SECONDS_PER_LINK.flux)} with Flux`] : []),
    ...(gitops?.argo ? [`${minutes(links * SECONDS_PER_LINK.argo)} with Argo CD`] : []),
  ];
  return times.length === 0 ? '' : `about ${times.join(' and ')}`;
}

function* orderDependence(cluster: AddressedCluster, gitops: GitOps | null): Iterable<Diagnostic> {
  const peers = [...cluster.peers.values()];
  const contended = peers.filter((it) => it.orderDependent);
  const remapped = peers.filter((it) => it.remapped);
  const time = remapped.length > 1 ? rolloutTime(remapped.length, gitops) : '';
  if (contended.length > 0) {
    yield diagnostic(
      'ipam/order-dependent',
      cluster.at,
      `addresses in "${cluster.name}" depend on the order in which Configurations are applied: ${describeContended(contended)}`,
      {
        about: [[cluster.name]],
        hint: `give these peers ${networksOfTheirOwn(contended)}, so that order does not matter; Argo CD and Flux apply them in order${time === '' ? '' : `, which takes ${time}`}`,
      },
    );
  }
  if (remapped.length <= MANY_ORDERED) return;
  yield diagnostic(
    'ipam/many-order-dependent',
    cluster.at,
    `in "${cluster.name}" ${remapped.length} Configurations are applied one after the other${time === '' ? '' : `, ${time}`}`,
    {
      about: [[cluster.name]],
      hint: `give the peers ${networksOfTheirOwn(remapped)}, so that all are applied at once`,
    },
  );
}

/**
 * Text about the peers that need a remap, and about those that keep their own networks only because they come first.
 */
function describeContended(contended: readonly Peer[]): string {
  const remapped = contended.filter((it) => it.remapped);
  const first = contended.filter((it) => !it.remapped);
  const named = (peers: readonly Peer[], one: string, many: string): readonly string[] => {
    if (peers.length === 0) return [];
    const names = firstOf(
      peers.map((it) => quoted(it.name)),
      SHOWN_LINKS,
    );
    return [`${peers.length === 1 ? `1 peer ${one}` : `${peers.length} peers ${many}`} (${names})`];
  };
  const parts = [
    ...named(remapped, 'needs a remap', 'need a remap'),
    ...named(
      first,
      'keeps its networks only because it comes first',
      'keep their networks only because they come first',
    ),
  ];
  const why =
    first.length === 0 && remapped.length === 1
      ? ', and Liqo chooses from what Configurations before it leave free'
      : '';
  return `${parts.join(', and ')}${why}`;
}

/** The networks that these peers need, so that none needs a remap. */
function networksOfTheirOwn(peers: readonly Peer[]): string {
  if (areOfDefaults(peers)) return 'an `externalCIDR` of their own or `auto`';
  const areAuto = peers.every(({ cluster }) => cluster.external.kind === 'auto');
  return areAuto ? 'pod CIDRs of their own' : 'pod CIDRs of their own and `externalCIDR: auto`';
}

const areOfDefaults = (contended: readonly Peer[]): boolean =>
  contended.every((it) => it.podViews.every((view) => samePrefix(view.cidr, view.seenAs)) && it.remapped);

/** Largest number of views in the warning. */
const SHOWN_VIEWS = 5;

/** A cluster has the same views of its peers after a rebuild. */
export const viewsSurviveARebuild: AddressRule = function* ({ clusters }) {
  for (const cluster of clusters.values()) yield* history(cluster);
};

function* history(cluster: AddressedCluster): Iterable<Diagnostic> {
  const kept = [...cluster.peers.values()].flatMap((peer) =>
    viewsOf(peer)
      .filter((it) => it.history)
      .map((view) => ({ peer, view })),
  );
  if (kept.length === 0) return;
  const texts = kept.map(
    ({ peer, view }) => `${printPrefix(view.cidr)} of "${peer.name}" as ${printPrefix(view.seenAs)}`,
  );
  yield diagnostic(
    'ipam/history',
    cluster.at,
    `"${cluster.name}" keeps ${kept.length === 1 ? 'a view that a rebuild' : `${kept.length} views that a rebuild`} would not assign again: ${firstOf(texts, SHOWN_VIEWS)}`,
    {
      about: [[cluster.name]],
      hint: `run "weft compile --relock ${cluster.name}" when you rebuild the cluster, to decide its views again; until then nothing moves`,
    },
  );
}

/**
 * Number of addresses of an external CIDR that Liqo always takes: the unknown source, the API server and its proxy.
 * Each peer takes one more for its own unknown source, and each offloaded pod one. Source: liqotech/liqo@v1.2.0
 * pkg/ipam/ips.go, pkg/liqo-controller-manager/ipmapping/pod_controller.go.
 */
const ALWAYS_TAKEN = 3;

/**
 * Number of pods that a ResourceSlice gets by default. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/authentication.
 */
const PODS_OF_A_SLICE = 110;

/** A smaller number of nodes is too low for a cluster that grows. */
const FEW_NODES = 8;

/** External and internal CIDRs have room for the addresses that Liqo assigns from them. */
export const blocksHoldWhatLiqoAssigns: AddressRule = function* ({ clusters }) {
  const linked = [...clusters.values()].filter((it) => it.peers.size > 0);
  const found = linked.flatMap((it) => [...externalRoom(it), ...internalRoom(it)]);
  // Blocks that are requested in one place, `defaults`, are one mistake.
  const samePlace = groupBy(found, ({ code, request }) => [`${code} ${request.at.start} ${request.at.end}`]);
  for (const [first, ...others] of samePlace.values()) if (first) yield describeRoom(first, others);
};

/** The number of further peers for which both blocks of a cluster have addresses, with one for a node. */
export const peersLeft = ({ externalCIDR, internalCIDR, peers }: AddressedCluster): number =>
  Math.min(addressCount(externalCIDR) - ALWAYS_TAKEN, addressCount(internalCIDR) - 3) - peers.size;

/** A block that is too small for the addresses that are assigned from it. */
interface Room {
  readonly code: 'ipam/block-too-small' | 'ipam/block-tight';
  readonly cluster: string;
  readonly request: CidrRequest;
  readonly message: string;
}

function* externalRoom({ name, external, externalCIDR, peers }: AddressedCluster): Iterable<Room> {
  const what = `external CIDR ${printPrefix(externalCIDR)} of "${name}"`;
  const [count, needed] = [addressCount(externalCIDR), ALWAYS_TAKEN + peers.size];
  const pods = count - needed;
  if (pods < 0) {
    const why = `Liqo takes ${needed}: ${ALWAYS_TAKEN} for itself and one for each peer`;
    const message = `${what} has ${countOf(count, 'address', 'addresses')}, but ${why}`;
    yield { code: 'ipam/block-too-small', cluster: name, request: external, message };
  } else if (pods < PODS_OF_A_SLICE) {
    const message = `${what} has room for ${countOf(pods, 'offloaded pod')}: each takes one address, and Liqo itself ${needed}`;
    yield { code: 'ipam/block-tight', cluster: name, request: external, message };
  }
}

/**
 * Checks the internal CIDR. Each node and each gateway has an address; the first and the last are unused. Source:
 * liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/internal-network/fabricipam.
 */
function* internalRoom({ name, internal, internalCIDR, peers }: AddressedCluster): Iterable<Room> {
  const what = `internal CIDR ${printPrefix(internalCIDR)} of "${name}"`;
  const nodes = addressCount(internalCIDR) - 2 - peers.size;
  const why = `each node and each gateway takes one address, it has ${countOf(peers.size, 'gateway')}, and the first and the last address are not used`;
  if (nodes < 1)
    yield {
      code: 'ipam/block-too-small',
      cluster: name,
      request: internal,
      message: `${what} has no room for a node: ${why}`,
    };
  else if (nodes < FEW_NODES)
    yield {
      code: 'ipam/block-tight',
      cluster: name,
      request: internal,
      message: `${what} has room for ${countOf(nodes, 'node')}: ${why}`,
    };
}

function describeRoom({ code, cluster, request, message }: Room, others: readonly Room[]): Diagnostic {
  const more = others.length === 0 ? '' : ` (the same in ${countOf(others.length, 'other cluster')})`;
  return diagnostic(code, request.at, `${message}${more}`, {
    about: [[cluster], ...others.map((it) => [it.cluster] as const)],
    hint:
      request.kind === 'auto'
        ? `set \`ipam.carve.prefix\` to a smaller number (20 gives 4096 addresses), and run "weft compile --relock ${cluster}" where the lock has the block`
        : 'choose a wider network: a /20 has 4096 addresses; on a running cluster a change means installing Liqo again',
  });
}

/**
 * Services of a hub use the shortcuts between its spokes.
 * Source: the reflection of endpoints, liqotech/liqo@v1.2.0 pkg/virtualKubelet/reflection/exposition/endpointslice.go.
 */
export const servicesUseShortcuts: AddressRule = function* (model) {
  for (const link of model.links) if (link.kind === 'shortcut') yield* unusedByServices(link, model);
};

function* unusedByServices(link: Link, model: AddressedModel): Iterable<Diagnostic> {
  const ends = [link.client.cluster.name, link.server.cluster.name] as const;
  for (const name of link.commonHubs) {
    const hub = clusterNamed(model, name);
    const pair = `"${ends[0]}" and "${ends[1]}"`;
    if (!hub.traits.hasDirectConnections) {
      if (model.fleet.shortcutOperator) continue;
      yield diagnostic(
        'ipam/shortcut-services',
        link.at,
        `services of "${hub.name}" do not use the shortcut between ${pair}: Liqo ${hub.release.line} has no direct connections`,
        {
          about: [ends],
          hint: `upgrade to ${firstLineWith('hasDirectConnections')}, or run the fork with \`liqo.shortcutOperator\`; pods that dial each other by address use the shortcut in any case`,
        },
      );
      continue;
    }
    const first = firstRemapped(hub, ends);
    if (!first) continue;
    const { peer, view } = first;
    yield diagnostic(
      'ipam/shortcut-services',
      link.at,
      `services of "${hub.name}" cannot use the shortcut between ${pair}: "${hub.name}" sees the pods of "${peer.name}" as ${printPrefix(view.seenAs)}, and direct connections need them unremapped`,
      {
        about: [ends],
        hint: `give "${peer.name}" a pod CIDR that is free in "${hub.name}"; pods that dial each other by address use the shortcut in any case`,
      },
    );
  }
}

/** The first of these peers, in apply order, whose pods the hub sees under other addresses, with that view. */
function firstRemapped(
  hub: AddressedCluster,
  names: readonly string[],
): { readonly peer: Peer; readonly view: View } | undefined {
  for (const peer of hub.peers.values()) {
    const view = names.includes(peer.name) && peer.podViews.find((it) => !samePrefix(it.cidr, it.seenAs));
    if (view) return { peer, view };
  }
  return undefined;
}

import type { Difference, FlowEffect, Flows } from './change.ts';
import type { ClusterState, NetworkState } from './network-state.ts';
import type { Reachability } from './reachability.ts';

export interface Surroundings {
  readonly before: NetworkState;
  readonly after: NetworkState;
  readonly was: Reachability;
  readonly is: Reachability;
}

/** Whose traffic notices a difference, and how. */
export function flowsOf(difference: Difference, around: Surroundings): readonly Flows[] {
  switch (difference.kind) {
    case 'link-added':
      return opened(difference.link.ends, around);
    case 'link-removed':
      return closed(difference.link.ends, around);
    case 'role-changed':
    case 'port-changed':
    case 'address-changed':
    case 'service-changed':
    case 'mtu-changed':
      return throughTunnel(difference.ends, around);
    case 'key-changed':
    case 'template-changed':
    case 'announced-changed':
      return throughTunnel([difference.cluster, difference.peer], around);
    case 'own-cidr-changed':
    case 'release-changed':
      return everythingOf(around.after.clusters.get(difference.cluster), around);
    case 'key-removed':
      return throughTunnel([difference.cluster, difference.peer], around, 'stops');
    case 'template-edited':
      return difference.action === 'change' ? everythingOf(around.after.clusters.get(difference.cluster), around) : [];
    case 'setting-changed':
      return settingFlows(difference, around);
    case 'view-moved':
      return readdressed(difference, around);
    case 'cluster-renamed':
      return everythingOf(around.after.clusters.get(difference.cluster), around);
    default:
      return [];
  }
}

const flows = (effect: FlowEffect, between: string, and: readonly string[]): readonly Flows[] =>
  and.length === 0 ? [] : [{ effect, between, and }];

/** The two ends, and whoever goes through one of them to the other. */
function throughTunnel(
  [a, b]: readonly [string, string],
  { is }: Surroundings,
  effect: FlowEffect = 'interrupted',
): readonly Flows[] {
  return [
    ...flows(effect, a, [b]),
    ...(is.isHubOf(b, a) ? flows(effect, a, is.spokesBehind(b, a)) : []),
    ...(is.isHubOf(a, b) ? flows(effect, b, is.spokesBehind(a, b)) : []),
  ];
}

function everythingOf(cluster: ClusterState | undefined, around: Surroundings): readonly Flows[] {
  return (cluster?.peers ?? []).flatMap((peer) => throughTunnel([cluster?.name ?? '', peer], around));
}

function settingFlows(
  { cluster, setting }: Extract<Difference, { kind: 'setting-changed' }>,
  around: Surroundings,
): readonly Flows[] {
  const { clusters } = around.after;
  if (setting === 'liqo.namespace') return everythingOf(clusters.get(cluster ?? ''), around);
  return setting === 'keys.secretName' ? [...clusters.values()].flatMap((it) => everythingOf(it, around)) : [];
}

function closed([a, b]: readonly [string, string], { was, is }: Surroundings): readonly Flows[] {
  const effectOn = (x: string, y: string): FlowEffect =>
    is.isLinked(x, y) || is.hubsBetween(x, y).length > 0 ? 'rerouted' : 'stops';
  const behind = (hub: string, spoke: string): readonly Flows[] => {
    if (!was.isHubOf(hub, spoke)) return [];
    const others = was.spokesBehind(hub, spoke);
    return (['stops', 'rerouted'] as const).flatMap((effect) =>
      flows(
        effect,
        spoke,
        others.filter((it) => effectOn(spoke, it) === effect),
      ),
    );
  };
  return [...flows(effectOn(a, b), a, [b]), ...behind(b, a), ...behind(a, b)];
}

function opened([a, b]: readonly [string, string], { was, is }: Surroundings): readonly Flows[] {
  const effectOn = (x: string, y: string): FlowEffect => (was.hubsBetween(x, y).length > 0 ? 'rerouted' : 'opens');
  const behind = (hub: string, spoke: string): readonly Flows[] =>
    is.isHubOf(hub, spoke)
      ? flows(
          'opens',
          spoke,
          is
            .spokesBehind(hub, spoke)
            .filter((it) => was.hubsBetween(spoke, it).length === 0 && !was.isLinked(spoke, it)),
        )
      : [];
  return [...flows(effectOn(a, b), a, [b]), ...behind(b, a), ...behind(a, b)];
}

/**
 * A moved view changes what the two call each other. The external view of a hub is also where everything behind the hub
 * is; and a hub that sees a spoke's pods elsewhere has to point its own addresses for them there.
 */
function readdressed(
  { cluster, peer, cidr }: Extract<Difference, { kind: 'view-moved' }>,
  { is }: Surroundings,
): readonly Flows[] {
  return [
    ...flows('readdressed', cluster, [peer]),
    ...(cidr === 'external' && is.isHubOf(peer, cluster)
      ? flows('readdressed', cluster, is.spokesBehind(peer, cluster))
      : []),
    ...(cidr === 'pod' && is.isHubOf(cluster, peer) ? flows('interrupted', peer, is.spokesBehind(cluster, peer)) : []),
  ];
}

import { quoted } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { AddressedCluster, View } from '../../ipam/addressed-model.ts';
import type { OffloadedNamespace } from '../shared-model.ts';
import type { SharingRule } from './sharing-rule.ts';

/**
 * A Service with the annotation of direct connections needs a link between every two providers of its namespace, whose pods the
 * consumer sees under their own addresses; a provider that lacks one drops the whole Service. Namespaces none of whose providers
 * are linked are left out: no direct connection is to be expected there.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading/shadowendpointslice-controller,
 * pkg/virtualKubelet/reflection/exposition/endpointslice.go.
 */
export const directConnectionsNeedEveryLink: SharingRule = function* ({ model }) {
  for (const it of model.offloadings) {
    // Where the topology declares the annotation, a missing link is an error; see `directConnectionsNeedLinks`.
    if (!it.cluster.traits.hasDirectConnections || it.directConnections || it.pods === 'Local') continue;
    const why = obstacle(it);
    if (why === undefined) continue;
    yield diagnostic(
      'sharing/no-direct-connections',
      it.at,
      `Services of namespace ${quoted(it.namespace)} of ${quoted(it.cluster.name)} cannot use direct connections: ${why}`,
      {
        about: [[it.cluster.name]],
        hint: 'leave the annotation "liqo.io/use-direct-connections" away there: through the consumer every Service works',
      },
    );
  }
};

function obstacle({ cluster, providers }: OffloadedNamespace): string | undefined {
  const linked = linksAmong(providers);
  if (linked === 0) return undefined;
  const pairs = (providers.length * (providers.length - 1)) / 2;
  if (linked < pairs)
    return `${pairs - linked} of ${pairs} pairs of its providers ${pairs - linked === 1 ? 'has' : 'have'} no link`;
  const moved = providers.find((it) => cluster.peers.get(it.name)?.podViews.some((view) => isMoved(view)) === true);
  return moved && `${quoted(cluster.name)} sees the pods of ${quoted(moved.name)} under other addresses`;
}

function linksAmong(providers: readonly AddressedCluster[]): number {
  const names = new Set(providers.map((it) => it.name));
  const ends = providers.flatMap((it) => [...it.peers.keys()].filter((peer) => names.has(peer)));
  return ends.length / 2;
}

const isMoved = ({ cidr, seenAs }: View): boolean => cidr.base !== seenAs.base;

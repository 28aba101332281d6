import { firstOf, quoted } from '../../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { samePrefix } from '../../../base/net/prefix.ts';
import type { AddressedCluster, Peer } from '../addressed-model.ts';
import type { AddressRule } from './address-rule.ts';

/** Above this number of ordered peers a rollout is slow: each is applied and becomes ready before the next. */
const MANY_ORDERED = 50;

/** How many peers the note names. */
const SHOWN = 5;

/** The views of a cluster do not depend on the order in which Configurations are applied. */
export const viewsNeedNoOrder: AddressRule = function* ({ clusters }) {
  for (const cluster of clusters.values()) yield* orderDependence(cluster);
};

function* orderDependence(cluster: AddressedCluster): Iterable<Diagnostic> {
  const peers = [...cluster.peers.values()];
  const contended = peers.filter((it) => it.orderDependent);
  if (contended.length > 0) {
    yield diagnostic(
      'ipam/order-dependent',
      cluster.at,
      `addresses in "${cluster.name}" depend on the order in which Configurations are applied: ${describe(contended)}`,
      {
        about: [[cluster.name]],
        hint: `give these peers ${areOfDefaults(contended) ? 'an `externalCIDR` of their own or `auto`' : 'pod CIDRs of their own and `externalCIDR: auto`'}, so that order does not matter; Argo CD and Flux apply them in order`,
      },
    );
  }
  const remapped = peers.filter((it) => it.remapped);
  if (remapped.length <= MANY_ORDERED) return;
  yield diagnostic(
    'ipam/many-order-dependent',
    cluster.at,
    `in "${cluster.name}" ${remapped.length} Configurations are applied one after the other`,
    {
      about: [[cluster.name]],
      hint: 'give the peers `externalCIDR: auto` (or networks of their own), so that all are applied at once',
    },
  );
}

/** Which peers need a remap, and which have their own networks only because they come first. */
function describe(contended: readonly Peer[]): string {
  const remapped = contended.filter((it) => it.remapped);
  const first = contended.filter((it) => !it.remapped);
  const named = (peers: readonly Peer[], one: string, many: string): readonly string[] => {
    if (peers.length === 0) return [];
    const names = firstOf(
      peers.map((it) => quoted(it.name)),
      SHOWN,
    );
    return [`${peers.length === 1 ? `1 peer ${one}` : `${peers.length} peers ${many}`} (${names})`];
  };
  const parts = [
    ...named(remapped, 'needs a remap', 'need a remap'),
    ...named(first, 'has a network that one of these requests, too', 'have a network that one of these requests, too'),
  ];
  return parts.join(', and ');
}

const areOfDefaults = (contended: readonly Peer[]): boolean =>
  contended.every((it) => it.podViews.every((view) => samePrefix(view.cidr, view.seenAs)) && it.remapped);

import { firstOf, quoted } from '../../core/words.ts';
import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import { samePrefix } from '../../net/prefix.ts';
import type { AddressedCluster } from '../addressed-model.ts';
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
  const ordered = [...cluster.peers.values()].filter((it) => it.orderDependent);
  if (ordered.length === 0) return;
  const ofDefaults = ordered.every((it) => it.podViews.every((view) => samePrefix(view.cidr, view.seenAs)));
  const names = firstOf(
    ordered.map((it) => quoted(it.name)),
    SHOWN,
  );
  const what = ordered.length === 1 ? '1 peer needs a remap' : `${ordered.length} peers need a remap`;
  yield diagnostic(
    'ipam/order-dependent',
    cluster.at,
    `addresses in "${cluster.name}" depend on the order in which Configurations are applied: ${what} (${names})`,
    {
      hint: `give these peers ${ofDefaults ? 'an `externalCIDR` of their own or `auto`' : 'pod CIDRs of their own and `externalCIDR: auto`'}, so that order does not matter; Argo CD and Flux apply them in order`,
    },
  );
  if (ordered.length <= MANY_ORDERED) return;
  yield diagnostic(
    'ipam/many-order-dependent',
    cluster.at,
    `in "${cluster.name}" ${ordered.length} Configurations are applied one after the other`,
    {
      hint: 'give the peers `externalCIDR: auto` (or networks of their own), so that all are applied at once',
    },
  );
}

import { firstOf, quoted } from '../../core/words.ts';
import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import { samePrefix } from '../../net/prefix.ts';
import type { AddressedCluster } from '../addressed-model.ts';
import type { AddressRule } from './address-rule.ts';

/** More peers in an order than a rollout comfortably waits for: each is applied and answered before the next. */
const MANY_ORDERED = 50;

/** How many peers the note names. */
const SHOWN = 5;

/** No cluster sees its peers differently when their Configurations arrive in another order. */
export const viewsNeedNoOrder: AddressRule = function* ({ clusters }) {
  for (const cluster of clusters.values()) yield* orderDependence(cluster);
};

function* orderDependence(cluster: AddressedCluster): Iterable<Diagnostic> {
  const ordered = [...cluster.peers.values()].filter((it) => it.orderDependent);
  if (ordered.length === 0) return;
  const ofDefaults = ordered.every((it) => it.podViews.every((view) => samePrefix(view.cidr, view.seenAs)));
  const what = ordered.length === 1 ? '1 peer needs a remap' : `${ordered.length} peers need a remap`;
  yield diagnostic(
    'ipam/order-dependent',
    cluster.at,
    `in "${cluster.name}" the order of Configurations counts, since ${what}: ${firstOf(
      ordered.map((it) => quoted(it.name)),
      SHOWN,
    )}`,
    {
      hint: `Argo CD and Flux follow that order; ${ofDefaults ? 'peers with an `externalCIDR` of their own, or `auto`, need none' : 'peers with pod CIDRs of their own and `externalCIDR: auto` need none'}`,
    },
  );
  if (ordered.length <= MANY_ORDERED) return;
  yield diagnostic(
    'ipam/many-order-dependent',
    cluster.at,
    `"${cluster.name}" waits for ${ordered.length} Configurations one after the other`,
    {
      hint: 'give the peers `externalCIDR: auto` (or networks of their own): then they are applied all at once',
    },
  );
}

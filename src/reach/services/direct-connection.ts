import { samePrefix } from '../../base/net/prefix.ts';
import { printPrefix } from '../../base/net/text.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import { tooOld } from './endpoint-path.ts';

/** Two providers of one consumer. */
export interface ProviderPair {
  readonly hub: AddressedCluster;
  readonly from: AddressedCluster;
  readonly to: AddressedCluster;
}

export type DirectConnection =
  | { readonly kind: 'mapped' }
  /** The annotation has no effect. */
  | { readonly kind: 'absent'; readonly why: string }
  /** The receiver cannot map the address, and creates no slice at all. */
  | { readonly kind: 'refused'; readonly why: string; readonly change: string };

/**
 * The result of a pod's address of provider `to` in provider `from`, for a Service with
 * `liqo.io/use-direct-connections`. `from` maps the address with its own Configuration for `to`, which requires the
 * real address: it needs a link to `to`, and the consumer must not remap the pod CIDR of `to`. Source:
 * liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading/shadowendpointslice-controller/mapping.go.
 */
export function directConnection({ hub, from, to }: ProviderPair): DirectConnection {
  const old = [hub, from].find((it) => !it.traits.hasDirectConnections);
  if (old !== undefined) return { kind: 'absent', why: tooOld(old) };
  if (!from.peers.has(to.name)) {
    return {
      kind: 'refused',
      why: `it has no link to "${to.name}"`,
      change: `Add the shortcut [${from.name}, ${to.name}], or leave one of the two out of the namespace.`,
    };
  }
  const view = hub.peers.get(to.name)?.podViews.find((it) => !samePrefix(it.cidr, it.seenAs));
  if (view === undefined) return { kind: 'mapped' };
  return {
    kind: 'refused',
    why: `"${hub.name}" sees pods of "${to.name}" as ${printPrefix(view.seenAs)}, and "${from.name}" maps only addresses in ${printPrefix(view.cidr)}`,
    change: `Give "${to.name}" a pod CIDR that is free in "${hub.name}".`,
  };
}

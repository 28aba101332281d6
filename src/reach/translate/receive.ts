import { bug } from '../../base/diagnostics/bug.ts';
import { containsAddress, moveHost, samePrefix } from '../../base/net/prefix.ts';
import { printAddress, printPrefix } from '../../base/net/text.ts';
import type { View } from '../../fleet/ipam/addressed-model.ts';
import type { Reflection } from './reflection.ts';
import type { ExplainedArrival } from './translation.ts';

/**
 * The hub's own pod: its address is sent unchanged, and the receiver maps it with its Configuration for the hub.
 * Source: liqotech/liqo@v1.2.0 pkg/virtualKubelet/reflection/exposition/endpointslice.go, pkg/utils/ipam/mapping.
 */
export function receiveHubPod({ hub, receiver, hubSeen }: Reflection, address: number): ExplainedArrival {
  const sent = `it is a pod of "${hub.name}" itself, so it is sent unchanged`;
  const view =
    hubSeen.podViews.find((it) => containsAddress(it.cidr, address)) ??
    bug(`"${receiver.name}" has no view of ${printAddress(address)}, a pod of "${hub.name}"`);
  return known(address, moveHost(address, view.seenAs), [sent, seenAs(receiver.name, `pods of "${hub.name}"`, view)]);
}

export const known = (sent: number, received: number, why: readonly string[]): ExplainedArrival => ({
  arrival: { kind: 'known', sent, received, by: 'configuration' },
  why,
});

/** `"rome" sees the pods of "milan", 10.202.0.0/16, as 10.61.0.0/16`. */
export function seenAs(cluster: string, what: string, { cidr, seenAs: view }: View): string {
  const seen = samePrefix(cidr, view) ? 'as they are' : `as ${printPrefix(view)}`;
  return `"${cluster}" sees the ${what}, ${printPrefix(cidr)}, ${seen}`;
}

/** A pod that runs in the receiver. */
export const receiveOwnPod = (receiver: string, real: number): ExplainedArrival => ({
  arrival: { kind: 'skipped' },
  why: [`the pod runs in "${receiver}" as ${printAddress(real)}, which has this endpoint without the hub`],
});

import type { AddressedCluster, AddressedModel, Peer } from '../../fleet/ipam/addressed-model.ts';

/** Two linked clusters, of which one reflects its endpoints to the other. */
export interface Reflection {
  readonly model: AddressedModel;
  /** The consumer: its virtual kubelet for the receiver reflects. */
  readonly hub: AddressedCluster;
  /** The provider. */
  readonly receiver: AddressedCluster;
  /** The hub from the receiver's point of view. */
  readonly hubSeen: Peer;
}

/** `undefined` when the two have no link: nothing is reflected then. */
export function reflectionOf(
  model: AddressedModel,
  { hub, receiver }: { readonly hub: AddressedCluster; readonly receiver: AddressedCluster },
): Reflection | undefined {
  const hubSeen = receiver.peers.get(hub.name);
  return hubSeen === undefined ? undefined : { model, hub, receiver, hubSeen };
}

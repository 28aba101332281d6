import type { AddressedCluster, AddressedModel, Peer } from '../../fleet/ipam/addressed-model.ts';

/** Two linked clusters; the hub reflects its endpoints to the receiver. */
export interface Reflection {
  readonly model: AddressedModel;
  /** The consumer, whose virtual kubelet for the receiver reflects the endpoints. */
  readonly hub: AddressedCluster;
  /** The provider. */
  readonly receiver: AddressedCluster;
  /** The hub from the receiver's point of view. */
  readonly hubSeen: Peer;
}

/** Returns `undefined` when the two have no link, because nothing is reflected then. */
export function reflectionOf(
  model: AddressedModel,
  { hub, receiver }: { readonly hub: AddressedCluster; readonly receiver: AddressedCluster },
): Reflection | undefined {
  const hubSeen = receiver.peers.get(hub.name);
  return hubSeen === undefined ? undefined : { model, hub, receiver, hubSeen };
}

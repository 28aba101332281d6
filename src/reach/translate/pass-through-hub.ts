import { printPrefix } from '../../base/net/text.ts';
import { receiveHubPod, receiveOwnPod, seenAs } from './receive.ts';
import type { Reflection } from './reflection.ts';
import type { ExplainedArrival, Owner } from './translation.ts';

/**
 * Upstream without shortcuts. The hub maps a pod of another provider to an address of its external CIDR, which the
 * pod's IP resource gets at run time in order of arrival; the receiver maps this address with its Configuration for the
 * hub.
 * Source: liqotech/liqo@v1.2.0 pkg/virtualKubelet/reflection/exposition/endpointslice.go.
 */
export function passThroughHub(reflection: Reflection, owner: Owner, address: number): ExplainedArrival {
  const { hub, receiver, hubSeen } = reflection;
  if (owner.kind === 'own') return receiveHubPod(reflection, address);
  if (owner.peer === receiver.name) return receiveOwnPod(receiver.name, owner.real);
  const sentIn = hub.externalCIDR;
  const allocated = `the pod runs in "${owner.peer}", so "${hub.name}" sends the address of its IP resource: one of its external CIDR ${printPrefix(sentIn)}, assigned at run time in order of arrival`;
  return {
    arrival: { kind: 'run-time', sentIn, receivedIn: hubSeen.externalView.seenAs },
    why: [allocated, seenAs(receiver.name, `external CIDR of "${hub.name}"`, hubSeen.externalView)],
  };
}

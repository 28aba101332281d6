import { containsAddress, moveHost } from '../../base/net/prefix.ts';
import { printAddress, printPrefix } from '../../base/net/text.ts';
import { firstLineWith } from '../../base/releases/traits.ts';
import { known, receiveHubPod, receiveOwnPod, seenAs } from './receive.ts';
import type { Reflection } from './reflection.ts';
import type { ExplainedArrival, Owner } from './translation.ts';

/** Why the two cannot have direct connections; `null` when they can. */
export function directConnectionsAbsent({ hub, receiver }: Reflection): string | null {
  const old = [hub, receiver].find((it) => !it.traits.hasDirectConnections);
  return old === undefined
    ? null
    : `they need Liqo ${firstLineWith('hasDirectConnections')}, and "${old.name}" runs ${old.release.version}`;
}

/**
 * Direct connections of 1.2, for a Service with `liqo.io/use-direct-connections`. The hub sends every address
 * unchanged, and the receiver maps those of other providers with its own Configuration for that provider. It finds them
 * in the provider's real pod CIDRs only, so the hub must not remap the provider.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading/shadowendpointslice-controller/mapping.go.
 */
export function passDirectly(reflection: Reflection, owner: Owner, address: number): ExplainedArrival {
  const { hub, receiver } = reflection;
  if (owner.kind === 'own') return receiveHubPod(reflection, address);
  if (owner.peer === receiver.name) return receiveOwnPod(receiver.name, owner.real);
  const sent = `the pod runs in "${owner.peer}"; "${hub.name}" sends its own view of it, ${printAddress(address)}, with the name of that cluster`;
  const link = receiver.peers.get(owner.peer);
  if (link === undefined) return refused(sent, `"${receiver.name}" has no link to "${owner.peer}" to map it with`);
  const view = link.podViews.find((it) => containsAddress(it.cidr, address));
  if (view === undefined) {
    const real = printPrefix(owner.view.cidr);
    return refused(
      sent,
      `"${receiver.name}" maps only addresses in the real pod CIDR ${real} of "${owner.peer}", and this one is not, since "${hub.name}" remaps that to ${printPrefix(owner.view.seenAs)}`,
    );
  }
  const received = moveHost(address, view.seenAs);
  const mapped = seenAs(receiver.name, `pods of "${owner.peer}"`, view);
  if (address === owner.real) return known(address, received, [sent, mapped]);
  // The hub's view of one pod CIDR may equal another real one.
  const another = `"${receiver.name}" uses it as the real address ${printAddress(address)} of "${owner.peer}", which is another pod than ${printAddress(owner.real)}, since "${hub.name}" remaps`;
  return refused(sent, another);
}

/**
 * An endpoint without a targetRef: the hub sends its address unchanged and without a cluster, so the receiver does not
 * change it, either. There, a view of the hub is the address of another host, or of none.
 */
export function passUnattributed(reflection: Reflection, owner: Owner, address: number): ExplainedArrival {
  const { hub, receiver } = reflection;
  if (owner.kind === 'own' || owner.peer === receiver.name) return passDirectly(reflection, owner, address);
  return known(address, address, [
    `the endpoint has no targetRef, so "${hub.name}" does not send that the pod runs in "${owner.peer}"`,
    `"${receiver.name}" has no view of it in its Configuration for "${hub.name}" and leaves the address unchanged, although it belongs to another host there, or to none`,
  ]);
}

const refused = (...why: readonly string[]): ExplainedArrival => ({ arrival: { kind: 'refused' }, why });

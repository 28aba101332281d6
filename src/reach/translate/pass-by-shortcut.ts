import { containsAddress, moveHost } from '../../base/net/prefix.ts';
import { printPrefix } from '../../base/net/text.ts';
import { type ForkPair, listForkPairs } from './list-fork-pairs.ts';
import { passThroughHub } from './pass-through-hub.ts';
import { seenAs } from './receive.ts';
import type { Reflection } from './reflection.ts';
import type { ExplainedArrival, Owner } from './translation.ts';

/** Why the hub has no shortcut of the fork for the receiver; `null` when it has one. */
export function shortcutsAbsent(reflection: Reflection): string | null {
  const { model, hub, receiver } = reflection;
  if (!model.fleet.shortcutOperator) return 'the fork with its operator is not used: `liqo.shortcutOperator` is off';
  if (listForkPairs(reflection).length > 0) return null;
  return `no ForeignClusterConnection of "${hub.name}" refers to "${receiver.name}"`;
}

/**
 * The fork: an address inside `podCIDR` of a ForeignClusterConnection that is read gets the network bits of
 * `remappedPodCIDR`, and because of the label the receiver does not map it again. All others take the way of the hub.
 * Source: Gabbe64/liqo@b83d06f2 pkg/virtualKubelet/reflection/exposition/endpointslice.go.
 */
export function passByShortcut(reflection: Reflection, owner: Owner, address: number): ExplainedArrival {
  const { hub, receiver } = reflection;
  const through = passThroughHub(reflection, owner, address);
  if (owner.kind === 'own' || owner.peer === receiver.name) return through;
  const pairs = listForkPairs(reflection).filter((it) => containsAddress(it.hubView.seenAs, address));
  const pair = pairs.find((it) => it.stoppedAt === null);
  if (pair === undefined) return { ...through, why: [whyNot(reflection, owner.peer, pairs[0]), ...through.why] };
  const received = moveHost(address, pair.receiverView.seenAs);
  return {
    arrival: { kind: 'known', sent: received, received, by: 'label' },
    why: [
      `the pod runs in "${pair.other}": ForeignClusterConnection "${pair.connection}" of "${hub.name}" has podCIDR ${printPrefix(pair.hubView.seenAs)}, so the address gets the network of remappedPodCIDR ${printPrefix(pair.receiverView.seenAs)}`,
      seenAs(receiver.name, `pods of "${pair.other}"`, pair.receiverView),
      `because of the label, "${receiver.name}" does not map it again`,
    ],
  };
}

function whyNot({ hub, receiver }: Reflection, owner: string, unread: ForkPair | undefined): string {
  if (unread === undefined) return `"${hub.name}" has no shortcut between "${receiver.name}" and "${owner}"`;
  return `the fork does not read ForeignClusterConnection "${unread.connection}" for "${receiver.name}": it stops at "${unread.stoppedAt}", where "${receiver.name}" is foreignClusterA`;
}

import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { samePrefix } from '../../../base/net/prefix.ts';
import { printPrefix } from '../../../base/net/text.ts';
import { firstLineWith } from '../../../base/releases/traits.ts';
import type { Link } from '../../model/network-model.ts';
import {
  type AddressedCluster,
  type AddressedModel,
  type AddressRule,
  clusterNamed,
  type Peer,
  type View,
} from '../addressed-model.ts';

/**
 * Services of a hub use the shortcuts between its spokes.
 * Source: the reflection of endpoints, liqotech/liqo@v1.2.0 pkg/virtualKubelet/reflection/exposition/endpointslice.go.
 */
export const servicesUseShortcuts: AddressRule = function* (model) {
  for (const link of model.links) if (link.kind === 'shortcut') yield* unusedByServices(link, model);
};

function* unusedByServices(link: Link, model: AddressedModel): Iterable<Diagnostic> {
  const ends = [link.client.cluster.name, link.server.cluster.name] as const;
  for (const name of link.commonHubs) {
    const hub = clusterNamed(model, name);
    const pair = `"${ends[0]}" and "${ends[1]}"`;
    if (!hub.traits.hasDirectConnections) {
      if (model.fleet.shortcutOperator) continue;
      yield diagnostic(
        'ipam/shortcut-services',
        link.at,
        `services of "${hub.name}" do not use the shortcut between ${pair}: Liqo ${hub.release.line} has no direct connections`,
        {
          about: [ends],
          hint: `upgrade to ${firstLineWith('hasDirectConnections')}, or run the fork with \`liqo.shortcutOperator\`; pods that dial each other by address use the shortcut in any case`,
        },
      );
      continue;
    }
    const first = firstRemapped(hub, ends);
    if (!first) continue;
    const { peer, view } = first;
    yield diagnostic(
      'ipam/shortcut-services',
      link.at,
      `services of "${hub.name}" cannot use the shortcut between ${pair}: "${hub.name}" sees the pods of "${peer.name}" as ${printPrefix(view.seenAs)}, and direct connections need them unremapped`,
      {
        about: [ends],
        hint: `give "${peer.name}" a pod CIDR that is free in "${hub.name}"; pods that dial each other by address use the shortcut in any case`,
      },
    );
  }
}

/** The first of these peers, in apply order, whose pods the hub sees under other addresses, with that view. */
function firstRemapped(
  hub: AddressedCluster,
  names: readonly string[],
): { readonly peer: Peer; readonly view: View } | undefined {
  for (const peer of hub.peers.values()) {
    const view = names.includes(peer.name) && peer.podViews.find((it) => !samePrefix(it.cidr, it.seenAs));
    if (view) return { peer, view };
  }
  return undefined;
}

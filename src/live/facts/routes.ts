import { prefixOf, printAddress } from '../../base/net/text.ts';
import { TUNNEL_NETWORK } from '../../base/releases/gateways.ts';
import { listAt, textAt } from '../dumps/json.ts';
import type { KubernetesObject } from '../dumps/kubernetes-object.ts';

/** A route of a RouteConfiguration. */
interface ObservedRoute {
  /** The network of the rule, and that of its route: Liqo writes the same into both. */
  readonly to: string;
  readonly dst: string;
  readonly via: string;
  /** The interface by which its packets come in; empty for any. */
  readonly from: string;
}

/** The routes of a RouteConfiguration that lead on, and the overlay address to which it leads them, where it has one. */
export function observeRoutes({ spec }: KubernetesObject): {
  readonly routes: readonly ObservedRoute[];
  readonly overlay: string | null;
} {
  const all = listAt(spec, 'table', 'rules').flatMap((rule) =>
    listAt(rule, 'routes').map((it) => ({
      to: textAt(rule, 'dst') ?? 'all',
      dst: textAt(it, 'dst') ?? 'none',
      via: textAt(it, 'gw') ?? 'none',
      from: textAt(rule, 'iif') ?? '',
      isOverlay: textAt(it, 'scope') === 'link',
    })),
  );
  const overlay = all.find((it) => it.isOverlay)?.dst.replace(/\/32$/, '') ?? null;
  return { routes: all.filter((it) => !it.isOverlay), overlay };
}

/** The address of the other end in the tunnel of a gateway. */
export const tunnelEndOf = (gateway: 'GatewayServer' | 'GatewayClient'): string =>
  printAddress(prefixOf(TUNNEL_NETWORK).base + (gateway === 'GatewayServer' ? 2 : 1));

/** The endings of the RouteConfigurations about peers: into the tunnel, to the gateway, and from gateways to a node. */
export const INTO_TUNNEL = '-gw-ext';
export const TO_GATEWAY = '-node-gw';
export const TO_NODE = '-extcidr';

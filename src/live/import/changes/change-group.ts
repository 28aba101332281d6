import { sortedUnique } from '../../../base/core/collections.ts';
import type { Link } from '../../../fleet/model/network-model.ts';
import type { ObjectName } from '../../drift/drift.ts';

/** What applying a bundle does to objects that are there, by its reason. */
export type ChangeKind =
  /** Annotations that only GitOps tools read. */
  | 'gitops-annotations'
  /** Labels by which Kubernetes admits the pods of gateways. */
  | 'pod-security-labels'
  | 'labels-and-annotations'
  /** `secretRef` names the Secret that the gateway uses already. */
  | 'names-secret'
  /** `nodePort` is the one that Kubernetes has chosen already. */
  | 'names-node-port'
  | 'mtu'
  /** Where a server listens. */
  | 'port'
  /** What a client dials. */
  | 'dials'
  | 'template'
  /** The type or the address of a Service. */
  | 'service'
  /** Annotations and labels of a Service. */
  | 'service-annotations'
  /** Another Secret than the one in use. */
  | 'other-secret'
  | 'key'
  /** The networks of a peer. */
  | 'remote-networks'
  /** How a cluster sees a peer. */
  | 'view'
  | 'created'
  /** Liqo makes it of what is applied. */
  | 'made-by-liqo'
  | 'secret-missing'
  | 'extra'
  | 'leaving'
  | 'other-field';

/** What moves when it is applied. */
export type Effect = 'nothing' | 'restart' | 'port' | 'view' | 'key';

/** Changes of one kind in all clusters. */
export interface ChangeGroup {
  readonly kind: ChangeKind;
  readonly effect: Effect;
  readonly objects: number;
  /** By name. */
  readonly clusters: readonly string[];
  /** The first of the objects, with its cluster. */
  readonly example: { readonly cluster: string; readonly object: ObjectName; readonly path: readonly string[] };
}

/** How much moves in all clusters together. */
export interface Moves {
  readonly views: number;
  readonly ports: number;
  /** Gateways whose pods start again. */
  readonly restarts: number;
  readonly keys: number;
}

/** Tunnels that carry nothing for a moment when a GitOps tool takes their objects over. */
export interface TunnelPauses {
  readonly tunnels: number;
  /** The clusters that serve them, by name. */
  readonly servers: readonly string[];
}

/** How long they carry nothing, measured: until the client gives its session up. */
export const PAUSE_SECONDS = 15;

/**
 * Any change of a PublicKey, also of its annotations alone, lets the gateway configure its peer again; a server before 1.2 then
 * forgets where its client is. Source: liqotech/liqo@v1.1.2 pkg/gateway/tunnel/wireguard/publickeys_controller.go (Predicates),
 * device.go.
 *
 * @param dumped clusters whose objects would be taken over
 */
export function tunnelPauses(links: readonly Link[], dumped: ReadonlySet<string>): TunnelPauses {
  const servers = links.flatMap(({ server: { cluster } }) =>
    dumped.has(cluster.name) && !cluster.traits.preservesClientEndpoint ? [cluster.name] : [],
  );
  return { tunnels: servers.length, servers: sortedUnique(servers) };
}

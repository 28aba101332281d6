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

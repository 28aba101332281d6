/** How a packet can end. Closed, so that a switch over it is complete. */
export type FateKind =
  /** A pod receives it, and the pod's answer reaches the sender. */
  | 'delivered'
  /** Both ends are in one cluster: its CNI delivers the packet without Liqo. */
  | 'self'
  /** Nothing that is compiled routes it: no link, no cluster with links to both, or no view that contains the address. */
  | 'no-route'
  /** A gateway on the way has no public key, so its tunnel carries nothing. */
  | 'no-keys'
  /** A live tunnel on the way is down. Only clusters that were looked at show that. */
  | 'tunnel-down'
  /** It arrives, but the receiver cannot answer the source that it sees. */
  | 'no-return'
  /** One end is no pod: a Service, a node, the unknown source, an unused address. */
  | 'not-a-pod-address'
  /** The address has two meanings in one cluster. */
  | 'ambiguous'
  /** It reaches a gateway that maps single addresses, and this mapping exists at run time only. */
  | 'needs-run-time-address'
  /** One end is a retired cluster, to which no cluster has a link. */
  | 'retired';

export interface Fate {
  readonly kind: FateKind;
  /** The reason, as one sentence. */
  readonly why: string;
  /** An action that would change it, as one sentence; `null` where nothing needs a change. */
  readonly change: string | null;
}

/** True when the packet arrives. */
export const arrives = ({ kind }: Pick<Fate, 'kind'>): boolean => kind === 'delivered' || kind === 'self';

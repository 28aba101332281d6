/** How a packet can end. Closed, so that a switch over it is complete. */
export type FateKind =
  /** A pod has it, and the pod's answer finds back. */
  | 'delivered'
  /** Both ends are in one cluster: its CNI delivers, and Liqo has no part in it. */
  | 'self'
  /** Nothing that is compiled carries it: no link, no hub in common, or no view that holds the address. */
  | 'no-route'
  /** It arrives, and the receiver has no way to answer the source that it sees. */
  | 'no-return'
  /** One end is no pod: a Service, a node, the unknown source, an address that nobody uses. */
  | 'not-a-pod-address'
  /** The address means two things in one cluster. */
  | 'ambiguous'
  /** It reaches a gateway that maps single addresses, and only run time knows whom this one stands for. */
  | 'needs-run-time-address'
  /** One end is a retired cluster: its peers have dropped it. */
  | 'retired';

export interface Fate {
  readonly kind: FateKind;
  /** Why it ends so: one sentence. */
  readonly why: string;
  /** What would change it; `null` where nothing needs a change. One sentence. */
  readonly change: string | null;
}

/** Whether the packet gets there. */
export const arrives = ({ kind }: Pick<Fate, 'kind'>): boolean => kind === 'delivered' || kind === 'self';

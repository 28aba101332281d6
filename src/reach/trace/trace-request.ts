/** A packet to trace, from one end to another. */
export interface TraceRequest {
  readonly from: TraceFrom;
  readonly to: TraceTo;
  /** The sender is a node, or a pod that shares its node's network: then its source is not a pod's. */
  readonly fromNode?: boolean;
  /** The packet goes through this cluster, which has links to both ends, even if there is a shorter way or another one. */
  readonly through?: string;
  /** Single addresses that hubs have mapped already, from their IP resources. */
  readonly mappings?: readonly IpMapping[];
}

interface TraceFrom {
  /** One of the model's clusters. */
  readonly cluster: string;
  /** An address of this cluster, as the cluster itself uses it; `null` for the representative one. */
  readonly address: number | null;
  readonly port?: number | null;
}

export type TraceTo =
  | {
      readonly kind: 'cluster';
      readonly cluster: string;
      readonly address: number | null;
      readonly port?: number | null;
    }
  /** An address as the sender sees it. */
  | { readonly kind: 'address'; readonly address: number; readonly port?: number | null };

/** An IP resource: `cluster` maps `external`, of its external CIDR, to `real`, an address as this cluster sees it. */
export interface IpMapping {
  readonly cluster: string;
  readonly external: number;
  readonly real: number;
}

import type { AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import type { Address } from './address.ts';
import type { FateKind } from './fates.ts';
import { type NextHop, trace } from './trace.ts';
import type { IpMapping } from './trace-request.ts';

/** The addresses that packets between two clusters must have at both ends. */
export interface ExpectedFlow {
  readonly from: string;
  readonly to: string;
  readonly route: NextHop;
  readonly fate: FateKind;
  /** The packet that the sender sends; `null` without a destination. */
  readonly sent: Ends | null;
  /** The packet that the receiver gets; `null` when it gets none. */
  readonly received: Ends | null;
  /**
   * The IP resource that the hub must have: `real` is the pod from the hub's point of view, `external` the address that
   * the hub maps to it. Unless `options.mappings` contains it, only the network of `external` and of `sent.destination`
   * is known.
   */
  readonly mapping: { readonly hub: string; readonly real: number; readonly external: Address } | null;
}

interface Ends {
  readonly source: Address;
  readonly destination: Address;
}

export interface FlowOptions {
  /** Addresses as their own clusters use them; by default the representative pods. */
  readonly fromAddress?: number;
  readonly toAddress?: number;
  readonly fromNode?: boolean;
  /** A hub that the packet passes even if there is a shorter path. */
  readonly through?: string;
  readonly mappings?: readonly IpMapping[];
}

/** The flow with which a lab compares the packets that it sees. */
export function expectedFlow(model: AddressedModel, from: string, to: string, options: FlowOptions = {}): ExpectedFlow {
  const { fromAddress = null, toAddress = null, ...rest } = options;
  const traced = trace(model, {
    ...rest,
    from: { cluster: from, address: fromAddress },
    to: { kind: 'cluster', cluster: to, address: toAddress },
  });
  const { route, fate, sent, received, mapping } = traced;
  return {
    from,
    to,
    route,
    fate: fate.kind,
    sent,
    received,
    mapping: mapping && { hub: mapping.cluster, real: mapping.real, external: mapping.external },
  };
}

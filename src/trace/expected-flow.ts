import type { AddressedModel } from '../ipam/addressed-model.ts';
import type { Address } from './address.ts';
import type { FateKind } from './fate.ts';
import { type Route, trace } from './trace.ts';
import type { IpMapping } from './trace-request.ts';

/** What real traffic between two clusters must look like at both of its ends. */
export interface ExpectedFlow {
  readonly from: string;
  readonly to: string;
  readonly route: Route;
  readonly fate: FateKind;
  /** What the sender sends; `null` when there is nothing to send to. */
  readonly sent: Ends | null;
  /** What the receiver gets; `null` when it gets nothing. */
  readonly received: Ends | null;
  /**
   * The IP resource that the hub must have: `real` is the pod as the hub sees it, `external` what the hub has mapped it to.
   * Until that is told (`options.mappings`) `external`, and with it `sent.destination`, is known by its network only.
   */
  readonly mapping: { readonly hub: string; readonly real: number; readonly external: Address } | null;
}

export interface Ends {
  readonly source: Address;
  readonly destination: Address;
}

export interface FlowOptions {
  /** Addresses as their own clusters know them; the representative pods unless told. */
  readonly fromAddress?: number;
  readonly toAddress?: number;
  readonly fromNode?: boolean;
  /** A hub to go through although there is a shorter way. */
  readonly through?: string;
  readonly mappings?: readonly IpMapping[];
}

/** What a lab compares its traffic with. */
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

import type { Trace } from '../trace/trace.ts';

/** How packets of one cluster get to the pods of a Service in one cluster, or why they do not. */
export interface EndpointPath {
  /** Where the pods run. */
  readonly cluster: string;
  readonly way: EndpointWay;
  readonly fate: EndpointFate;
  /** A sentence. */
  readonly why: string;
  /** What would change it; `null` for what is delivered. */
  readonly change: string | null;
  /** Walks the packet; `null` where nothing is sent to another cluster. */
  readonly trace: (() => Trace) | null;
}

/**
 * `local`: inside the cluster. `link`: between the consumer and a provider. Between two providers: `hub`, through the
 * consumer; `direct`, by a direct connection of upstream; `shortcut`, by one of the fork.
 */
export type EndpointWay = 'local' | 'link' | 'hub' | 'direct' | 'shortcut' | 'none';

/**
 * `black-hole`: the endpoint is ready, and packets to it are lost. `not-ready`: the endpoint is there and gets no traffic.
 * `withheld`: the cluster gets no endpoints of others.
 */
type EndpointFate = 'delivered' | 'black-hole' | 'not-ready' | 'withheld';

export const isDelivered = ({ fate }: EndpointPath): boolean => fate === 'delivered';

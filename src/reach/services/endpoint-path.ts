import { firstLineWith } from '../../base/releases/traits.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import type { Link } from '../../fleet/model/network-model.ts';
import { keylessSentence } from '../trace/fates.ts';
import type { Trace } from '../trace/trace.ts';

/** The path of packets from one cluster to the pods of a Service in one cluster, or the reason why there is none. */
export interface EndpointPath {
  /** The cluster in which the pods run. */
  readonly cluster: string;
  readonly way: EndpointWay;
  readonly fate: EndpointFate;
  /** The reason, as a sentence. */
  readonly why: string;
  /** A change that would make the path work; `null` when packets are delivered. */
  readonly change: string | null;
  /** Walks the packet; `null` when nothing is sent to another cluster. */
  readonly trace: (() => Trace) | null;
}

/**
 * `local`: inside the cluster. `link`: between the consumer and a provider. Between two providers: `hub`, through the
 * consumer; `direct`, by a direct connection of upstream; `shortcut`, by a shortcut of the fork.
 */
export type EndpointWay = 'local' | 'link' | 'hub' | 'direct' | 'shortcut' | 'none';

/**
 * `black-hole`: the endpoint is ready, and packets to it are lost. `not-ready`: the endpoint exists and gets no
 * traffic. `withheld`: the cluster gets no endpoints of other clusters.
 */
type EndpointFate = 'delivered' | 'black-hole' | 'not-ready' | 'withheld';

export const isDelivered = ({ fate }: EndpointPath): boolean => fate === 'delivered';

// Sentences for all paths to endpoints.

type Cluster = Pick<AddressedCluster, 'name'>;

export const local = ({ name }: Cluster): EndpointPath => ({
  cluster: name,
  way: 'local',
  fate: 'delivered',
  why: `The pods run in "${name}" itself.`,
  change: null,
  trace: null,
});

export const deliveredPath = ({ name }: Cluster, way: EndpointWay, why: string, trace: () => Trace): EndpointPath => ({
  cluster: name,
  way,
  fate: 'delivered',
  why,
  change: null,
  trace,
});

export const lost = (
  { name }: Cluster,
  why: string,
  change: string,
  trace: (() => Trace) | null = null,
): EndpointPath => ({
  cluster: name,
  way: 'none',
  fate: 'black-hole',
  why,
  change,
  trace,
});

/**
 * The path between two clusters without a link: Liqo passes addresses on unchanged and treats the network as working.
 */
export const withoutLink = (at: Cluster, viewer: Cluster, owner: Cluster): EndpointPath =>
  lost(
    at,
    `"${viewer.name}" and "${owner.name}" have no link, so "${viewer.name}" gets the endpoint with an address that it does not route, and as ready.`,
    `Add a link between "${viewer.name}" and "${owner.name}" to \`peerings\`.`,
  );

/** The path when the consumer has no link to the provider of the pods, so that it cannot forward packets to them. */
export const hubWithoutLink = (at: Cluster, hub: Cluster): EndpointPath =>
  lost(
    at,
    `The endpoint is an address of "${hub.name}", which forwards it, and "${hub.name}" has no link to "${at.name}".`,
    `Add a link between "${hub.name}" and "${at.name}" to \`peerings\`.`,
  );

export const notReady = ({ name }: Cluster, link: Link): EndpointPath => ({
  cluster: name,
  way: 'none',
  fate: 'not-ready',
  why: `${keylessSentence(link)}, so their tunnel does not come up, and the endpoint is not ready.`,
  change: 'Run `weft keys generate`, commit the keys file, and apply the Secrets.',
  trace: null,
});

/** The path when a provider gets no endpoints: it creates no slice at all if it cannot map one of the endpoints. */
export const withheld = ({ name }: Cluster, receiver: Cluster, refused: string, change: string): EndpointPath => ({
  cluster: name,
  way: 'none',
  fate: 'withheld',
  why: `"${receiver.name}" gets no endpoints of other clusters, since it cannot map one of them: ${refused}.`,
  change,
  trace: null,
});

export const tooOld = ({ name, release }: AddressedCluster): string =>
  `direct connections need Liqo ${firstLineWith('hasDirectConnections')}, and "${name}" runs ${release.version}`;

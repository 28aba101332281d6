// Generated from schemas/addresses.schema.json by `npm run generate -- --types`; edit that instead.

/**
 * Every address that weft decided, for programs: how each cluster sees the networks of its peers, and both gateways of each link. Rows are sorted by cluster, then by apply order.
 */
export interface AddressesFile {
  /**
   * Version of this file's format.
   */
  version: 1;
  /**
   * Name of the fleet.
   */
  topology: string;
  /**
   * How each cluster sees each pod and external CIDR of its peers.
   */
  views: AddressesView[];
  /**
   * Both ends of each tunnel.
   */
  gateways: AddressesGateway[];
}
/**
 * How one cluster sees one CIDR of a peer.
 */
export interface AddressesView {
  /**
   * The cluster whose view this is.
   */
  cluster: string;
  /**
   * The peer whose network this is.
   */
  peer: string;
  /**
   * Kind of the peer's network.
   */
  kind: 'pod' | 'external';
  /**
   * The network that the peer announces.
   */
  cidr: string;
  /**
   * The network at which the cluster sees it. Equal to cidr when it is not remapped.
   */
  seenAs: string;
  /**
   * Why the two clusters are linked.
   */
  link: 'hub' | 'peering' | 'shortcut';
  /**
   * True when the view would be another one if the Configurations of the cluster were applied in another order: of two peers with one network, for both.
   */
  orderDependent: boolean;
  /**
   * True when the lock file keeps this view and a new rollout would give another one.
   */
  history: boolean;
}
/**
 * One end of a tunnel.
 */
export interface AddressesGateway {
  /**
   * The cluster that the gateway runs in.
   */
  cluster: string;
  /**
   * The cluster at the other end.
   */
  peer: string;
  /**
   * The server listens, the client dials.
   */
  role: 'server' | 'client';
  /**
   * Address that the client dials: an IPv4 address or a DNS name. The same in the rows of both ends.
   */
  address: string;
  /**
   * UDP port that the client dials. The same in the rows of both ends.
   */
  port: number;
  /**
   * MTU of the tunnel in bytes.
   */
  mtu: number;
}

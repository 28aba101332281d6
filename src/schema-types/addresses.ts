// Generated from schemas/addresses.schema.json by `npm run generate -- --types`; edit that instead.

/**
 * Every address that weft decided, for programs: how each cluster sees its peers' networks and which gateway it talks to. Rows are sorted by cluster, then in apply order.
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
   * The cluster that looks.
   */
  cluster: string;
  /**
   * The cluster that is seen.
   */
  peer: string;
  /**
   * Which network of the peer it is.
   */
  kind: 'pod' | 'external';
  /**
   * What the peer announces.
   */
  cidr: string;
  /**
   * What the cluster uses for it. Equal to cidr when nothing is remapped.
   */
  seenAs: string;
  /**
   * Why the two are connected.
   */
  link: 'hub' | 'peering' | 'shortcut';
  /**
   * True when the answer depends on the order in which links are made.
   */
  orderDependent: boolean;
  /**
   * True when the lock keeps this view and a fresh rollout would give another.
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
   * What the client dials: an IPv4 address or a DNS name. Equal in both ends' rows.
   */
  address: string;
  /**
   * The UDP port that the client dials. Equal in both ends' rows.
   */
  port: number;
  /**
   * MTU of the tunnel in bytes.
   */
  mtu: number;
}

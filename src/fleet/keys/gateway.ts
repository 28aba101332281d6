/** The gateway of a cluster towards one peer. It has a WireGuard key pair of its own. */
export interface GatewayName {
  readonly cluster: string;
  readonly peer: string;
}

/** A gateway without a key, with its Secret. */
export interface KeylessGateway extends GatewayName {
  readonly namespace: string;
  readonly secretName: string;
}

/** A WireGuard key pair: 32 raw bytes each, as canonical base64. */
export interface KeyPair {
  readonly privateKey: string;
  readonly publicKey: string;
}

/** Public keys by cluster, then by the peer that the gateway is for. */
export type PublicKeys = ReadonlyMap<string, ReadonlyMap<string, string>>;

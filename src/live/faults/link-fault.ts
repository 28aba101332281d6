/** Something in the objects of a live cluster about one peer that keeps packets from passing, or that is about to. */
export type LinkFault = {
  readonly [K in keyof Faults]: { readonly kind: K } & FaultyEnd & Faults[K];
}[keyof Faults];

interface FaultyEnd {
  /** The cluster whose objects show it. */
  readonly cluster: string;
  readonly peer: string;
  /** Whether packets between the two are lost now. */
  readonly stops: boolean;
}

interface Faults {
  readonly 'no-gateway': object;
  readonly 'no-configuration': object;
  /** The Configuration has no status yet, so nothing is translated or routed. */
  readonly 'no-view': { readonly object: string };
  readonly 'no-public-key': object;
  /** Liqo wants one of these for each peer. */
  readonly several: {
    readonly what: 'gateways' | 'Configurations' | 'PublicKeys' | 'tenant namespaces' | 'Secrets with keys';
    readonly objects: readonly string[];
  };
  /** The Configuration names other networks than the peer has. */
  readonly 'stale-view': {
    readonly object: string;
    readonly cidr: 'pod' | 'external';
    readonly named: readonly string[];
    readonly has: readonly string[];
  };
  /** The Configuration has other own networks than the cluster. */
  readonly 'stale-local': {
    readonly object: string;
    readonly cidr: 'pod' | 'external';
    readonly named: readonly string[];
    readonly has: readonly string[];
  };
  /** No cluster can see a peer so, so an answer is computed with another network. */
  readonly 'unkept-view': {
    readonly object: string;
    readonly cidr: 'pod' | 'external';
    /** As the peer has it. */
    readonly network: string;
    readonly live: string;
    readonly assumed: string;
    readonly why: string;
  };
  readonly 'not-connected': { readonly object: string; readonly value: string };
  /** Other gateways of the cluster have a Connection, and this one does not. */
  readonly 'no-connection': object;
  /** What the client dials is not the port that the server offers. */
  readonly 'dials-another-port': { readonly dials: number; readonly offers: number };
  readonly 'mtu-differs': { readonly mtu: number; readonly peerMtu: number };
}

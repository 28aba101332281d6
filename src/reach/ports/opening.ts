/** What firewalls must let through from one cluster to another. `from` opens each flow; answers are packets of that flow. */
export interface Opening {
  readonly purpose: 'tunnel' | 'api-server';
  readonly protocol: 'udp' | 'tcp';
  readonly from: string;
  readonly to: string;
  /** Networks from which packets of `from` come, outside of it. Empty where the user has named none: no topology has them. */
  readonly sources: readonly string[];
  readonly dialled: Target;
  /** What the packets pass in `to`, from outside in. Empty for an API server, in front of which anything can be. */
  readonly places: readonly Place[];
  /** Whether NAT translates what is dialled to the first of the places. */
  readonly nat: boolean;
  /** The ports from which weft chooses for links to this cluster; `null` for a port outside of them, and for one that NAT maps. */
  readonly range: PortRange | null;
  /**
   * Where it is decided what is dialled: in the topology; in the recorded answer of a provider, or a proxy in it; by Liqo in the
   * provider; or in a kubeconfig that a person makes.
   */
  readonly decidedBy: 'topology' | 'answer' | 'proxy' | 'liqo' | 'kubeconfig';
  /** Whether the lock has the port: if not, a later compile may choose another one. True for API servers. */
  readonly recorded: boolean;
  /** Whether the gateway of `from` sends no pings, which make a flow known again to a firewall that has forgotten it. */
  readonly silent: boolean;
}

export interface Target {
  /** An address or a DNS name; `null` where only run time decides. */
  readonly address: string | null;
  readonly port: number | null;
}

export interface Place extends Target {
  readonly kind: 'load-balancer' | 'node' | 'service' | 'pod';
}

interface PortRange {
  readonly first: number;
  readonly last: number;
}

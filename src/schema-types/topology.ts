// Generated from schemas/topology.schema.json by `npm run generate -- --types`; edit that instead.

/**
 * A link between two clusters: their names, or their names with options.
 *
 * @minItems 2
 * @maxItems 2
 */
export type LinkEntry =
  | [string, string]
  | {
      /**
       * The two clusters.
       *
       * @minItems 2
       * @maxItems 2
       */
      between: [string, string];
      /**
       * The cluster whose gateway listens; the other one dials.
       */
      server?: string;
      /**
       * MTU of this tunnel in bytes. Left out, the smaller of the two gateways'.
       */
      mtu?: number;
      /**
       * Node port of the server end, instead of one that weft picks.
       */
      nodePort?: number;
      /**
       * Address or DNS name that the client dials on this link.
       */
      address?: string;
      /**
       * UDP port that the client dials on this link.
       */
      port?: number;
      /**
       * Gateway templates that you provide, instead of the chart's or weft's: one name for both ends, or one for each.
       */
      template?:
        | string
        | {
            /**
             * Template of the server end: its name, or its name and namespace. Left out, as for other links.
             */
            server?:
              | string
              | {
                  /**
                   * Name of the WgGatewayServerTemplate.
                   */
                  name: string;
                  /**
                   * Namespace of the template. Left out, the one that Liqo runs in.
                   */
                  namespace?: string;
                };
            /**
             * Template of the client end: its name, or its name and namespace. Left out, as for other links.
             */
            client?:
              | string
              | {
                  /**
                   * Name of the WgGatewayClientTemplate.
                   */
                  name: string;
                  /**
                   * Namespace of the template. Left out, the one that Liqo runs in.
                   */
                  namespace?: string;
                };
          };
    };
/**
 * How peers reach this cluster: an address, or an address with more settings. Left out, the cluster only dials.
 */
export type GatewaySpec =
  | string
  | {
      /**
       * Addresses or DNS names at which peers reach the gateways. Peers dial the first.
       */
      addresses?: string[];
      /**
       * Type of the Service in front of a gateway.
       */
      service?: 'NodePort' | 'LoadBalancer' | 'ClusterIP';
      /**
       * UDP ports of the Services, first to last: each link that shares an address gets one.
       */
      ports?: string | number;
      /**
       * Node ports, first to last: each link gets one. It must be the range of the cluster's API server, or a part of it that nobody else uses.
       */
      nodePorts?: string | number;
      /**
       * Address that the load balancer is asked for.
       */
      loadBalancerIP?: string;
      /**
       * MTU of the tunnels in bytes: 60 less than the path between the clusters carries, 80 less over IPv6.
       */
      mtu?: number;
      /**
       * Pods per gateway. One is active, the others wait.
       */
      replicas?: number;
      /**
       * Labels of the nodes that gateways may run on.
       */
      nodeSelector?: {
        [k: string]: string;
      };
      /**
       * Taints that gateways tolerate, as in a pod.
       */
      tolerations?: {
        /**
         * Key of the taint. Left out, every key.
         */
        key?: string;
        /**
         * Exists: any value. Equal: the value below.
         */
        operator?: 'Exists' | 'Equal';
        /**
         * Value of the taint.
         */
        value?: string;
        /**
         * Effect of the taint. Left out, every effect.
         */
        effect?: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
        /**
         * Seconds that a gateway stays on a node after such a taint appears (NoExecute only). Left out, it stays.
         */
        tolerationSeconds?: number;
      }[];
      /**
       * Annotations of the Services in front of the gateways.
       */
      serviceAnnotations?: {
        [k: string]: string;
      };
      /**
       * What peers dial instead, when the gateway sits behind NAT.
       */
      dial?: {
        /**
         * Address or DNS name outside the NAT.
         */
        address?: string;
        /**
         * UDP port outside the NAT.
         */
        port?: number;
      };
      /**
       * never: this cluster only dials. prefer: it is the server end of its links where it can be. Left out, weft decides for each link.
       */
      server?: 'never' | 'prefer';
      /**
       * Port that WireGuard listens on inside the pod, when it is not the Service's.
       */
      listenPort?: number;
      /**
       * How the gateways watch their tunnel: false switches the ping off, true is Liqo's own setting.
       */
      ping?:
        | boolean
        | {
            /**
             * False: the tunnel is not watched and counts as connected.
             */
            enabled?: boolean;
            /**
             * Pings in a row that may get lost before the tunnel counts as broken.
             */
            lossThreshold?: number;
            /**
             * Time between two pings, as Go writes durations.
             */
            interval?: string;
            /**
             * Time between two updates of the measured latency in the Connection's status.
             */
            updateStatusInterval?: string;
          };
    };

/**
 * A fleet of Kubernetes clusters connected by Liqo: the file that weft compiles into one bundle of manifests per cluster.
 */
export interface Topology {
  /**
   * Version of this file's format. There is one so far.
   */
  version: 1;
  /**
   * Name of the fleet: small letters, digits and dashes.
   */
  name: string;
  /**
   * The Liqo that runs in the clusters.
   */
  liqo?: {
    /**
     * Release of Liqo in the clusters: a minor (its newest known patch) or a patch. Quote it, else YAML reads a number.
     */
    version?: string;
    /**
     * Namespace that Liqo runs in.
     */
    namespace?: string;
    /**
     * Where the images come from that stand in the gateway templates weft writes.
     */
    image?: {
      /**
       * Registry and folder of the images, without a slash at the end.
       */
      registry?: string;
      /**
       * Tag of the images. Left out, it is the tag of the cluster's release.
       */
      tag?: string;
    };
    /**
     * True when the fork of Liqo with ForeignClusterConnections runs in the hubs (Liqo 1.0 and 1.1 only). weft then writes one such object per shortcut.
     */
    shortcutOperator?: boolean;
    /**
     * True puts the Connection objects among the resources of a bundle. The gateways write them themselves and would fight over them, so they are normally kept apart, below expected/.
     */
    emitConnections?: boolean;
  };
  /**
   * How addresses are chosen.
   */
  ipam?: {
    /**
     * liqo: as the IPAM of each cluster's release does it. best-fit: as Liqo did it before 1.0 (with version "1.0" only).
     */
    allocator?: 'liqo' | 'best-fit';
    /**
     * Networks that remapped CIDRs are taken from, in the order in which they are tried. They must be the pools that Liqo is installed with.
     */
    pools?: string[];
    /**
     * Where the blocks for "auto" come from and how large they are. Left out, weft looks inside the pools.
     */
    carve?: {
      /**
       * Network that the blocks are carved from. It must lie inside the pools.
       */
      from: string;
      /**
       * Prefix length of each block: 20 gives 4096 addresses.
       */
      prefix: number;
    };
  };
  /**
   * The hub, or several. Every cluster that is not listed here is connected to each of them. Hubs are not connected to each other by this.
   */
  hub?: string | string[];
  /**
   * Further links between clusters, and options for a link that exists because of a hub.
   */
  peerings?: LinkEntry[];
  /**
   * Direct links between two clusters that have a hub in common, so that their traffic does not go through it.
   */
  shortcuts?: LinkEntry[];
  /**
   * Clusters in the order in which the links of newcomers join. Clusters that are not listed follow by name.
   */
  order?: string[];
  /**
   * Any key of a cluster, for all clusters that do not say it themselves. Maps are merged key by key, lists and single values are replaced.
   */
  defaults?: ClusterSpec;
  /**
   * The clusters. Each key is the cluster's Liqo cluster ID.
   */
  clusters: {
    [k: string]: ClusterSpec;
  };
  /**
   * What the entry points for Argo CD and Flux need to know.
   */
  gitops?: {
    /**
     * URL of the git repository that holds the bundles. Without it no entry points are written.
     */
    repository?: string;
    /**
     * Branch, tag or commit that Argo CD follows.
     */
    revision?: string;
    /**
     * Folder of the bundles in the repository.
     */
    path?: string;
    /**
     * Settings for Argo CD.
     */
    argo?: {
      /**
       * Namespace that Argo CD runs in.
       */
      namespace?: string;
      /**
       * Argo CD project of the applications.
       */
      project?: string;
    };
    /**
     * Settings for Flux.
     */
    flux?: {
      /**
       * Namespace that Flux runs in.
       */
      namespace?: string;
      /**
       * Name of the GitRepository.
       */
      source?: string;
      /**
       * Kustomizations that must be ready first, for instance the one that installs Liqo.
       */
      dependsOn?: string[];
    };
  };
  /**
   * How the gateways get their WireGuard keys.
   */
  keys?: {
    /**
     * reference: the manifests name a Secret that somebody provides. weft never writes a private key.
     */
    mode?: 'reference';
    /**
     * Name of the Secret with the key pair, in each tenant namespace.
     */
    secretName?: string;
  };
  /**
   * What must hold in the compiled network. weft walks a packet for each pair that an entry means, and refuses a topology in which one does not hold.
   */
  assertions?: Assertion[];
}
/**
 * A cluster of the fleet.
 */
export interface ClusterSpec {
  /**
   * Network of the cluster's pods. A list is possible from Liqo 1.2 on.
   */
  podCIDR?: string | string[];
  /**
   * Network of the cluster's Services.
   */
  serviceCIDR?: string;
  /**
   * Network in which the cluster shows single foreign addresses to its peers. auto: weft carves a block that is free in the whole fleet, so that nobody has to remap it (on a running cluster that means reinstalling Liqo).
   */
  externalCIDR?: string;
  /**
   * Network that Liqo uses inside the cluster, between its nodes and gateways. auto: weft carves a block that is free in the whole fleet.
   */
  internalCIDR?: string;
  /**
   * What else is routed in the cluster and must not be handed out: node subnets, VPNs, office networks.
   */
  reserved?: string[];
  /**
   * Labels of the cluster, for your own order and for assertions.
   */
  labels?: {
    [k: string]: string;
  };
  /**
   * True: the peers drop this cluster and its own bundle becomes empty. The entry can go once that is rolled out.
   */
  retired?: boolean;
  /**
   * The hub of this cluster, or several, instead of the fleet's. An empty list frees it from every hub.
   */
  hub?: string | string[];
  gateway?: GatewaySpec;
  /**
   * How Argo CD and Flux know this cluster.
   */
  gitops?: {
    /**
     * Name of the cluster in Argo CD. Left out, it is the cluster's own.
     */
    name?: string;
    /**
     * URL of the cluster's API server, when Argo CD knows it by that.
     */
    server?: string;
    /**
     * Name of the Secret with the cluster's kubeconfig, when one Flux serves several clusters.
     */
    kubeConfigSecret?: string;
  };
  /**
   * The Liqo of this cluster, where it differs from the fleet's.
   */
  liqo?: {
    /**
     * Release of Liqo in this cluster. Quote it, else YAML reads a number.
     */
    version?: string;
    /**
     * Namespace that Liqo runs in.
     */
    namespace?: string;
    /**
     * Where the images come from that stand in the gateway templates weft writes for this cluster.
     */
    image?: {
      /**
       * Registry and folder of the images, without a slash at the end.
       */
      registry?: string;
      /**
       * Tag of the images.
       */
      tag?: string;
    };
  };
  /**
   * How addresses are chosen in this cluster, where it differs from the fleet.
   */
  ipam?: {
    /**
     * Networks that remapped CIDRs are taken from, in the order in which they are tried, instead of the fleet's.
     */
    pools?: string[];
  };
}
/**
 * Something that must hold for packets between pods of clusters: for every pair of different clusters that `from` and `to` mean.
 */
export interface Assertion {
  /**
   * The cluster that sends, by name, or all that have these labels; {} means every cluster.
   */
  from:
    | string
    | {
        [k: string]: string;
      };
  /**
   * The cluster that is to be reached, by name, or all that have these labels; {} means every cluster.
   */
  to:
    | string
    | {
        [k: string]: string;
      };
  /**
   * reachable: a link, or a hub in common. unreachable means that no such path is compiled, not that Liqo keeps the clusters apart: it isolates nothing.
   */
  expect: 'reachable' | 'unreachable';
  /**
   * Which way the traffic takes. shortcut: a link of the two alone, from `shortcuts` or `peerings`. hub: a link to the hub, or through a hub that both have. With unreachable, the way that it must not take.
   */
  via?: 'shortcut' | 'hub';
}

// Generated from schemas/topology.schema.json by `npm run generate -- --types`; edit that instead.

/**
 * A link between two clusters: their names, or their names with options. In `between` labels may select several links.
 *
 * @minItems 2
 * @maxItems 2
 */
export type LinkEntry =
  | [string, string]
  | {
      /**
       * The two clusters, each by name or by labels, or the labels of both. With labels, the entry is one link for each pair of clusters that it selects; a pair that is listed on its own is left out.
       *
       * @minItems 2
       * @maxItems 2
       */
      between:
        | [
            (
              | string
              | {
                  [k: string]: string;
                }
            ),
            (
              | string
              | {
                  [k: string]: string;
                }
            )
          ]
        | {
            [k: string]: string;
          };
      /**
       * The cluster whose gateway is the server; the other one is the client and dials it.
       */
      server?: string;
      /**
       * closed or open for this link, in both directions, instead of the `boundary` of its clusters.
       */
      boundary?: 'open' | 'closed';
      /**
       * MTU of this tunnel in bytes. Default: the smaller MTU of the two gateways.
       */
      mtu?: number;
      /**
       * Type of the Service in front of the server end of this link. Default: `gateway.service` of that cluster.
       */
      service?: 'NodePort' | 'LoadBalancer' | 'ClusterIP';
      /**
       * Port of the Service in front of the server end, which the client dials unless `port` or `gateway.dial` says otherwise; a client of a NodePort Service dials the node port. Default: one of `gateway.ports` that weft chooses, and the first of them for a NodePort Service.
       */
      servicePort?: number;
      /**
       * Address that is requested from the load balancer of this link, and that its client dials unless `address` or `gateway.dial` says otherwise. Default: `gateway.loadBalancerIP` of the server's cluster.
       */
      loadBalancerIP?: string;
      /**
       * Node port of the server end, instead of one that weft chooses.
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
       * Annotations of the Service in front of the gateway that serves this link, added to those of its cluster. Where both have a key, this one is used.
       */
      serviceAnnotations?: {
        [k: string]: string;
      };
      /**
       * Names of objects that exist already, by the cluster that they are in: one of the two ends, or both.
       */
      names?: {
        [k: string]: ObjectNames;
      };
      /**
       * Gateway templates that you provide, instead of those from the chart or from weft: one name for both ends, or one for each.
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
 * How peers reach this cluster: an address, or an address with more settings. Without it the cluster is always a client.
 */
export type GatewaySpec =
  | string
  | {
      /**
       * Addresses or DNS names at which peers reach the gateways. Peers dial the first, and look a name up again every 5 minutes.
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
       * Node ports, first to last: each link gets one. It must be the range of the cluster's API server, or a part of it that is not used otherwise.
       */
      nodePorts?: string | number;
      /**
       * Address that is requested from the load balancer.
       */
      loadBalancerIP?: string;
      /**
       * Class of the load balancer that serves the gateways, where a cluster has several. Kubernetes never changes the class of a Service that exists.
       */
      loadBalancerClass?: string;
      /**
       * Local: only the node that runs the active gateway answers, without another hop. Cluster: every node forwards to it.
       */
      externalTrafficPolicy?: 'Cluster' | 'Local';
      /**
       * False: the load balancer reaches the gateways without a node port. Not every load balancer can.
       */
      allocateLoadBalancerNodePorts?: boolean;
      /**
       * MTU of the tunnels in bytes: the MTU of the path between the clusters minus 60, or minus 80 over IPv6.
       */
      mtu?: number;
      /**
       * Pods per gateway. One is active, the others are on standby.
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
         * Key of the taint. Default: every key.
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
         * Effect of the taint. Default: every effect.
         */
        effect?: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
        /**
         * Seconds that a gateway stays on a node after such a taint appears (NoExecute only). Default: without a limit.
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
       * Address and port that peers dial instead, when the gateway is behind NAT.
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
       * never: this cluster is always the client end. prefer: it is the server end where that is possible. Default: weft decides for each link.
       */
      server?: 'never' | 'prefer';
      /**
       * Port on which WireGuard listens inside the pod, if it differs from the port of the Service.
       */
      listenPort?: number;
      /**
       * How the gateways check their tunnel: false disables the ping, true uses Liqo's defaults.
       */
      ping?:
        | boolean
        | {
            /**
             * False: the tunnel is not checked and is always reported as connected.
             */
            enabled?: boolean;
            /**
             * Number of consecutive lost pings after which the tunnel is reported as broken.
             */
            lossThreshold?: number;
            /**
             * Time between two pings, in the format of Go durations.
             */
            interval?: string;
            /**
             * Time between two updates of the measured latency in the Connection's status.
             */
            updateStatusInterval?: string;
          };
    };
/**
 * Name of the ResourceSlice, and so of the virtual node. Default: the provider's name and `-slice`. It must be unique among the slices of the consumer and those that the provider borrows from it.
 */
export type SliceName = string;
/**
 * Class of the ResourceSlice. Liqo answers `default`; any other class needs a controller of yours in the provider.
 */
export type SliceClass = string;

/**
 * A fleet of Kubernetes clusters connected by Liqo: the file that weft compiles into one bundle of manifests per cluster.
 */
export interface Topology {
  /**
   * Version of this file's format. The only version is 1.
   */
  version: 1;
  /**
   * Name of the fleet: lowercase letters, digits and dashes.
   */
  name: string;
  /**
   * Earlier name of the fleet. Without it, weft does not write into a folder with bundles of a fleet of another name.
   */
  renamedFrom?: string;
  /**
   * Release and settings of Liqo in the clusters.
   */
  liqo?: {
    /**
     * Release of Liqo in the clusters: a minor version (the newest patch that weft supports) or a patch version. Write it in quotes, because YAML reads it as a number otherwise.
     */
    version?: string;
    /**
     * Namespace that Liqo runs in.
     */
    namespace?: string;
    /**
     * Source of the images in the gateway templates that weft writes.
     */
    image?: {
      /**
       * Registry and folder of the images, without a slash at the end.
       */
      registry?: string;
      /**
       * Tag of the images. Default: the tag of the cluster's release.
       */
      tag?: string;
    };
    /**
     * True when the fork of Liqo with ForeignClusterConnections runs in the hubs. weft then writes one such object per shortcut.
     */
    shortcutOperator?: boolean;
    /**
     * True adds the Connection objects to the resources of a bundle. The gateways write these objects themselves and would overwrite them, so by default they are only below expected/.
     */
    emitConnections?: boolean;
  };
  /**
   * How addresses are chosen.
   */
  ipam?: {
    /**
     * liqo: as the IPAM of each cluster's release. best-fit: as Liqo before 1.0 (only with version "1.0.0-rc.1" or "1.0.0-rc.2", which have it in any case).
     */
    allocator?: 'liqo' | 'best-fit';
    /**
     * Networks from which remapped CIDRs are chosen, in this order. They must be the pools that Liqo is installed with.
     */
    pools?: string[];
    /**
     * Source and size of the blocks for "auto". Default: blocks from the pools.
     */
    carve?: {
      /**
       * Network from which the blocks are carved. It must be inside the pools.
       */
      from: string;
      /**
       * Prefix length of each block: 20 gives 4096 addresses.
       */
      prefix: number;
    };
  };
  /**
   * The hub, or several. Every cluster that is not listed here is linked to each hub. Hubs are not linked to each other.
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
   * Order in which the links of new clusters are added. Clusters that are not listed follow, sorted by name.
   */
  order?: string[];
  /**
   * Files with further clusters, links, loans, offloaded namespaces, assertions and acceptances: paths of files, or of folders whose YAML files are all included. They are in folders below that of the topology.
   */
  include?: string[];
  /**
   * Any key of a cluster, for all clusters that do not set it themselves. Maps are merged key by key; lists and single values are replaced.
   */
  defaults?: ClusterSpec;
  /**
   * The clusters. Each key is the cluster's Liqo cluster ID.
   */
  clusters: {
    [k: string]: ClusterSpec;
  };
  /**
   * Settings for the entry points of Argo CD and Flux.
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
       * Argo CD project of the applications; by default one of the fleet's own, weft-<name>.
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
       * Name of the GitRepository; by default one of the fleet's own, weft-<name>. With flux-system, that of flux bootstrap is used.
       */
      source?: string;
      /**
       * Oldest release of Flux that applies the bundles, 2.5 or newer. Before 2.7, every commit walks through the whole chain of ordered links. Write it in quotes, because YAML reads it as a number otherwise.
       */
      version?: string;
      /**
       * Kustomizations that must be ready first, for instance the one that installs Liqo.
       */
      dependsOn?: string[];
    };
  };
  /**
   * True adds a small prober to every bundle, in a namespace of its own. `weft conformance` then dials from each to each through the real tunnels. Without the key, GitOps tools remove it again.
   */
  conformance?: boolean;
  /**
   * Where the gateways find their WireGuard key pairs: in Secrets that you provide, or in those that Liqo makes in the clusters. weft never writes a private key.
   */
  keys?: {
    /**
     * Who makes the Secrets with the key pairs. `provided`: you, under the name of `secretName`. `liqo`: each gateway, in its own cluster, so that no private key ever leaves it; `weft keys collect` records the public halves. `external`: the External Secrets Operator, from your secret manager.
     */
    secrets?: 'provided' | 'liqo' | 'external';
    /**
     * Name of the Secret with the key pair, in each tenant namespace; not with `secrets: liqo`. `{peer}` is replaced by the ID of the cluster at the other end: liqoctl calls it `gw-{peer}`.
     */
    secretName?: string;
    /**
     * With `secrets: external`: name of the SecretStore or ClusterSecretStore with the key pairs.
     */
    store?: string;
    /**
     * Kind of the store.
     */
    storeKind?: 'ClusterSecretStore' | 'SecretStore';
    /**
     * Key of a pair in the store, with the properties `privateKey` and `publicKey` in base64; {cluster} and {peer} become the cluster of the gateway and the one at the other end.
     */
    key?: string;
  };
  /**
   * Who lends resources to whom: for each pair of clusters, the provider accepts the consumer, and the consumer gets a virtual node for every slice.
   */
  sharing?: SharingEntry[];
  /**
   * Namespaces whose pods may run in other clusters.
   */
  offloading?: OffloadingEntry[];
  /**
   * The new connections that may cross links whose `boundary` is closed: between which clusters, into which namespace, on which ports. They become NetworkPolicies in the namespaces that they name, and a fence in each receiving gateway.
   */
  boundaries?: BoundaryEntry[];
  /**
   * Requirements for the compiled network. weft traces a packet for each pair of clusters that an entry selects, and refuses a topology in which a requirement is not met.
   */
  assertions?: Assertion[];
  /**
   * Warnings and notes that have been decided: they are counted instead of shown. An entry that matches nothing is reported. It changes no file that weft writes.
   */
  accept?: Acceptance[];
}
/**
 * Names of the objects in one cluster for the cluster at the other end of a link. Those that are left out are the ones that liqoctl gives.
 */
export interface ObjectNames {
  /**
   * Namespace of all these objects, the tenant namespace. Default: `liqo-tenant-` and the ID of the other cluster.
   */
  namespace?: string;
  /**
   * Name of the Configuration. Liqo derives names of Networks and of tables on nodes from it. Default: the ID of the other cluster.
   */
  configuration?: string;
  /**
   * Name of the GatewayServer or GatewayClient. Its Deployment, its Service and its Connection are called `gw-` and this name. Default: the ID of the other cluster.
   */
  gateway?: string;
  /**
   * Name of the PublicKey. Default: the ID of the other cluster.
   */
  publicKey?: string;
  /**
   * Name of the Secret with the key pair of the gateway. Default: `keys.secretName`.
   */
  secret?: string;
}
/**
 * A cluster of the fleet.
 */
export interface ClusterSpec {
  /**
   * Network of the cluster's pods. A list is supported from Liqo 1.2 on.
   */
  podCIDR?: string | string[];
  /**
   * Network of the cluster's Services.
   */
  serviceCIDR?: string;
  /**
   * Network with the addresses at which peers see single addresses from outside this cluster. auto: weft carves a block that is free in the whole fleet, so that no peer remaps it (on a running cluster a change means installing Liqo again).
   */
  externalCIDR?: string;
  /**
   * Network that Liqo uses inside the cluster, between its nodes and gateways. auto: weft carves a block that is free in the whole fleet.
   */
  internalCIDR?: string;
  /**
   * Other networks that are routed in the cluster, so that no peer is remapped to them: node subnets, VPNs, office networks.
   */
  reserved?: string[];
  /**
   * Labels of the cluster, for your own use and for assertions.
   */
  labels?: {
    [k: string]: string;
  };
  /**
   * What the cluster runs on. weft then writes the Helm values that `liqoctl install` of the release would write there, annotates load balancers as the platform needs it, follows packets as its nodes send them, and refuses what Liqo documents as not working. k3s also sets podCIDR and serviceCIDR where they are left out. Gateways are load balancers by default on eks, aks-... and gke-...
   */
  platform?:
    | 'eks'
    | 'aks-kubenet'
    | 'aks-overlay'
    | 'aks-cni'
    | 'gke-v1'
    | 'gke-v2'
    | 'k3s'
    | 'kind'
    | 'kubeadm'
    | 'rke2'
    | 'openshift'
    | 'generic';
  /**
   * The network plugin, where it is not that of the platform: its own settings are reported, and Liqo's are written into the Helm values.
   */
  cni?: 'cilium' | 'calico' | 'flannel' | 'kindnet' | 'azure' | 'aws-vpc';
  /**
   * Where other clusters reach the API server of this one, outside the tunnels: an address, or an address with its certificate authority. It goes into the Helm values. Without it Liqo takes the address of a control plane node, which managed clusters do not show.
   */
  apiServer?:
    | string
    | {
        /**
         * URL of the API server, or its host with the port. Liqo adds https:// where it is missing.
         */
        address: string;
        /**
         * Certificates of the authority that issued the API server's certificate: PEM in base64, as `certificate-authority-data` in a kubeconfig. Default: the authority that Liqo itself uses.
         */
        ca?: string;
        /**
         * True: the API server's certificate is from a public authority, so peers need no `ca`.
         */
        trustedCA?: boolean;
      };
  /**
   * What this cluster can lend in all. weft compares the sum of `sharing` with it; Liqo itself accepts any sum.
   */
  capacity?: Resources;
  /**
   * closed: over its links, only what `boundaries` lists may open a connection into this cluster. open: everything may, and a fence from before is emptied; remove the key after that is applied. Default: everything may.
   */
  boundary?: 'open' | 'closed';
  /**
   * True: the bundles of its peers no longer contain this cluster, and its own bundle becomes empty. Delete the entry when that is rolled out.
   */
  retired?: boolean;
  /**
   * The name that this cluster had before. Its addresses, ports, places in the order and keys then stay; Liqo itself must be installed again, since a cluster ID cannot change. Delete it when weft notes that the rename is finished.
   */
  renamedFrom?: string;
  /**
   * The hub of this cluster, or several, instead of the fleet's. With an empty list the cluster has no hub.
   */
  hub?: string | string[];
  gateway?: GatewaySpec;
  /**
   * Alerts on the cluster's tunnels, for clusters with the Prometheus operator.
   */
  monitoring?: {
    /**
     * True: weft writes a PrometheusRule for each peer to monitoring/, and helm-values.yaml turns on the metrics of Liqo. Apply that folder on its own, once the operator is installed.
     */
    prometheusRules?: boolean;
    /**
     * Namespace of the PrometheusRules. Default: the one that Liqo runs in.
     */
    namespace?: string;
    /**
     * Labels of the PrometheusRules, by which a Prometheus selects them.
     */
    labels?: {
      [k: string]: string;
    };
    /**
     * Time after which an alert says that a tunnel is down, or that nothing is known about it, in the format of Prometheus.
     */
    downFor?: string;
    /**
     * Round trip through a tunnel above which an alert says that it is slow, in the format of Prometheus.
     */
    latencyAbove?: string;
    /**
     * Time after which that alert is sent, in the format of Prometheus.
     */
    latencyFor?: string;
  };
  /**
   * Values of the chart of Liqo that this cluster is installed with, by the names that its release has for them. weft writes them into helm-values.yaml, beside those that it decides itself.
   */
  helmValues?: Record<string, unknown>;
  /**
   * How Argo CD and Flux identify this cluster.
   */
  gitops?: {
    /**
     * Name of the cluster in Argo CD. Default: the name in the topology.
     */
    name?: string;
    /**
     * URL of the cluster's API server, if Argo CD identifies it by URL.
     */
    server?: string;
    /**
     * Name of the Secret with the cluster's kubeconfig, if one Flux manages several clusters.
     */
    kubeConfigSecret?: string;
  };
  /**
   * Settings of Liqo in this cluster, where they differ from the fleet's.
   */
  liqo?: {
    /**
     * Release of Liqo in this cluster. Write it in quotes, because YAML reads it as a number otherwise.
     */
    version?: string;
    /**
     * Namespace that Liqo runs in.
     */
    namespace?: string;
    /**
     * Source of the images in the gateway templates that weft writes for this cluster.
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
     * Networks from which remapped CIDRs are chosen in this cluster, in this order, instead of the fleet's.
     */
    pools?: string[];
  };
}
/**
 * What the provider lends, as quantities of Kubernetes. A resource that is not listed is the provider's default (cpu 4, memory 8Gi, pods 110, ephemeral-storage 20Gi unless its chart says otherwise); pods that request any other one are refused.
 */
export interface Resources {
  /**
   * A quantity of Kubernetes.
   */
  [k: string]: string | number;
}
/**
 * A loan of resources, for every pair of different clusters that `consumer` and `provider` select.
 */
export interface SharingEntry {
  /**
   * The cluster that borrows, by name, or all clusters with these labels; {} means every cluster.
   */
  consumer:
    | string
    | {
        [k: string]: string;
      };
  /**
   * The cluster that lends, by name, or all clusters with these labels; {} means every cluster.
   */
  provider:
    | string
    | {
        [k: string]: string;
      };
  resources?: Resources;
  name?: SliceName;
  class?: SliceClass;
  virtualNode?: VirtualNodeSpec;
  /**
   * Several slices for each pair, each with a virtual node of its own. Instead of `resources`, `name`, `class` and `virtualNode`.
   *
   * @minItems 1
   */
  slices?: [SliceEntry, ...SliceEntry[]];
  /**
   * How the provider treats the consumer. Active: as usual. Cordoned: what runs stays, and nothing new is accepted. Drained: the consumer loses its rights, and what it runs there is deleted.
   */
  condition?: 'Active' | 'Cordoned' | 'Drained';
  /**
   * handshake: by the keys of the consumer and a certificate of the provider, all public. credentials: by a kubeconfig that you provide as a Secret in the consumer.
   */
  auth?: 'handshake' | 'credentials';
  credentials?: CredentialsSpec;
}
/**
 * What the consumer adds to the virtual node of a slice.
 */
export interface VirtualNodeSpec {
  /**
   * Labels of the node.
   */
  labels?: {
    [k: string]: string;
  };
  /**
   * Annotations of the node.
   */
  annotations?: {
    [k: string]: string;
  };
  /**
   * Taints of the node, besides the one that Liqo sets and tolerates for offloaded pods.
   */
  taints?: Taint[];
  /**
   * False makes no node: Services are reflected, and no pod is scheduled there.
   */
  createNode?: boolean;
  /**
   * False leaves the tunnel out of the conditions of the node.
   */
  networkCheck?: boolean;
  /**
   * Runtime class of the pods in the provider.
   */
  runtimeClass?: string;
}
export interface Taint {
  /**
   * Key of the taint.
   */
  key: string;
  /**
   * Value of the taint.
   */
  value?: string;
  /**
   * Effect of the taint.
   */
  effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
}
/**
 * A part of the provider's resources, which the consumer sees as a virtual node.
 */
export interface SliceEntry {
  name?: SliceName;
  resources?: Resources;
  class?: SliceClass;
  virtualNode?: VirtualNodeSpec;
}
/**
 * With `auth: credentials`, where the kubeconfig comes from: an ExternalSecret is written that makes the Secret. Without it you make the Secret yourself.
 */
export interface CredentialsSpec {
  /**
   * Name of the SecretStore or ClusterSecretStore.
   */
  store: string;
  /**
   * Kind of the store.
   */
  storeKind?: 'ClusterSecretStore' | 'SecretStore';
  /**
   * Key of the kubeconfig in the store; {consumer} and {provider} become their names.
   */
  key: string;
  /**
   * Property of that key. Default: its whole value.
   */
  property?: string;
}
/**
 * A namespace whose pods may run in providers of its cluster.
 */
export interface OffloadingEntry {
  /**
   * The cluster that has the namespace.
   */
  cluster: string;
  /**
   * Name of the namespace.
   */
  namespace: string;
  /**
   * The providers: names, or labels of clusters. Default: every provider of the cluster.
   *
   * @minItems 1
   */
  to?:
    | string
    | [string, ...string[]]
    | {
        [k: string]: string;
      };
  /**
   * Where pods of the namespace run. Local: here only, but Services are reflected. Remote: in providers only. LocalAndRemote: anywhere.
   */
  pods?: 'Local' | 'Remote' | 'LocalAndRemote';
  /**
   * Name of the namespace in the providers. Default: its own name, a dash, and the name of its cluster. It cannot change later: Liqo would have to delete the namespace there, with everything in it.
   */
  remoteName?: string;
  /**
   * True when your Services in this namespace have the annotation liqo.io/use-direct-connections: "true": then pods in two providers reach each other over a link of the two, and every two of them need one. weft does not write Services.
   */
  directConnections?: boolean;
  /**
   * False when something else creates the namespace. weft never deletes it.
   */
  createNamespace?: boolean;
}
/**
 * New connections that a closed boundary lets through, for every pair of different clusters that `from` and `to` select. Answers need no entry.
 */
export interface BoundaryEntry {
  /**
   * The cluster whose pods connect, by name, or all clusters with these labels; {} means every cluster.
   */
  from:
    | string
    | {
        [k: string]: string;
      };
  /**
   * The namespace whose pods connect. A NetworkPolicy there limits what its pods send over closed links. The receiver sees no namespaces: it lets every pod of the cluster in.
   */
  fromNamespace?: string;
  /**
   * A part of the pod CIDR of the sender, in its own addresses. Default: all of its pods.
   */
  fromCIDR?: string;
  /**
   * True for what arrives under the external address of the sender instead of a pod's: its nodes, and the pods of every cluster behind it.
   */
  masqueraded?: boolean;
  /**
   * The cluster whose pods are reached, by name, or all clusters with these labels; {} means every cluster.
   */
  to:
    | string
    | {
        [k: string]: string;
      };
  /**
   * The namespace whose pods are reached, where a NetworkPolicy then limits what arrives over closed links. For an offloaded namespace also its pods in the providers.
   */
  toNamespace?: string;
  /**
   * Labels of the pods of `toNamespace` that are reached, such as those behind a Service: only these get the connections. A gateway knows no labels: it opens the ports towards all pods. Default: all pods of the namespace.
   */
  toPods?: {
    [k: string]: string;
  };
  /**
   * A part of the pod CIDR of the receiver, in its own addresses. Default: all of its pods.
   */
  toCIDR?: string;
  /**
   * Default: TCP beside `ports`, otherwise every protocol.
   */
  protocol?: 'TCP' | 'UDP';
  /**
   * Ports of the receiver's pods, alone or first to last. Default: every port.
   *
   * @minItems 1
   */
  ports?: number | string | [number | string, ...(number | string)[]];
}
/**
 * A requirement for packets between pods, for every pair of different clusters that `from` and `to` select.
 */
export interface Assertion {
  /**
   * The cluster that sends, by name, or all clusters with these labels; {} means every cluster.
   */
  from:
    | string
    | {
        [k: string]: string;
      };
  /**
   * The cluster that receives, by name, or all clusters with these labels; {} means every cluster. Or a Service of an offloaded namespace, as namespace/name, with the cluster that offloads it where several do: every cluster that its pods may run in.
   */
  to:
    | string
    | {
        [k: string]: string;
      };
  /**
   * reachable: over a link of the two, or through a cluster that has links to both; a link without keys carries nothing. unreachable: no such path carries a packet, or fences refuse every connection; an open link isolates nothing.
   */
  expect: 'reachable' | 'unreachable';
  /**
   * The path that must exist, or with unreachable must not exist. shortcut: a link of the two, whether it comes from `hub`, `peerings` or `shortcuts`. hub: through a cluster that has links to both.
   */
  via?: 'shortcut' | 'hub';
  /**
   * Beside unreachable. fence: a path exists, and the fences of gateways refuse every connection over it. policy: fences let some in, and the policies of the namespaces refuse all of these. no-path: there is no path, whatever fences and policies do. Default: one of the three.
   */
  by?: 'fence' | 'policy' | 'no-path';
  /**
   * The namespace whose pods connect, as its policy sees them. Default: pods that no policy limits.
   */
  fromNamespace?: string;
  /**
   * The namespace whose pods are reached, as its policies limit them. Default: pods that no policy limits.
   */
  toNamespace?: string;
  /**
   * Default: TCP beside `port`, otherwise any protocol.
   */
  protocol?: 'TCP' | 'UDP';
  /**
   * The port of the receiver's pods. Default: any port.
   */
  port?: number;
  /**
   * The part without which the requirement must hold, too: a cluster, a link like rome/europe, or a gateway like europe/203.0.113.10. any-link, any-gateway and any-cluster: whichever of them fails alone. With unreachable: the part that every path must pass. The ends of a pair do not fail.
   */
  without?: string;
}
/**
 * A warning or a note that has been decided, in the whole fleet, in one cluster or between two clusters.
 */
export interface Acceptance {
  /**
   * What is accepted, as it is printed with the warning. Errors cannot be accepted.
   */
  code: string;
  /**
   * Only about this cluster, its links and its loans.
   */
  cluster?: string;
  /**
   * Only about the link or the loan of these two clusters.
   *
   * @minItems 2
   * @maxItems 2
   */
  link?: [string, string];
  /**
   * Why nothing has to be done about it, for those who read the topology later.
   */
  reason: string;
}

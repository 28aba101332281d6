// Generated from schemas/output/ by `npm run generate -- --types`; edit that instead.

/**
 * The number stays the same when keys are added, so ignore keys that you do not know. It changes when a key is removed, or gets another meaning.
 */
export type SchemaVersion = 1;
/**
 * How bad it is.
 */
export type Severity = 'error' | 'warning' | 'note';
/**
 * Path of a file, as the command line names it.
 */
export type Path = string;
/**
 * First line, from 1.
 */
export type Line = number;
/**
 * First column, from 1, in UTF-16 code units.
 */
export type Column = number;
/**
 * Last line, from 1.
 */
export type EndLine = number;
/**
 * The column after the last one, from 1, in UTF-16 code units.
 */
export type EndColumn = number;
/**
 * Errors first, then warnings, then notes.
 */
export type Diagnostics = Diagnostic[];
/**
 * Name of a cluster.
 */
export type ClusterName = string;
/**
 * IPv4 address.
 */
export type Address = string;
/**
 * IPv4 network with the length of its prefix.
 */
export type Network = string;
/**
 * Number of a port.
 */
export type Port = number;
/**
 * How a packet ends. delivered: a pod gets it, and its answer comes back. self: inside one cluster, whose CNI delivers it. no-route: nothing that is compiled routes it. no-keys: a gateway on the way has no public key. tunnel-down: a live tunnel on the way is down. no-return: the receiver cannot answer the source that it sees. not-a-pod-address: one end is no pod. ambiguous: the address has two meanings in one cluster. needs-run-time-address: a gateway has to map the address, which it does at run time only. needs-offloading: the way leads through a hub, which maps only pods that it offloads, and the topology has loans, none of them from the receiver to this hub. refused: the fence of a gateway on the way lets no such connection in. refused-by-policy: the fence does, and the policy of a namespace does not. retired: one end is a retired cluster.
 */
export type Fate =
  | 'delivered'
  | 'self'
  | 'no-route'
  | 'no-keys'
  | 'tunnel-down'
  | 'no-return'
  | 'not-a-pod-address'
  | 'ambiguous'
  | 'needs-run-time-address'
  | 'needs-offloading'
  | 'refused'
  | 'refused-by-policy'
  | 'retired';
/**
 * Why there is a link: hub, between a spoke and its hub; peering, declared; shortcut, between two spokes.
 */
export type LinkKind = 'hub' | 'peering' | 'shortcut';
/**
 * Gateways of a link without a public key, that of the server first. With any of them the link carries nothing.
 */
export type Keyless = Gateway[];
/**
 * MTU of a tunnel in bytes.
 */
export type Mtu = number;
/**
 * The consequences of one more cluster.
 */
export type JoinCost = {
  /**
   * Its pod CIDRs.
   */
  podCIDRs: Network[];
  /**
   * A carved block, that of `like` again, or, where `like` alone has it, another one of that size.
   */
  externalCIDR: Network;
  /**
   * `next-1` is the next cluster.
   */
  remaps: Remap[];
  /**
   * Further views, of `peer` in `cluster`, that depend on the order in which Configurations are applied.
   */
  ordered: {
    cluster: ClusterName;
    peer: ClusterName;
  }[];
} | null;
/**
 * WireGuard uses UDP, API servers TCP.
 */
export type Protocol = 'udp' | 'tcp';
/**
 * An address or a DNS name; `null` when it is not known.
 */
export type DialledAddress = string | null;
/**
 * `null` when it is not known.
 */
export type KnownPort = number | null;
/**
 * One change: what all changes have, and the facts of its kind.
 */
export type Change = {
  /**
   * What differs.
   */
  kind:
    | 'cluster-added'
    | 'cluster-removed'
    | 'cluster-renamed'
    | 'cluster-retired'
    | 'cluster-returned'
    | 'link-added'
    | 'link-removed'
    | 'link-kind-changed'
    | 'role-changed'
    | 'port-changed'
    | 'address-changed'
    | 'service-changed'
    | 'mtu-changed'
    | 'template-changed'
    | 'names-changed'
    | 'template-edited'
    | 'images-changed'
    | 'alerts-changed'
    | 'probers-changed'
    | 'boundary-changed'
    | 'view-moved'
    | 'announced-changed'
    | 'history-changed'
    | 'block-carved'
    | 'own-cidr-changed'
    | 'key-added'
    | 'key-changed'
    | 'key-removed'
    | 'key-rotated'
    | 'next-key-changed'
    | 'reservation-changed'
    | 'release-changed'
    | 'order-changed'
    | 'share-added'
    | 'share-removed'
    | 'condition-changed'
    | 'policy-changed'
    | 'authentication-added'
    | 'authentication-changed'
    | 'authentication-removed'
    | 'nonce-changed'
    | 'identity-added'
    | 'identity-changed'
    | 'identity-removed'
    | 'slice-added'
    | 'slice-removed'
    | 'resources-changed'
    | 'class-changed'
    | 'request-changed'
    | 'node-changed'
    | 'credentials-changed'
    | 'namespace-offloaded'
    | 'namespace-withdrawn'
    | 'providers-changed'
    | 'pods-changed'
    | 'remote-name-changed'
    | 'namespace-owner-changed'
    | 'node-network-changed'
    | 'setting-changed'
    | 'gitops-changed'
    | 'delivery-changed'
    | 'assertion-changed'
    | 'decision-picked'
    | 'lock-changed'
    | 'layout-changed'
    | 'annotations-changed'
    | 'files-changed'
    | 'block-returned';
  action: Action;
  /**
   * Whether live flows break, a step by hand is needed, who is trusted changes, or less is demanded.
   */
  disruptive: boolean;
  /**
   * Whether it decides who may run code in clusters, or what they take for true: another source, server, image or key. Then it is disruptive, too.
   */
  trust: boolean;
  /**
   * Why it breaks something, or why it does not.
   */
  why: string;
  /**
   * Its name in `explainedBy`: its kind and what it is about.
   */
  id: string;
  /**
   * What to do by hand for it.
   *
   * Items: One step.
   */
  steps: {
    when: When;
    /**
     * What to do.
     */
    what: string;
    /**
     * What to do it to.
     */
    on: string;
  }[];
  /**
   * The clusters that it concerns, in order of name.
   */
  clusters: ClusterName[];
  /**
   * The traffic that it affects.
   */
  flows: Flows[];
  /**
   * Names that the steps must use. Absent unless they can differ from the usual ones.
   *
   * Items: Names of objects in one cluster for one peer; null for one that liqoctl gives.
   */
  otherNames?: {
    cluster: ClusterName;
    peer: ClusterName;
    /**
     * The tenant namespace.
     */
    namespace: string | null;
    /**
     * The gateway.
     */
    gateway: string | null;
  }[];
  /**
   * The change in words.
   */
  text: string;
} & Change1;
/**
 * What happens to it.
 */
export type Action = 'add' | 'change' | 'remove';
/**
 * When, compared with applying the bundles.
 */
export type When = 'before' | 'together' | 'after';
/**
 * What happens to traffic. stops: no path is left. interrupted: the path is down for a while. readdressed: one end has to use other addresses, or sees another source. rerouted: another path, and another source. opens: the first path.
 */
export type Effect = 'stops' | 'interrupted' | 'readdressed' | 'rerouted' | 'opens';
export type Change1 =
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'cluster-added';
      cluster: ClusterName;
      /**
       * Its own networks.
       */
      own: {
        /**
         * Of its pods.
         */
        pod: Network[];
        /**
         * Of its Services.
         */
        service: Network[];
        /**
         * External CIDRs.
         */
        external: Network[];
        /**
         * Internal CIDRs.
         */
        internal: Network[];
      };
      /**
       * Its other Helm values, as KEY=VALUE.
       */
      values: string[];
      /**
       * Where its bundle is applied, unless the tool finds the cluster by its name.
       *
       * Items: One destination.
       */
      destinations: {
        /**
         * Who applies the bundle.
         */
        tool: 'Argo CD' | 'Flux';
        /**
         * A server, a name, or a Secret with a kubeconfig.
         */
        to: string;
      }[];
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'cluster-retired' | 'cluster-returned';
      cluster: ClusterName;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'cluster-removed';
      cluster: ClusterName;
      /**
       * Whether it was retired before.
       */
      wasRetired: boolean;
      /**
       * A new cluster with the same networks and the same peers, which may be this one under another name that is not declared; null for none.
       */
      lookalike: string | null;
      /**
       * Objects of Argo CD and Flux that applied its bundle, kustomization/NAME or application/NAME. No commit deletes them.
       *
       * Items: One object.
       */
      appliers: string[];
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'cluster-renamed';
      cluster: ClusterName;
      /**
       * The former name.
       */
      from: ClusterName;
      /**
       * Clusters that have a link to it.
       */
      peers: ClusterName[];
      /**
       * Why its addresses, ports and keys stay. declared: the topology declares the former name. kept: it did before, and nothing else differs.
       */
      decisions: 'declared' | 'kept';
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'link-added' | 'link-removed';
      link: Link;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'link-kind-changed';
      /**
       * Both ends of the link, by name.
       */
      ends: ClusterName[];
      /**
       * Before.
       */
      from: LinkKind;
      /**
       * After.
       */
      to: LinkKind;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'role-changed';
      /**
       * Both ends of the link, by name.
       */
      ends: ClusterName[];
      /**
       * The end that listened.
       */
      from: ClusterName;
      /**
       * The end that listens now.
       */
      to: ClusterName;
      /**
       * As it is now.
       */
      link: Link;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'port-changed';
      /**
       * Both ends of the link, by name.
       */
      ends: ClusterName[];
      /**
       * The end that listens.
       */
      server: ClusterName;
      /**
       * What the client dials.
       */
      address: string;
      /**
       * Before.
       */
      from: Ports;
      /**
       * After.
       */
      to: Ports;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'address-changed';
      /**
       * Both ends of the link, by name.
       */
      ends: ClusterName[];
      /**
       * The end that listens.
       */
      server: ClusterName;
      /**
       * Those of the server after the change.
       */
      ports: Ports;
      /**
       * The end that dials.
       */
      client: ClusterName;
      /**
       * Before.
       */
      from: string;
      /**
       * After.
       */
      to: string;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'service-changed';
      /**
       * Both ends of the link, by name.
       */
      ends: ClusterName[];
      /**
       * The end that listens.
       */
      server: ClusterName;
      /**
       * Before.
       */
      from: Service;
      /**
       * After.
       */
      to: Service;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'mtu-changed';
      /**
       * Both ends of the link, by name.
       */
      ends: ClusterName[];
      /**
       * The end that listens.
       */
      server: ClusterName;
      /**
       * Before.
       */
      from: Mtu;
      /**
       * After.
       */
      to: Mtu;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'template-changed';
      /**
       * The end that it is about.
       */
      cluster: ClusterName;
      /**
       * The other end.
       */
      peer: ClusterName;
      /**
       * Before.
       */
      from: string;
      /**
       * After.
       */
      to: string;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'names-changed';
      /**
       * The end that it is about.
       */
      cluster: ClusterName;
      /**
       * The other end.
       */
      peer: ClusterName;
      /**
       * Namespaces that are deleted in providers, with everything in them.
       */
      deleted: DeletedNamespace[];
      /**
       * Before.
       */
      from: ObjectNames;
      /**
       * After.
       */
      to: ObjectNames;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'template-edited';
      cluster: ClusterName;
      /**
       * Files, below the folder of the bundles.
       */
      paths: string[];
      /**
       * What differs but images; of a template that is new or gone, where its pods run.
       *
       * Items: One value of a template.
       */
      values: {
        /**
         * Its name: replicas, `nodeSelector KEY`, tolerations, `CONTAINER --FLAG`, or its path.
         */
        what: string;
        /**
         * Before; null where it was not set.
         */
        from: string | null;
        /**
         * After; null where it is not set.
         */
        to: string | null;
      }[];
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'images-changed';
      cluster: ClusterName;
      /**
       * Images of its gateways before; none for those of its release.
       */
      from: string[];
      /**
       * Images after; none for those of its release.
       */
      to: string[];
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'alerts-changed';
      cluster: ClusterName;
      /**
       * Files, below the folder of the bundles.
       */
      paths: string[];
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'view-moved';
      /**
       * The end that it is about.
       */
      cluster: ClusterName;
      /**
       * The other end.
       */
      peer: ClusterName;
      /**
       * Which network of the peer it is.
       */
      cidr: 'pod' | 'external';
      /**
       * Place of the network in the list of the peer, from 0.
       */
      index: number;
      /**
       * Before.
       */
      from: Network;
      /**
       * After.
       */
      to: Network;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'announced-changed';
      /**
       * The end that it is about.
       */
      cluster: ClusterName;
      /**
       * The other end.
       */
      peer: ClusterName;
      /**
       * Which network of the peer it is.
       */
      cidr: 'pod' | 'external';
      /**
       * Before.
       */
      from: View[];
      /**
       * After.
       */
      to: View[];
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'history-changed';
      /**
       * The end that it is about.
       */
      cluster: ClusterName;
      /**
       * The other end.
       */
      peer: ClusterName;
      /**
       * Which network of the peer it is.
       */
      cidr: 'pod' | 'external';
      /**
       * Place of the network in the list of the peer, from 0.
       */
      index: number;
      /**
       * What the cluster sees it as.
       */
      seenAs: Network;
      /**
       * Whether the lock keeps it now, and a rebuild of the cluster would choose another one.
       */
      to: boolean;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'block-carved' | 'block-returned';
      cluster: ClusterName;
      /**
       * What it is for.
       */
      block: 'external' | 'internal';
      cidr: Network;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'own-cidr-changed';
      cluster: ClusterName;
      /**
       * Which networks of the cluster.
       */
      role: 'pod' | 'service' | 'external' | 'internal';
      /**
       * What its Helm values request when Liqo assigns another network; otherwise null.
       */
      requested: string | null;
      /**
       * Before.
       */
      from: Network[];
      /**
       * After.
       */
      to: Network[];
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'key-added';
      /**
       * The end that it is about.
       */
      cluster: ClusterName;
      /**
       * The other end.
       */
      peer: ClusterName;
      /**
       * The public key, base64.
       */
      to: string;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'key-changed';
      /**
       * The end that it is about.
       */
      cluster: ClusterName;
      /**
       * The other end.
       */
      peer: ClusterName;
      /**
       * The end that listens.
       */
      server: ClusterName;
      /**
       * Before.
       */
      from: string;
      /**
       * After.
       */
      to: string;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'key-removed';
      /**
       * The end that it is about.
       */
      cluster: ClusterName;
      /**
       * The other end.
       */
      peer: ClusterName;
      /**
       * The public key, base64.
       */
      from: string;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'reservation-changed';
      cluster: ClusterName;
      /**
       * Networks that are reserved now.
       */
      added: Network[];
      /**
       * Networks that are no longer reserved.
       */
      removed: Network[];
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'release-changed';
      cluster: ClusterName;
      /**
       * Before.
       */
      from: string | null;
      /**
       * After.
       */
      to: string | null;
      /**
       * Whether the new release asks for every view again.
       */
      asksAgain: boolean;
      /**
       * Views that can come out differently.
       *
       * Items: A view that can come out differently then.
       */
      mayMove: {
        peer: ClusterName;
        /**
         * The network of the peer.
         */
        cidr: Network;
        /**
         * What the cluster sees it as now.
         */
        seenAs: Network;
      }[];
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'order-changed';
      cluster: ClusterName;
      /**
       * Before.
       */
      from: OrderEntry[];
      /**
       * After.
       */
      to: OrderEntry[];
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'share-added';
      /**
       * Who borrows.
       */
      consumer: ClusterName;
      /**
       * Who lends.
       */
      provider: ClusterName;
      /**
       * Names of the slices.
       */
      slices: string[];
      /**
       * The key with which the consumer authenticates; null without one.
       */
      publicKey: string | null;
      /**
       * The slices, in the order of their names.
       *
       * Items: One slice.
       */
      lent: {
        /**
         * Its class.
         */
        class: string;
        /**
         * What it asks for.
         */
        resources: Quantities;
      }[];
      /**
       * How the consumer proves who it is; null while that is unknown.
       */
      policy: string | null;
      /**
       * What the provider answered; null while that is not recorded.
       */
      endpoint: Endpoint | null;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'share-removed';
      /**
       * Who borrows.
       */
      consumer: ClusterName;
      /**
       * Who lends.
       */
      provider: ClusterName;
      /**
       * Namespaces that are deleted in providers, with everything in them.
       */
      deleted: DeletedNamespace[];
      /**
       * Names of the slices.
       */
      slices: string[];
      /**
       * How the consumer proved who it is; null while that was unknown.
       */
      policy: string | null;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'condition-changed';
      /**
       * Who borrows.
       */
      consumer: ClusterName;
      /**
       * Who lends.
       */
      provider: ClusterName;
      /**
       * Namespaces that are deleted in providers, with everything in them.
       */
      deleted: DeletedNamespace[];
      /**
       * Before.
       */
      from: string;
      /**
       * After.
       */
      to: string;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'policy-changed';
      /**
       * Who borrows.
       */
      consumer: ClusterName;
      /**
       * Who lends.
       */
      provider: ClusterName;
      /**
       * Before.
       */
      from: string;
      /**
       * After.
       */
      to: string;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'authentication-added';
      /**
       * Who borrows.
       */
      consumer: ClusterName;
      /**
       * Its providers, by name.
       */
      providers: ClusterName[];
      /**
       * The public key, in Base64.
       */
      to: string;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'authentication-removed' | 'nonce-changed';
      /**
       * Who borrows.
       */
      consumer: ClusterName;
      /**
       * Its providers, by name.
       */
      providers: ClusterName[];
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'authentication-changed';
      /**
       * Who borrows.
       */
      consumer: ClusterName;
      /**
       * Its providers, by name.
       */
      providers: ClusterName[];
      /**
       * Before.
       */
      from: string;
      /**
       * After.
       */
      to: string;
      /**
       * Slices whose certificates are for the old key.
       */
      slices: Slice[];
      /**
       * Those of them whose request Liqo has made.
       */
      madeByLiqo: Slice[];
      /**
       * Providers whose answer to the old key is left out.
       */
      dropped: ClusterName[];
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'identity-added';
      /**
       * Who borrows.
       */
      consumer: ClusterName;
      /**
       * Who lends.
       */
      provider: ClusterName;
      to: Endpoint;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'identity-changed';
      /**
       * Who borrows.
       */
      consumer: ClusterName;
      /**
       * Who lends.
       */
      provider: ClusterName;
      /**
       * Before.
       */
      from: Endpoint;
      /**
       * After.
       */
      to: Endpoint;
      /**
       * Whether the certificate is another one.
       */
      newCertificate: boolean;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'identity-removed';
      /**
       * Who borrows.
       */
      consumer: ClusterName;
      /**
       * Who lends.
       */
      provider: ClusterName;
      from: Endpoint;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'slice-added';
      /**
       * Who borrows.
       */
      consumer: ClusterName;
      /**
       * Who lends.
       */
      provider: ClusterName;
      /**
       * Name of the slice.
       */
      slice: string;
      resources: Quantities;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'slice-removed';
      /**
       * Who borrows.
       */
      consumer: ClusterName;
      /**
       * Who lends.
       */
      provider: ClusterName;
      /**
       * Name of the slice.
       */
      slice: string;
      /**
       * Namespaces that are deleted in providers, with everything in them.
       */
      deleted: DeletedNamespace[];
      /**
       * Whether another slice of the pair takes its place.
       */
      isReplaced: boolean;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'resources-changed';
      /**
       * Who borrows.
       */
      consumer: ClusterName;
      /**
       * Who lends.
       */
      provider: ClusterName;
      /**
       * Name of the slice.
       */
      slice: string;
      /**
       * Before.
       */
      from: Quantities;
      /**
       * After.
       */
      to: Quantities;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'class-changed';
      /**
       * Who borrows.
       */
      consumer: ClusterName;
      /**
       * Who lends.
       */
      provider: ClusterName;
      /**
       * Name of the slice.
       */
      slice: string;
      /**
       * Before.
       */
      from: string;
      /**
       * After.
       */
      to: string;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'request-changed';
      /**
       * Who borrows.
       */
      consumer: ClusterName;
      /**
       * Who lends.
       */
      provider: ClusterName;
      /**
       * Name of the slice.
       */
      slice: string;
      /**
       * Before.
       */
      from: string | null;
      /**
       * After.
       */
      to: string | null;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'node-changed';
      /**
       * Who borrows.
       */
      consumer: ClusterName;
      /**
       * Who lends.
       */
      provider: ClusterName;
      /**
       * Name of the slice.
       */
      slice: string;
      /**
       * Before.
       */
      from: Fields | null;
      /**
       * After.
       */
      to: Fields | null;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'credentials-changed';
      /**
       * Who borrows.
       */
      consumer: ClusterName;
      /**
       * Who lends.
       */
      provider: ClusterName;
      /**
       * Before.
       */
      from: string | null;
      /**
       * After.
       */
      to: string | null;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'namespace-offloaded';
      /**
       * Who offloads it.
       */
      cluster: ClusterName;
      /**
       * Name of the namespace.
       */
      namespace: string;
      /**
       * Where its pods may run.
       */
      providers: ClusterName[];
      /**
       * Its name there.
       */
      remoteName: string;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'namespace-withdrawn';
      /**
       * Who offloads it.
       */
      cluster: ClusterName;
      /**
       * Name of the namespace.
       */
      namespace: string;
      /**
       * Namespaces that are deleted in providers, with everything in them.
       */
      deleted: DeletedNamespace[];
      /**
       * Where its pods ran.
       */
      providers: ClusterName[];
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'providers-changed';
      /**
       * Who offloads it.
       */
      cluster: ClusterName;
      /**
       * Name of the namespace.
       */
      namespace: string;
      /**
       * Namespaces that are deleted in providers, with everything in them.
       */
      deleted: DeletedNamespace[];
      /**
       * Providers that are added.
       */
      added: ClusterName[];
      /**
       * Providers that are removed.
       */
      removed: ClusterName[];
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'pods-changed';
      /**
       * Who offloads it.
       */
      cluster: ClusterName;
      /**
       * Name of the namespace.
       */
      namespace: string;
      /**
       * Before.
       */
      from: string;
      /**
       * After.
       */
      to: string;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'remote-name-changed';
      /**
       * Who offloads it.
       */
      cluster: ClusterName;
      /**
       * Name of the namespace.
       */
      namespace: string;
      /**
       * Namespaces that are deleted in providers, with everything in them.
       */
      deleted: DeletedNamespace[];
      /**
       * Before.
       */
      from: RemoteName;
      /**
       * After.
       */
      to: RemoteName;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'namespace-owner-changed';
      /**
       * Who offloads it.
       */
      cluster: ClusterName;
      /**
       * Name of the namespace.
       */
      namespace: string;
      /**
       * Whether the namespace itself is among the objects now.
       */
      isCreated: boolean;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'node-network-changed';
      /**
       * Who borrows.
       */
      consumer: ClusterName;
      /**
       * Who lends.
       */
      provider: ClusterName;
      /**
       * Why.
       */
      because: 'link-added' | 'link-removed' | 'view-moved';
      /**
       * Names of the slices.
       */
      slices: string[];
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'setting-changed';
      /**
       * Whose setting it is; null for the fleet.
       */
      cluster: ClusterName | null;
      /**
       * The key of the topology; `topologyFile` for the name of its file, `fullMasquerade` for nodes that translate the source of every packet.
       */
      setting: string;
      /**
       * Before.
       */
      from: string | null;
      /**
       * After.
       */
      to: string | null;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'gitops-changed';
      /**
       * Whose entry points they are.
       */
      tool: 'Argo CD' | 'Flux';
      /**
       * Files, below the folder of the bundles.
       */
      paths: string[];
      /**
       * Changed files that no commit applies, so that an operator applies them again.
       */
      byHand: string[];
      /**
       * Where the tool takes the bundles from, or took them; null where its entry points were there and stay.
       */
      source: {
        /**
         * Its address, without secrets; null where weft does not write it.
         */
        repository: string | null;
        /**
         * The branch, tag or commit; null where weft does not write it.
         */
        revision: string | null;
        /**
         * The object of Flux that knows the repository; null for Argo CD.
         */
        source: string | null;
      } | null;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'delivery-changed';
      /**
       * Whose entry points they are.
       */
      tool: 'Argo CD' | 'Flux';
      /**
       * Whose destination it is; null for the fleet.
       */
      cluster: ClusterName | null;
      /**
       * What differs: where the bundles come from, with which permissions they are applied, or where.
       */
      setting: 'repository' | 'revision' | 'path' | 'project' | 'namespace' | 'source' | 'sourceRepos' | 'destination';
      /**
       * Before, without secrets; null for the cluster that has this name, or in which the tool runs, and for what weft does not write.
       */
      from: string | null;
      /**
       * After, in the same way.
       */
      to: string | null;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'assertion-changed';
      /**
       * What was demanded; null for nothing.
       */
      from: Demand | null;
      /**
       * What is demanded; null for nothing.
       */
      to: Demand | null;
      /**
       * Clusters of the fleet to which the assertion no longer applies, as they have other labels.
       */
      spared: ClusterName[];
      /**
       * Whether another assertion demands all that was demanded.
       */
      isImplied: boolean;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'decision-picked';
      cluster: ClusterName;
      /**
       * The other end; null for a block of the cluster itself.
       */
      towards: ClusterName | null;
      /**
       * What the decision is about.
       */
      what: string;
      /**
       * What a compile would choose.
       */
      from: string;
      /**
       * What the lock has.
       */
      to: string;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'lock-changed';
      /**
       * Decisions that are new.
       */
      added: number;
      /**
       * Decisions that are gone.
       */
      removed: number;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'layout-changed' | 'annotations-changed' | 'files-changed';
      /**
       * In whose folder the files are; null for those of the fleet.
       */
      cluster: ClusterName | null;
      /**
       * Files, below the folder of the bundles.
       */
      paths: string[];
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'probers-changed';
      /**
       * Clusters whose probers come, change or go.
       */
      probed: ClusterName[];
      /**
       * Images before.
       */
      from: string[];
      /**
       * Images after.
       */
      to: string[];
      /**
       * Files, below the folder of the bundles.
       */
      paths: string[];
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'boundary-changed';
      cluster: ClusterName;
      /**
       * Connections that may cross from now on, in words.
       */
      opened: string[];
      /**
       * Connections that are refused from now on, in words.
       */
      closed: string[];
      /**
       * Connections that new links refuse, in words.
       */
      closedFromTheStart: string[];
      /**
       * Number of NetworkPolicies that differ.
       */
      policies: number;
      /**
       * Peers whose fence is removed, and was not emptied before.
       */
      stale: ClusterName[];
      /**
       * Namespaces that have no policy any more.
       */
      gone: string[];
      /**
       * Namespaces that have a policy from now on.
       */
      come: string[];
      /**
       * Files, below the folder of the bundles.
       */
      paths: string[];
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'key-rotated';
      /**
       * The end that it is about.
       */
      cluster: ClusterName;
      /**
       * The other end.
       */
      peer: ClusterName;
      /**
       * The end that listens.
       */
      server: ClusterName;
      /**
       * The public key before, base64.
       */
      from: string;
      /**
       * The public key after, base64.
       */
      to: string;
      /**
       * Names of the Secret with the key pair.
       */
      secret: {
        /**
         * Before.
         */
        from: string;
        /**
         * After.
         */
        to: string;
      };
      /**
       * Namespace of the Secrets; null for that of liqoctl.
       */
      namespace: string | null;
    }
  | {
      /**
       * Kinds with these facts.
       */
      kind?: 'next-key-changed';
      /**
       * The end that it is about.
       */
      cluster: ClusterName;
      /**
       * The other end.
       */
      peer: ClusterName;
      /**
       * Name of the Secret with the next key before; null without one.
       */
      from: string | null;
      /**
       * Its name after; null without one.
       */
      to: string | null;
    };

export interface Documents {
  ValidateDocument?: ValidateDocument;
  TraceDocument?: TraceDocument;
  ViewDocument?: ViewDocument;
  WhoisDocument?: WhoisDocument;
  PortsDocument?: PortsDocument;
  PlanDocument?: PlanDocument;
  WhatIfDocument?: WhatIfDocument;
  VerifyDocument?: VerifyDocument;
}
/**
 * What `weft validate -o json` prints.
 */
export interface ValidateDocument {
  schemaVersion: SchemaVersion;
  /**
   * True when the topology has no error.
   */
  ok: boolean;
  summary: Summary;
  diagnostics: Diagnostics;
  failure?: Failure;
}
/**
 * Number of diagnostics by severity, without the accepted ones.
 */
export interface Summary {
  /**
   * Errors.
   */
  errors: number;
  /**
   * Warnings.
   */
  warnings: number;
  /**
   * Notes.
   */
  notes: number;
  accepted: Accepted;
}
/**
 * Number of warnings and notes that the topology accepts.
 */
export interface Accepted {
  /**
   * Accepted warnings.
   */
  warnings: number;
  /**
   * Accepted notes.
   */
  notes: number;
}
/**
 * One mistake or remark, with its place.
 */
export interface Diagnostic {
  /**
   * What `weft explain` explains.
   */
  code: string;
  severity: Severity;
  /**
   * What is wrong.
   */
  message: string;
  file: Path;
  line: Line;
  column: Column;
  endLine: EndLine;
  endColumn: EndColumn;
  /**
   * What to do; null for nothing.
   */
  hint: string | null;
  /**
   * Other places of the same mistake.
   */
  related: Related[];
  /**
   * The entries of `accept` that accept it; empty where it is not accepted.
   */
  accepted: Acceptance[];
}
/**
 * Another place of a mistake.
 */
export interface Related {
  /**
   * What is there.
   */
  message: string;
  file: Path;
  line: Line;
  column: Column;
  endLine: EndLine;
  endColumn: EndColumn;
}
/**
 * An entry of `accept`.
 */
export interface Acceptance {
  /**
   * Why it is accepted.
   */
  reason: string;
  file: Path;
  line: Line;
  column: Column;
  endLine: EndLine;
  endColumn: EndColumn;
}
/**
 * Why there is no answer, where no place in a file is the cause: a refusal, misuse, a file that cannot be read, a bug of weft. Absent when there is an answer, and when `diagnostics` has the cause.
 */
export interface Failure {
  /**
   * What failed.
   */
  message: string;
  /**
   * What to do; null for nothing.
   */
  hint: string | null;
}
/**
 * What `weft trace -o json` prints: the way of a packet and of the answer; with --all the fate of every pair of clusters; with --service how the endpoints of a Service are reached.
 */
export interface TraceDocument {
  schemaVersion: SchemaVersion;
  /**
   * True when the packet is delivered; with --all when every pair reaches each other; with --service when every endpoint is reached.
   */
  ok: boolean;
  summary: Summary;
  diagnostics: Diagnostics;
  /**
   * The answer for two ends.
   */
  trace?: Trace;
  /**
   * The answer with --all: every ordered pair of two clusters, by name of the sender, then of the receiver. A fleet of 1,000 clusters has a million.
   */
  pairs?: Pair[];
  /**
   * The answer with --service: one per cluster whose pods ask.
   */
  services?: ServiceTrace[];
  live?: Live;
  failure?: Failure;
}
/**
 * The way of a packet, and of the answer.
 */
export interface Trace {
  /**
   * The sender.
   */
  from: {
    cluster: ClusterName;
    address: TracedAddress;
    /**
     * The port; null for none.
     */
    port: Port | null;
    /**
     * Whether a node sends it.
     */
    isNode: boolean;
  };
  /**
   * The receiver.
   */
  to: {
    /**
     * null for an address that no cluster has, or whose cluster is known only at run time.
     */
    cluster: ClusterName | null;
    address: TracedAddress;
    /**
     * The port; null for none.
     */
    port: Port | null;
  };
  fate: Fate;
  /**
   * The reason, as a sentence.
   */
  why: string;
  /**
   * What would change it, as a sentence; null where nothing needs a change.
   */
  change: string | null;
  route: Route;
  /**
   * Gateways without a public key: of the link of the two, which carries nothing, or of the link at which the packet ends.
   */
  keyless: Keyless;
  /**
   * As the sender sends it; null without a destination.
   */
  sent: Packet | null;
  /**
   * As the receiving pod gets it; null when no pod does.
   */
  received: Packet | null;
  /**
   * What a cluster on the way maps at run time; null for none.
   */
  mapping: {
    /**
     * The cluster that maps it.
     */
    hub: ClusterName;
    /**
     * The address of the pod.
     */
    real: Address;
    /**
     * The address that it is mapped to.
     */
    external: TracedAddress;
  } | null;
  /**
   * Sentences about other clusters that use the dialled address, and what to dial for them.
   */
  others: string[];
  /**
   * Sentences about the entries of boundaries that let it in, and about policies of namespaces that the request does not name and that would refuse it.
   */
  policies: string[];
  /**
   * The way there.
   */
  there: Step[];
  /**
   * The way of the answer. Empty unless the packet is delivered.
   */
  back: Step[];
}
/**
 * An address, which may be known only at run time.
 */
export interface TracedAddress {
  /**
   * For people: an address, or what is known of it.
   */
  text: string;
  /**
   * null when it is known only at run time.
   */
  address: Address | null;
  /**
   * The network of an address that is known only at run time, if the network is known before; else null.
   */
  network: Network | null;
}
/**
 * The way.
 */
export interface Route {
  /**
   * local: inside the cluster. direct: over the link of the two. through: through a third cluster. none.
   */
  kind: 'local' | 'direct' | 'through' | 'none';
  /**
   * Present when the kind is direct.
   */
  link?: LinkKind;
  /**
   * The cluster that the packet passes. Present when the kind is through.
   */
  hub?: ClusterName;
  /**
   * All clusters with working links to both, by name. Present when the kind is through.
   */
  hubs?: ClusterName[];
}
/**
 * The gateway of a cluster for one peer.
 */
export interface Gateway {
  /**
   * The cluster that the gateway runs in.
   */
  cluster: ClusterName;
  /**
   * The cluster at the other end of its tunnel.
   */
  peer: ClusterName;
}
/**
 * Addresses of a packet.
 */
export interface Packet {
  /**
   * Its source.
   */
  source: TracedAddress;
  /**
   * Its destination.
   */
  destination: TracedAddress;
}
/**
 * A place that the packet passes, with its addresses when it leaves that place.
 */
export interface Step {
  /**
   * Where it is.
   */
  cluster: ClusterName;
  /**
   * What happens there. sent and received: at the ends. left-node: the node applies its rules. overlay: from a node to a gateway, or back. prerouting, postrouting: the gateway applies its rules. mapped: a single address of the external CIDR is mapped to a pod. tunnel: to the gateway at the other end. undone: connection tracking reverses a translation.
   */
  step: 'sent' | 'left-node' | 'overlay' | 'prerouting' | 'mapped' | 'tunnel' | 'postrouting' | 'undone' | 'received';
  /**
   * The peer whose gateway it is, or whose rules the node applies; null for none.
   */
  peer: ClusterName | null;
  /**
   * The RouteConfiguration that sends the packet on; null for none.
   */
  route: string | null;
  /**
   * Source of the packet.
   */
  source: TracedAddress;
  /**
   * Destination of the packet.
   */
  destination: TracedAddress;
  /**
   * The rule that changes an address; null for none.
   */
  rule: Rule | null;
}
/**
 * A rule of nftables.
 */
export interface Rule {
  /**
   * Its table.
   */
  table: string;
  /**
   * Its chain.
   */
  chain: string;
  /**
   * Its name, which is its comment.
   */
  name: string;
  /**
   * The file with it, below the folder of the bundles; null for a rule that only a live cluster has.
   */
  path: string | null;
  /**
   * Its line in that file, from 1; null with path.
   */
  line: Line | null;
}
/**
 * The fate of packets from one cluster to another.
 */
export interface Pair {
  /**
   * The sender.
   */
  from: ClusterName;
  /**
   * The receiver.
   */
  to: ClusterName;
  fate: Fate;
  /**
   * Of the first link at which packets end.
   */
  keyless: Keyless;
  route: Route;
}
/**
 * How the endpoints of a Service are reached from one cluster.
 */
export interface ServiceTrace {
  /**
   * Its namespace and name, as `demo/web`.
   */
  service: string;
  /**
   * The cluster that offloads the namespace.
   */
  of: ClusterName;
  /**
   * Whose pods ask.
   */
  from: ClusterName;
  /**
   * False when the cluster does not have the Service.
   */
  exists: boolean;
  /**
   * One per cluster with pods of it.
   *
   * Items: The pods of the Service in one cluster.
   */
  endpoints: {
    /**
     * Where the pods run.
     */
    cluster: ClusterName;
    /**
     * local: inside the cluster. link: between the consumer and a provider. Between two providers, hub: through the consumer; direct: by a direct connection of Liqo 1.2; shortcut: by one of the fork. none.
     */
    way: 'local' | 'link' | 'hub' | 'direct' | 'shortcut' | 'none';
    /**
     * black-hole: the endpoint is ready, and packets to it are lost. not-ready: the endpoint is there and gets no traffic. withheld: the cluster gets no endpoints of others.
     */
    fate: 'delivered' | 'black-hole' | 'not-ready' | 'withheld';
    /**
     * The reason, as a sentence.
     */
    why: string;
    /**
     * What would change it, as a sentence; null for what is delivered.
     */
    change: string | null;
    /**
     * The way of a packet; null where nothing is sent to another cluster.
     */
    trace: Trace | null;
  }[];
}
/**
 * What an answer about live clusters rests on. Present with --live or --context.
 */
export interface Live {
  /**
   * Dumps and contexts, as the user named them.
   */
  sources: string[];
  /**
   * The clusters that were looked at, by name.
   */
  looked: ClusterName[];
  /**
   * Other clusters, which are known only from their peers, by name.
   */
  inferred: ClusterName[];
  /**
   * What differs from git in the clusters and links that the answer is about, causes first; null without a topology to compare with.
   */
  drift: ClusterDifference[] | null;
  /**
   * What is wrong with the links that the answer is about.
   */
  faults: LinkFault[];
  /**
   * What is different in the topology, as sentences.
   */
  gitSays: string[];
}
/**
 * One thing that is not as git promises, as in the answer of drift.
 */
export interface ClusterDifference {
  /**
   * The cluster whose objects show it.
   */
  cluster: ClusterName;
  /**
   * The remote cluster that it is about; null for none, or all of them.
   */
  peer: string | null;
  /**
   * weft explain CODE explains it.
   */
  code: string;
  severity: Severity;
  /**
   * What is not as promised.
   */
  message: string;
  /**
   * What to do.
   */
  hint: string | null;
  /**
   * True when nothing that is there contradicts git: a rollout that goes on resolves it.
   */
  isWaiting: boolean;
  /**
   * Evidence, the pairs that no longer reach each other, the other end of the link, and what it means.
   */
  details: string[];
}
/**
 * What is wrong with a live link.
 */
export interface LinkFault {
  /**
   * The cluster whose objects show it.
   */
  cluster: ClusterName;
  /**
   * The cluster at the other end.
   */
  peer: ClusterName;
  /**
   * What is wrong.
   */
  kind:
    | 'same-role'
    | 'no-gateway'
    | 'no-configuration'
    | 'no-view'
    | 'no-public-key'
    | 'several'
    | 'stale-view'
    | 'stale-local'
    | 'unkept-view'
    | 'not-connected'
    | 'no-connection'
    | 'dials-another-port'
    | 'mtu-differs';
  /**
   * Whether packets between the two are lost now.
   */
  stops: boolean;
  /**
   * The same as a sentence.
   */
  text: string;
}
/**
 * What `weft view -o json` prints: the clusters of the fleet, its links, the room in it, the network from the point of view of one cluster, or of the two ends of a pair.
 */
export interface ViewDocument {
  schemaVersion: SchemaVersion;
  /**
   * False when there is no answer, and when the two clusters have neither a working link nor a cluster with working links to both.
   */
  ok: boolean;
  summary: Summary;
  diagnostics: Diagnostics;
  /**
   * The clusters by name. Present where no cluster is named.
   */
  clusters?: ListedCluster[];
  /**
   * Hub links, then peerings and shortcuts, by the names of server and client. Present with `weft view links`.
   */
  links?: ListedLink[];
  forecast?: Forecast;
  /**
   * One view; for a pair of clusters two, each limited to the other end. Present where a cluster is named.
   */
  views?: ClusterView[];
  /**
   * With --recreated: how the first cluster sees the second one once its Configuration is deleted and created again.
   */
  recreated?: RecreatedView;
  /**
   * With --runbook: one per link between the two, in order.
   *
   * Items: What to look at for one link.
   */
  runbooks?: {
    /**
     * The end that listens.
     */
    server: ClusterName;
    /**
     * The end that dials.
     */
    client: ClusterName;
    /**
     * The command that ends without drift when the link is repaired.
     */
    proof: string;
    /**
     * In order.
     *
     * Items: One step.
     */
    steps: {
      /**
       * The same for every link: `wireguard` for instance.
       */
      id: string;
      /**
       * What it is about.
       */
      title: string;
      /**
       * Commands to run.
       *
       * Items: One command.
       */
      checks: {
        /**
         * The cluster that is looked at.
         */
        cluster: ClusterName;
        /**
         * Words in capitals are for the reader to fill in.
         */
        command: string;
        /**
         * What it must show.
         *
         * Items: What it must show.
         */
        expect: {
          /**
           * What to look at.
           */
          what: string;
          /**
           * What must be there.
           */
          value: string;
          /**
           * What is there, where that is another value; else null.
           */
          live: string | null;
        }[];
      }[];
      /**
       * What else can be found.
       *
       * Items: One finding.
       */
      outcomes: {
        /**
         * What was found.
         */
        when: string;
        /**
         * What it means, and where to go on.
         */
        next: string;
      }[];
    }[];
  }[];
  live?: Live;
  failure?: Failure;
}
/**
 * A cluster in the list of all.
 */
export interface ListedCluster {
  cluster: ClusterName;
  /**
   * Release of Liqo.
   */
  liqo: string;
  /**
   * Whether it is retired.
   */
  retired: boolean;
  /**
   * Its pod networks.
   */
  podCIDRs: Network[];
  /**
   * What peers dial; null for a cluster that is always a client.
   */
  gateway: string | null;
  /**
   * The hubs that it is a spoke of.
   */
  hubs: ClusterName[];
  /**
   * Whether others are spokes of it.
   */
  isHub: boolean;
  /**
   * Number of its links.
   */
  links: number;
}
/**
 * A link in the list of all.
 */
export interface ListedLink {
  link: LinkKind;
  /**
   * The end that is dialled.
   */
  server: ClusterName;
  /**
   * The end that dials.
   */
  client: ClusterName;
  /**
   * What the client dials: an address or a DNS name.
   */
  address: string;
  /**
   * The UDP port that the client dials.
   */
  port: Port;
  mtu: Mtu;
  keyless: Keyless;
  /**
   * Day of the older one of its two keys, such as 2026-11-28; null when the day of one is not recorded.
   */
  keysSince: string | null;
  /**
   * Networks that one end sees at other addresses than the other end uses: those that the server sees, then those that the client sees.
   */
  remaps: Remap[];
}
/**
 * A network that a cluster sees at other addresses than its peer uses.
 */
export interface Remap {
  /**
   * The cluster that sees the network.
   */
  cluster: ClusterName;
  /**
   * The cluster that uses the network.
   */
  peer: ClusterName;
  /**
   * Which CIDR of the peer it is.
   */
  kind: 'pod' | 'external';
  /**
   * The network that the peer uses itself.
   */
  cidr: Network;
  /**
   * The network at which the cluster sees it.
   */
  seenAs: Network;
  /**
   * True when the lock keeps the view and a fresh rollout would assign another one.
   */
  history: boolean;
}
/**
 * What still fits. Present with `weft view forecast`.
 */
export interface Forecast {
  /**
   * The blocks for `auto`.
   */
  blocks: {
    /**
     * `ipam.carve.from`.
     */
    from: Network[];
    /**
     * The prefix length of a block.
     */
    length: number;
    /**
     * The number of blocks that can still be carved.
     */
    left: number;
  };
  /**
   * Clusters that others have joined, those with the least room first.
   */
  joined: {
    cluster: ClusterName;
    /**
     * The ports for further clients; null for a cluster that serves none.
     */
    ports: {
      first: Port;
      last: Port;
      /**
       * Those that no client has.
       */
      left: number;
    } | null;
    /**
     * Further peers for which its external and internal CIDR have addresses.
     */
    peers: number;
    /**
     * The networks that are left in its pools, of the size of the largest pod CIDR among its peers.
     */
    networks: {
      /**
       * Their prefix length.
       */
      length: number;
      /**
       * Those that could be taken side by side.
       */
      left: number;
    };
  }[];
  /**
   * One for each way in which clusters have joined, the most frequent first.
   */
  next: NextCluster[];
  /**
   * The number of ways that `next` leaves out; name a cluster for its way.
   */
  leftOut: number;
}
/**
 * A cluster that joins in the same way as a present one, with networks of the same sizes.
 */
export interface NextCluster {
  like: ClusterName;
  /**
   * The number of clusters that have joined in this way.
   */
  alike: number;
  /**
   * Its hubs, and the other ends of its peerings.
   */
  joins: ClusterName[];
  /**
   * How many can be added one after another, each with the pod CIDRs of `like`; at most 10000.
   */
  fits: number;
  /**
   * The reason why no further one can be added; null when 10000 fit.
   */
  limit: {
    /**
     * `ports`: a cluster has none left for a client. `addresses`: a cluster has none left for a peer in its external or internal CIDR. `networks`: none of this length is left in the pools of a cluster. `blocks`: none of this length is left for `auto`.
     */
    kind: 'ports' | 'addresses' | 'networks' | 'blocks';
    cluster?: ClusterName;
    /**
     * The prefix length of a network or block.
     */
    length?: number;
  } | null;
  /**
   * The cost of the next one with the pod CIDRs of `like`; null when it does not fit.
   */
  again: JoinCost;
  /**
   * The cost of the next one with pod CIDRs that are in use nowhere; null when the pools have none, or it does not fit.
   */
  distinct: JoinCost;
}
/**
 * The point of view of one cluster.
 */
export interface ClusterView {
  /**
   * Name of the cluster.
   */
  cluster: string;
  /**
   * Release of Liqo in the cluster.
   */
  liqo: string;
  /**
   * True when the cluster is retired: its peers have no link to it.
   */
  retired: boolean;
  /**
   * Its pod networks.
   */
  podCIDRs: Network[];
  /**
   * Its Service network.
   */
  serviceCIDR: Network;
  /**
   * Its external CIDR, as Liqo chooses it.
   */
  externalCIDR: Network;
  /**
   * Its links, in apply order.
   */
  peers: Peer[];
  sharing?: Sharing;
  /**
   * Peers whose connections need an entry of `boundaries`, by name; absent without one.
   */
  closed?: Closed[];
  /**
   * Clusters that it reaches through another cluster, and over no link of the two that carries packets; by name.
   */
  indirect: Indirect[];
  /**
   * Shortcuts between its spokes, by the names of server and client; empty for a cluster that is no hub, and where a pair of clusters is requested.
   *
   * Items: A shortcut: its ends reach each other without this hub, unless a key is missing.
   */
  shortcuts: {
    /**
     * The end that is dialled.
     */
    server: ClusterName;
    /**
     * The end that dials.
     */
    client: ClusterName;
    keyless: Keyless;
  }[];
}
/**
 * A link to another cluster, which carries packets directly unless a key is missing.
 */
export interface Peer {
  /**
   * Name of the cluster at the other end.
   */
  peer: string;
  link: LinkKind;
  /**
   * Role of the gateway of the cluster whose view this is.
   */
  role: 'server' | 'client';
  /**
   * What the client dials, for either role: an address or a DNS name.
   */
  address: string;
  /**
   * The UDP port that the client dials.
   */
  port: Port;
  mtu: Mtu;
  keyless: Keyless;
  /**
   * How the cluster sees the peer. Pod CIDRs in list order, then the external CIDR.
   */
  views: View[];
  /**
   * True when the view would be another one if the Configurations of the cluster were applied in another order: of two peers with one network, for both.
   */
  orderDependent: boolean;
  /**
   * The other direction: how the peer sees the cluster.
   */
  seenBy: {
    /**
     * Pod CIDRs in list order, then the external CIDR.
     */
    views: View[];
    /**
     * True when the view would be another one if the Configurations of the cluster were applied in another order: of two peers with one network, for both.
     */
    orderDependent: boolean;
  };
}
/**
 * How one network of a cluster is seen by another.
 */
export interface View {
  /**
   * Which network it is.
   */
  kind: 'pod' | 'external';
  /**
   * The network that the cluster announces.
   */
  cidr: Network;
  /**
   * The network at which the other cluster sees it. Equal to `cidr` when it is not remapped.
   */
  seenAs: Network;
  /**
   * True when the lock keeps this view and a new rollout would give another one.
   */
  history: boolean;
}
/**
 * What the cluster borrows, lends and offloads. Absent for a cluster that shares nothing.
 */
export interface Sharing {
  /**
   * Slices that it borrows, by provider.
   *
   * Items: A slice.
   */
  borrows: {
    /**
     * The cluster that lends.
     */
    provider: ClusterName;
    /**
     * Name of the slice, and of the virtual node in the consumer.
     */
    slice: string;
    /**
     * Class of the slice.
     */
    class: string;
    /**
     * Quantities that are asked for; the rest is the provider's default.
     */
    resources: Quantities;
    /**
     * How the provider treats the consumer.
     */
    condition: 'Active' | 'Cordoned' | 'Drained';
    /**
     * How far the handshake is. no-key: the consumer has no authentication key. unknown-key: it has one that the keys file does not know. no-answer: the answer of the provider is not recorded. complete. credentials: there is none.
     */
    handshake: 'no-key' | 'unknown-key' | 'no-answer' | 'complete' | 'credentials';
    /**
     * Whether the two have a link; without one, Services do not cross.
     */
    linked: boolean;
  }[];
  /**
   * Slices that it lends, by consumer.
   *
   * Items: A slice.
   */
  lends: {
    /**
     * The cluster that borrows.
     */
    consumer: ClusterName;
    /**
     * Name of the slice, and of the virtual node in the consumer.
     */
    slice: string;
    /**
     * Class of the slice.
     */
    class: string;
    /**
     * Quantities that are asked for; the rest is the provider's default.
     */
    resources: Quantities;
    /**
     * How the provider treats the consumer.
     */
    condition: 'Active' | 'Cordoned' | 'Drained';
    /**
     * How far the handshake is. no-key: the consumer has no authentication key. unknown-key: it has one that the keys file does not know. no-answer: the answer of the provider is not recorded. complete. credentials: there is none.
     */
    handshake: 'no-key' | 'unknown-key' | 'no-answer' | 'complete' | 'credentials';
    /**
     * Whether the two have a link; without one, Services do not cross.
     */
    linked: boolean;
  }[];
  /**
   * Namespaces whose pods may run in providers, by name.
   *
   * Items: An offloaded namespace.
   */
  offloads: {
    /**
     * Name of the namespace.
     */
    namespace: string;
    /**
     * Clusters in which its pods may run.
     */
    providers: string[];
    /**
     * Name of the namespace there.
     */
    remoteName: string;
    /**
     * Where its pods run.
     */
    pods: 'Local' | 'Remote' | 'LocalAndRemote';
  }[];
}
/**
 * Quantities by resource, such as `cpu: "2"`.
 */
export interface Quantities {
  [k: string]: string;
}
/**
 * What may enter over a closed link.
 */
export interface Closed {
  /**
   * The sender.
   */
  peer: ClusterName;
  /**
   * True when the gateway refuses all that no entry opens; policies alone limit namespaces.
   */
  hasFence: boolean;
  /**
   * Empty when every connection is refused.
   *
   * Items: New connections that an entry opens.
   */
  openings: {
    /**
     * True for what arrives under the external address of the sender.
     */
    masqueraded: boolean;
    /**
     * Pods of the sender, in its own addresses; empty for all.
     */
    fromCIDRs: Network[];
    /**
     * The namespace that a policy in the sender limits.
     */
    fromNamespace: string | null;
    /**
     * Pods of the cluster; empty for all.
     */
    toCIDRs: Network[];
    /**
     * The namespace that a policy in the cluster limits.
     */
    toNamespace: string | null;
    /**
     * Without one, every protocol.
     */
    protocol: 'TCP' | 'UDP' | null;
    /**
     * A port, or the first and the last one; empty for every port.
     */
    ports: string[];
    /**
     * The entry of `boundaries`.
     */
    entry: {
      /**
       * Path of the topology.
       */
      file: string;
      /**
       * Line of the entry.
       */
      line: number;
    };
  }[];
}
/**
 * A cluster that is reached through another one.
 */
export interface Indirect {
  /**
   * Name of the cluster.
   */
  cluster: string;
  /**
   * The clusters with working links to both, by name. Each gives another address.
   *
   * @minItems 1
   */
  through: [ThroughHub, ...ThroughHub[]];
}
/**
 * How a cluster with links to two others translates the addresses of a pod behind it.
 */
export interface ThroughHub {
  /**
   * Name of the cluster.
   */
  hub: string;
  /**
   * The external CIDR from which the hub assigns an address.
   */
  hubExternalCIDR: Network;
  /**
   * The view of that network: it contains the address that the cluster uses.
   */
  seenIn: Network;
  /**
   * Form of the address. The address itself is only known at run time.
   */
  address: string;
  /**
   * When the address is assigned: in order of arrival.
   */
  givenAt: 'run-time';
  /**
   * Source address of packets from this cluster, as the cluster behind the hub sees it.
   */
  sourceThere: Address;
  /**
   * Source address of packets from behind the hub, as this cluster sees it.
   */
  sourceHere: Address;
}
/**
 * The addresses that a cluster gives a peer when it is asked for them last, while all others keep theirs.
 */
export interface RecreatedView {
  /**
   * The cluster in which the Configuration is created again.
   */
  cluster: string;
  /**
   * The cluster that the Configuration is about.
   */
  peer: string;
  /**
   * The pod CIDRs of the peer in the order of its list, then its external CIDR.
   *
   * Items: One network of the peer.
   */
  views: {
    /**
     * Which CIDR of the peer it is.
     */
    kind: 'pod' | 'external';
    /**
     * The network that the peer uses itself.
     */
    cidr: string;
    /**
     * The network that the cluster uses for it now.
     */
    seenAs: string;
    /**
     * The network that the cluster uses for it afterwards.
     */
    recreatedAs: string;
  }[];
}
/**
 * What `weft whois -o json` prints: what an address is in every cluster, or in one.
 */
export interface WhoisDocument {
  schemaVersion: SchemaVersion;
  /**
   * False when there is no answer, and when the address is known neither to a cluster nor as a gateway.
   */
  ok: boolean;
  summary: Summary;
  diagnostics: Diagnostics;
  /**
   * The answer.
   */
  whois?: {
    /**
     * The requested address.
     */
    address: Address;
    /**
     * One per cluster, by name; with `--in` one.
     */
    answers: Answer[];
    /**
     * With `--in`: other clusters that use the address themselves and are dialled at another one, by name.
     */
    elsewhere: Elsewhere[];
    /**
     * Clusters whose gateways are at the address, by name.
     */
    gateways: GatewayAt[];
  };
  live?: Live;
  failure?: Failure;
}
/**
 * What the address is in one cluster.
 */
export interface Answer {
  /**
   * Name of the cluster.
   */
  cluster: string;
  /**
   * Empty when packets leave by the default route. Several uses in one cluster are a mistake.
   */
  uses: Use[];
}
/**
 * One use of the address.
 */
export interface Use {
  /**
   * own: in a network of the cluster itself. seen: in its view of a peer. tunnel: an end of a tunnel, the same in every gateway.
   */
  kind: 'own' | 'seen' | 'tunnel';
  /**
   * run-time: the peer maps the address to a pod that it has offloaded. unknown-source: the source of packets that are not from pods. null for a tunnel.
   */
  role: 'pod' | 'service' | 'external' | 'internal' | 'reserved' | 'run-time' | 'unknown-source' | null;
  /**
   * The network that contains the address, as the cluster sees it.
   */
  network: Network;
  /**
   * The cluster that is seen there; null unless the kind is seen.
   */
  peer: string | null;
  /**
   * The address that the peer itself uses; null unless the kind is seen.
   */
  real: Address | null;
  /**
   * Of the link to the peer. With any of them no packet gets there. Empty unless the kind is seen.
   */
  keyless: Keyless;
}
/**
 * Another cluster that uses the address itself.
 */
export interface Elsewhere {
  /**
   * Name of the other cluster.
   */
  cluster: string;
  /**
   * pod: for a pod. external: in its external CIDR.
   */
  role: 'pod' | 'external';
  /**
   * The network of the other cluster that contains the address.
   */
  network: Network;
  /**
   * What the cluster of `--in` dials instead.
   */
  dial: {
    /**
     * through: an address that a third cluster assigns at run time. no-keys: only a link without keys leads there. nothing: no path is compiled.
     */
    kind: 'address' | 'through' | 'no-keys' | 'nothing';
    /**
     * null unless the kind is address.
     */
    address: Address | null;
    /**
     * The cluster that assigns the address; null unless the kind is through.
     */
    hub: string | null;
    /**
     * The network that will contain the address; null unless the kind is through.
     */
    network: Network | null;
    /**
     * Further clusters that assign an address for the same pod, by name.
     */
    others: string[];
  };
}
/**
 * A cluster whose gateways are at the address.
 */
export interface GatewayAt {
  /**
   * Name of the cluster.
   */
  cluster: string;
  /**
   * Keys of `gateway` in the topology that contain the address; empty for an option of a link.
   */
  as: ('addresses' | 'loadBalancerIP' | 'dial')[];
  /**
   * The peers that dial the address, by name.
   *
   * Items: A peer, and the port that it dials.
   */
  dialledBy: {
    /**
     * Name of the peer.
     */
    cluster: string;
    /**
     * The UDP port that it dials.
     */
    port: Port;
  }[];
}
/**
 * What `weft ports -o json` prints: what firewalls between clusters must let through.
 */
export interface PortsDocument {
  schemaVersion: SchemaVersion;
  /**
   * False when there is no answer.
   */
  ok: boolean;
  summary: Summary;
  diagnostics: Diagnostics;
  /**
   * By `from`, then by `to`, tunnels first. Absent when there is no answer.
   */
  openings?: Opening[];
  /**
   * The same by the address that is dialled. Absent when there is no answer.
   */
  destinations?: Destination[];
  failure?: Failure;
}
/**
 * Something that must be open.
 */
export interface Opening {
  /**
   * The tunnel of a link, or the API server of a cluster that lends resources.
   */
  purpose: 'tunnel' | 'api-server';
  protocol: Protocol;
  /**
   * The cluster that opens each flow. Answers are packets of that flow.
   */
  from: string;
  /**
   * The cluster that is dialled. It opens no flow.
   */
  to: string;
  /**
   * Addresses and networks that packets of `from` come from, as `--source` named them. Empty when they are not known.
   */
  sources: string[];
  /**
   * What is dialled.
   */
  address: DialledAddress;
  /**
   * The port that is dialled.
   */
  port: KnownPort;
  /**
   * The destination as a firewall in front of the nodes of `to` sees it. Differs from `address` behind NAT.
   */
  insideAddress: DialledAddress;
  /**
   * The port there.
   */
  insidePort: KnownPort;
  /**
   * Whether NAT translates what is dialled to the first place of `behind`.
   */
  nat: boolean;
  /**
   * What packets pass in `to`, from outside in. Empty for an API server.
   */
  behind: Place[];
  /**
   * Where it is decided what is dialled: topology and lock, the recorded answer of a provider or the proxy in it, Liqo in the provider, or a kubeconfig that a person makes.
   */
  decidedBy: 'topology' | 'answer' | 'proxy' | 'liqo' | 'kubeconfig';
  /**
   * Whether the lock has the port. If not, a later compile may choose another one. Always true for API servers.
   */
  recorded: boolean;
}
/**
 * What packets pass.
 */
export interface Place {
  /**
   * What has the port.
   */
  kind: 'load-balancer' | 'node' | 'service' | 'pod';
  address: DialledAddress;
  /**
   * `null` for the node port of a load balancer, which Kubernetes chooses.
   */
  port: KnownPort;
}
/**
 * An address that is dialled.
 */
export interface Destination {
  /**
   * The cluster that is dialled.
   */
  to: string;
  protocol: Protocol;
  address: DialledAddress;
  /**
   * Ports and runs of ports, such as `30000-30089`, in order.
   */
  ports: string[];
  /**
   * The range from which weft chooses ports there; `null` where the ports are not chosen by weft.
   */
  chosenFrom: string | null;
}
/**
 * What `weft plan -o json` prints: what compiling would change. The plan alone, as `weft pr --plan-json FILE` writes it, has schemas/plan.schema.json.
 */
export interface PlanDocument {
  schemaVersion: SchemaVersion;
  /**
   * False when the topology has errors, or when more would be removed than is allowed.
   */
  ok: boolean;
  summary: Summary;
  diagnostics: Diagnostics;
  /**
   * What compiling changes. Absent when there is no answer.
   */
  plan?: Plan;
  /**
   * What a plan from live clusters starts from. Present with --live or --context.
   */
  live?: {
    /**
     * The clusters that were looked at, by name.
     */
    looked: ClusterName[];
    /**
     * Other clusters of the topology, which count as their bundles are, by name.
     */
    others: ClusterName[];
    /**
     * Gateways and consumers with a key that the keys file does not know: nothing is compared with it.
     */
    unknownKeys: {
      cluster: ClusterName;
      /**
       * The cluster at the other end of the tunnel of a gateway; null for the authentication key of a consumer.
       */
      peer: string | null;
    }[];
    /**
     * Kinds of objects that were not read in a cluster, so that theirs count as they are compiled.
     */
    unread: {
      cluster: ClusterName;
      /**
       * For example `PublicKey`, by name.
       */
      kinds: string[];
    }[];
    /**
     * Sentences about objects that differ without a change of the network, as in drift.
     */
    unexplained: string[];
  };
  /**
   * The states between the base and the topology, in order; the last one is the topology. Present with --steps.
   */
  stages?: {
    /**
     * Name of its folder, such as 1-add.
     */
    name: string;
    /**
     * What it is for.
     */
    kind: 'upgrade' | 'retire' | 'add' | 'finish';
    /**
     * The traffic that it may lose, the worst first.
     */
    losses: {
      /**
       * At most so many; null for every connection, until it is made again.
       */
      seconds: number | null;
      /**
       * True when the start of the slower gateway pod is added.
       */
      restarts: boolean;
      /**
       * Pairs of clusters, such as milan/rome.
       */
      pairs: string[];
    }[];
    /**
     * Fields of live objects that have to have a value.
     */
    observe: {
      /**
       * The cluster with the object.
       */
      cluster: ClusterName;
      /**
       * Namespace of the object; null for one without a namespace.
       */
      namespace: string | null;
      /**
       * Kind and name, as kubectl reads them.
       */
      object: string;
      /**
       * Path of the field, as kubectl reads it.
       */
      field: string;
      /**
       * The value to wait for.
       */
      value: string;
      /**
       * Before this state is applied, or before the next one.
       */
      when: 'before' | 'after';
    }[];
    /**
     * What to do when a value does not come.
     */
    remedies: string[];
    /**
     * What changes from the state before.
     */
    plan: Plan;
  }[];
  /**
   * States that are no topology by themselves. Present with --steps.
   */
  leftOut?: {
    /**
     * What it would be for.
     */
    kind: 'upgrade' | 'retire' | 'add' | 'finish';
    /**
     * The errors of its topology.
     */
    why: string[];
  }[];
  failure?: Failure;
}
/**
 * What compiling changes.
 */
export interface Plan {
  schemaVersion: SchemaVersion;
  /**
   * Name of the fleet after the change.
   */
  fleet: string;
  /**
   * True when there is nothing to do.
   */
  empty: boolean;
  /**
   * The plan in one sentence.
   */
  line: string;
  /**
   * Number of changes by action. Consequences of others are left out, unless there is nothing else.
   */
  counts: {
    /**
     * What is added.
     */
    add: number;
    /**
     * What is changed.
     */
    change: number;
    /**
     * What is removed.
     */
    remove: number;
    /**
     * Changes that break live flows, need a step by hand, change who is trusted, or demand less; here consequences count, too.
     */
    disruptive: number;
    /**
     * Those of them that change who is trusted.
     */
    trust: number;
  };
  /**
   * How large the fleet is.
   */
  size: {
    /**
     * Before the change.
     */
    before: Size;
    /**
     * After the change.
     */
    after: Size;
  };
  /**
   * Number of pairs of clusters by the worst effect on the traffic between them.
   */
  pairs: {
    /**
     * Pairs with this effect.
     */
    stops: number;
    /**
     * Pairs with this effect.
     */
    interrupted: number;
    /**
     * Pairs with this effect.
     */
    readdressed: number;
    /**
     * Pairs with this effect.
     */
    rerouted: number;
    /**
     * Pairs with this effect.
     */
    opens: number;
  };
  /**
   * The clusters that the plan affects, worst first.
   *
   * Items: One cluster.
   */
  blastRadius: {
    cluster: ClusterName;
    /**
     * Disruptive changes that concern it.
     */
    breaks: number;
    /**
     * Other clusters by the worst effect on the traffic with them.
     */
    traffic: {
      /**
       * Clusters with this effect, by name.
       */
      stops: ClusterName[];
      /**
       * Clusters with this effect, by name.
       */
      interrupted: ClusterName[];
      /**
       * Clusters with this effect, by name.
       */
      readdressed: ClusterName[];
      /**
       * Clusters with this effect, by name.
       */
      rerouted: ClusterName[];
      /**
       * Clusters with this effect, by name.
       */
      opens: ClusterName[];
    };
  }[];
  /**
   * In a fixed order: what is shared, the fleet, clusters by name, links by name.
   */
  changes: Change[];
  /**
   * What to do by hand, in order; equal steps are one. The last step proves the others.
   *
   * Items: One step.
   */
  steps: {
    when: When;
    /**
     * What to do.
     */
    what: string;
    /**
     * What to do it to; empty when the commands name everything.
     */
    on: string[];
    /**
     * Commands that wait for what the step waits for, or do it, with the contexts of clusters.
     */
    commands: string[];
    /**
     * Names of the steps in it, for example `delete-tenant-namespaces`, which stay when the sentence gets other words.
     */
    kinds: string[];
  }[];
  /**
   * Clusters that are installed again, in batches that can follow each other.
   */
  batches: ClusterName[][];
  /**
   * Views that a rebuild of their cluster would not choose again.
   *
   * Items: One view.
   */
  history: {
    /**
     * Whose view it is.
     */
    cluster: ClusterName;
    /**
     * What it sees.
     */
    peer: ClusterName;
    /**
     * The network of the peer.
     */
    cidr: Network;
    /**
     * What the cluster sees it as.
     */
    seenAs: Network;
  }[];
  /**
   * What the topology accepts after the change.
   */
  acceptances: {
    /**
     * Accepted warnings.
     */
    warnings: number;
    /**
     * Accepted notes.
     */
    notes: number;
    /**
     * The entries that the change adds.
     *
     * Items: One entry of `accept`.
     */
    added: {
      /**
       * What it accepts.
       */
      code: string;
      /**
       * One cluster, the two ends of a link, or none for the whole fleet.
       */
      clusters: ClusterName[];
      /**
       * Why.
       */
      reason: string;
      /**
       * How many warnings or notes it accepts now.
       */
      count: number;
    }[];
  };
  /**
   * Whether the changes contain those of `assertions`. unreadable: the base has bundles, and no topology that says what it demanded. left-out: the base is not a topology.
   */
  assertions: 'compared' | 'unreadable' | 'left-out';
  /**
   * The files below the folder of the bundles that differ, by path.
   *
   * Items: One file.
   */
  files: {
    /**
     * Below the folder of the bundles.
     */
    path: string;
    action: Action;
    /**
     * The ids of the changes that reach into it.
     */
    explainedBy: string[];
  }[];
  /**
   * Whether the lock differs.
   */
  lockChanges: boolean;
}
/**
 * Size of a fleet.
 */
export interface Size {
  /**
   * Clusters that are not retired.
   */
  clusters: number;
  /**
   * Links.
   */
  links: number;
}
/**
 * Traffic in both directions.
 */
export interface Flows {
  effect: Effect;
  /**
   * One end.
   */
  between: ClusterName;
  /**
   * The clusters at the other end.
   */
  and: ClusterName[];
}
/**
 * A link, as the bundles have it.
 */
export interface Link {
  /**
   * Names of both ends as one text.
   */
  pair: string;
  /**
   * Both ends, by name.
   */
  ends: ClusterName[];
  kind: LinkKind;
  /**
   * The end that listens.
   */
  server: ClusterName;
  /**
   * The end that dials.
   */
  client: ClusterName;
  /**
   * What the client dials: an address or a DNS name.
   */
  address: string;
  /**
   * The UDP port that the client dials.
   */
  port: Port;
  /**
   * Its place in the order of joining; null where no order matters.
   */
  join: number | null;
  /**
   * How the server is offered; null when no file shows it.
   */
  service: Service | null;
  mtu: Mtu;
  /**
   * Both ends.
   *
   * Items: What one end holds about the other.
   */
  sides: {
    cluster: ClusterName;
    peer: ClusterName;
    /**
     * The template that its gateway is made from; null when no file shows it.
     */
    template: string | null;
    /**
     * The public key of the other gateway, base64; null for none.
     */
    keyOfPeer: string | null;
    /**
     * Whether the views depend on the order of joining.
     */
    orderDependent: boolean;
    /**
     * How it sees the networks of the other.
     */
    views: View[];
  }[];
}
/**
 * The Service of a gateway that listens.
 */
export interface Service {
  /**
   * Type of the Service.
   */
  type: string;
  /**
   * Its port; empty when no file has it.
   */
  port: string;
  /**
   * Its node port; null where Kubernetes chooses it.
   */
  nodePort: string | null;
  /**
   * The address that is requested; null for none.
   */
  loadBalancerIP: string | null;
  /**
   * The class of the load balancer; null for the default.
   */
  loadBalancerClass: string | null;
  /**
   * Cluster or Local.
   */
  externalTrafficPolicy: string;
  /**
   * Whether a load balancer gets node ports.
   */
  allocatesNodePorts: boolean;
  /**
   * `key=value`, sorted.
   */
  annotations: string[];
}
/**
 * Ports of a server.
 */
export interface Ports {
  /**
   * What the client dials.
   */
  dialled: Port;
  /**
   * Of its Service; empty when no file has it.
   */
  service: string;
  /**
   * The node port; null for none.
   */
  node: string | null;
}
/**
 * A namespace that Liqo made in a provider, which goes with everything in it.
 */
export interface DeletedNamespace {
  /**
   * The consumer.
   */
  cluster: ClusterName;
  /**
   * The namespace of the consumer.
   */
  namespace: string;
  provider: ClusterName;
  /**
   * Name of the namespace in the provider.
   */
  name: string;
}
/**
 * Names of the objects in one cluster for one peer; null for those that liqoctl gives.
 */
export interface ObjectNames {
  /**
   * The tenant namespace.
   */
  namespace: string | null;
  /**
   * The Configuration.
   */
  configuration: string | null;
  /**
   * The gateway.
   */
  gateway: string | null;
  /**
   * The PublicKey; null also where there is none.
   */
  publicKey: string | null;
  /**
   * The Secret with the keys; null for the usual one.
   */
  secret: string | null;
}
/**
 * A peer in the order of joining.
 */
export interface OrderEntry {
  peer: ClusterName;
  /**
   * The number for which the link waits; null when it does not wait.
   */
  turn: number | null;
}
/**
 * Where a consumer finds the API server of a provider.
 */
export interface Endpoint {
  /**
   * Its URL.
   */
  apiServer: string;
  /**
   * The authorities that it trusts there, base64; null for those of its system.
   */
  ca: string | null;
  /**
   * The proxy on the way; null for none.
   */
  proxyURL: string | null;
}
/**
 * A slice.
 */
export interface Slice {
  consumer: ClusterName;
  provider: ClusterName;
  /**
   * Its name.
   */
  slice: string;
}
/**
 * Values by the path of their field.
 */
export interface Fields {
  [k: string]: string;
}
/**
 * How Liqo calls a namespace in providers.
 */
export interface RemoteName {
  /**
   * The rule.
   */
  mapping: string;
  /**
   * The name that follows from it.
   */
  name: string;
}
/**
 * An entry of `assertions`.
 */
export interface Demand {
  /**
   * Who sends: a cluster, labels as KEY=VALUE, or * for every cluster.
   */
  from: string;
  /**
   * Who receives: the same, or a Service as NAMESPACE/NAME, with ` of CLUSTER` where the entry names it.
   */
  to: string;
  /**
   * Whether packets must arrive, or must not.
   */
  expect: 'reachable' | 'unreachable';
  /**
   * The path; null for any.
   */
  via: 'shortcut' | 'hub' | null;
  /**
   * The reason why it must be unreachable: fences or policies refuse it, or there is no path; null for any.
   */
  by: 'fence' | 'policy' | 'no-path' | null;
  /**
   * The connections that it is about: namespaces and a port; null for any.
   */
  flow: string | null;
  /**
   * The part that may fail; null for none.
   */
  without: string | null;
  /**
   * The assertion in words.
   */
  text: string;
}
/**
 * What `weft whatif -o json` prints: what each part of a fleet would cut if it failed alone; with --without what follows when some parts fail at the same time.
 */
export interface WhatIfDocument {
  schemaVersion: SchemaVersion;
  /**
   * False when there is no answer. What a failure cuts does not matter.
   */
  ok: boolean;
  summary: Summary;
  diagnostics: Diagnostics;
  /**
   * Number of ordered pairs of clusters that reach each other when nothing fails. Absent with --without.
   */
  pairs?: number;
  /**
   * Every part that can fail, those that cut most first. Absent with --without.
   */
  failures?: SingleFailure[];
  /**
   * The answer with --without.
   */
  whatIf?: Consequences;
  failure?: Failure;
}
/**
 * What follows when one part fails, in numbers.
 */
export interface SingleFailure {
  /**
   * The part that fails.
   */
  without: Part;
  /**
   * Number of ordered pairs that do not reach each other any more. A cluster that fails is in no pair.
   */
  cut: number;
  /**
   * Number of ordered pairs that reach each other on another way, at another address.
   */
  around: number;
  /**
   * Clusters that neither reach another one any more nor are reached, by name.
   */
  isolated: string[];
  /**
   * Assertions that do not hold any more.
   */
  broken: Assertion[];
  /**
   * Number of endpoints of Services that are lost: pairs of a cluster that uses Services of a namespace and a cluster with their pods.
   */
  endpoints: number;
  /**
   * The namespaces of these Services.
   *
   * Items: An offloaded namespace.
   */
  namespaces: {
    /**
     * The cluster that offloads it.
     */
    cluster: string;
    /**
     * Its name there.
     */
    namespace: string;
  }[];
}
/**
 * A part of a fleet that can fail.
 */
export interface Part {
  /**
   * A link fails with a gateway pod at one of its ends. A gateway is an address of a cluster that clients of several links dial. A cluster takes all its links with it.
   */
  kind: 'link' | 'gateway' | 'cluster';
  /**
   * As `--without` takes it: rome/europe, europe/203.0.113.10, europe.
   */
  name: string;
}
/**
 * The place of an assertion.
 */
export interface Assertion {
  /**
   * The topology, or a file that it includes.
   */
  file: string;
  line: Line;
  column: Column;
}
/**
 * What follows when some parts fail at the same time.
 */
export interface Consequences {
  /**
   * The parts that fail.
   */
  without: Part[];
  /**
   * The ordered pairs that do not reach each other any more, by `from`, then by `to`.
   *
   * Items: An ordered pair of clusters.
   */
  cut: {
    /**
     * The cluster that sends.
     */
    from: string;
    /**
     * The cluster that receives.
     */
    to: string;
  }[];
  /**
   * The ordered pairs that reach each other on another way, by `from`, then by `to`.
   *
   * Items: An ordered pair that still reaches each other.
   */
  around: {
    /**
     * The cluster that sends.
     */
    from: string;
    /**
     * The cluster that receives.
     */
    to: string;
    /**
     * The way with all parts.
     */
    before: Way;
    /**
     * The way without them.
     */
    after: Way;
    /**
     * The protocols and ports that a closed boundary lets in on that way, in words; without one, and where it lets in the same as before, null.
     */
    letIn: string[] | null;
  }[];
  /**
   * Clusters that neither reach another one any more nor are reached, by name.
   */
  isolated: string[];
  /**
   * Assertions that do not hold any more.
   *
   * Items: An assertion that does not hold any more.
   */
  broken: {
    /**
     * The topology, or a file that it includes.
     */
    file: string;
    line: Line;
    column: Column;
    /**
     * The sender of the first pair that breaks it.
     */
    from: string;
    /**
     * The receiver, or the cluster of the pods of a Service.
     */
    to: string;
    /**
     * Number of other pairs that break it.
     */
    others: number;
  }[];
  /**
   * Endpoints of Services that are lost, by namespace.
   *
   * Items: The pods of a namespace's Services in one cluster, which another cluster does not reach any more.
   */
  endpoints: {
    /**
     * The cluster that offloads the namespace.
     */
    cluster: string;
    /**
     * The name of the namespace there.
     */
    namespace: string;
    /**
     * The cluster that uses the Services.
     */
    from: string;
    /**
     * The cluster with the pods.
     */
    to: string;
  }[];
}
/**
 * How one cluster reaches another.
 */
export interface Way {
  /**
   * The cluster that forwards; null for a link of the two.
   */
  hub: string | null;
  /**
   * What the sender dials for the pod that represents the receiver.
   */
  address: TracedAddress | null;
}
/**
 * What `weft verify -o json` prints: whether the emitted files do what the topology requires.
 */
export interface VerifyDocument {
  schemaVersion: SchemaVersion;
  /**
   * True when every promise is kept.
   */
  ok: boolean;
  summary: Summary;
  /**
   * Broken promises, with their files and lines.
   */
  diagnostics: Diagnostics;
  /**
   * What was checked. Absent when there is no answer.
   */
  verified?: {
    /**
     * Folder of the bundles.
     */
    out: string;
    /**
     * Number of files that were read.
     */
    files: number;
    /**
     * Number of clusters.
     */
    clusters: number;
    /**
     * Number of links.
     */
    links: number;
    /**
     * Gateways without a public key, by cluster and peer: their links carry nothing, although every file is as it must be.
     */
    keyless: Gateway[];
  };
  failure?: Failure;
}

// The types of the package `liqo-weft`, shipped as they are. The build replaces the path of the documents.
import type {
  PlanDocument,
  PortsDocument,
  TraceDocument,
  ValidateDocument,
  VerifyDocument,
  ViewDocument,
  WhatIfDocument,
  WhoisDocument,
} from '../../base/generated/documents.js';

export type {
  Diagnostic,
  PlanDocument,
  PortsDocument,
  TraceDocument,
  ValidateDocument,
  VerifyDocument,
  ViewDocument,
  WhatIfDocument,
  WhoisDocument,
} from '../../base/generated/documents.js';

/** The text of a file, alone or with the path that diagnostics name. */
export type Text = string | { readonly path: string; readonly text: string };

/** The files that determine a fleet, as `weft compile` finds them beside each other. */
export interface Sources {
  readonly topology: Text;
  /** The files of `include`, by their paths from the folder of the topology: `regions/eu.yaml`. */
  readonly included?: Readonly<Record<string, string>> | undefined;
  /** `topology.keys.yaml`. */
  readonly keys?: Text | undefined;
  /** `topology.identities.yaml`. */
  readonly identities?: Text | undefined;
  /** `topology.lock.yaml`: the decisions of earlier compiles. */
  readonly lock?: Text | undefined;
}

/** A compiled fleet, for the other functions. */
export interface Fleet {
  readonly name: string;
  /** The names of its clusters. */
  readonly clusters: readonly string[];
  /** The bundles: the text of each file by its path below `out/`. */
  readonly files: ReadonlyMap<string, string>;
  /** The next text of `topology.lock.yaml`. */
  readonly lock: string;
}

/** The document of `weft validate -o json`, and the fleet of a topology without errors. */
export type Compilation = ValidateDocument &
  ({ readonly ok: true; readonly fleet: Fleet } | { readonly ok: false; readonly fleet: null });

/** Compiles a topology. A mistake in a file is a diagnostic with a place, never an exception. */
export declare function compile(sources: Sources): Compilation;

/** A packet. Each end is a cluster or `cluster/address`; `to` may be an address as `from` sees it. `:port` may follow, or `:53/udp`. */
export interface Packet {
  readonly from: string;
  readonly to: string;
  /** The sender is a node, or a pod in the network of its node. */
  readonly fromNode?: boolean | undefined;
  /** The namespaces of the pods, whose policies limit them. */
  readonly fromNamespace?: string | undefined;
  readonly toNamespace?: string | undefined;
  /** A cluster with links to both ends that the packet passes. */
  readonly through?: string | undefined;
}

/** The path of a packet and of its answer, as `weft trace FROM TO`. */
export declare function trace(fleet: Fleet, packet: Packet): TraceDocument;

/** The fate of a packet from each cluster to each other one, as `weft trace --all`. */
export declare function traceAll(fleet: Fleet): TraceDocument;

/** The network from the point of view of a cluster, as `weft view CLUSTER`; with a peer, their views of each other. */
export declare function view(fleet: Fleet, cluster: string, peer?: string): ViewDocument;

/** The owners of an address, as `weft whois ADDRESS`; with a cluster, from its point of view. */
export declare function whois(fleet: Fleet, address: string, cluster?: string): WhoisDocument;

/** The traffic that firewalls must allow, as `weft ports`: of the fleet, of a cluster, or between two. */
export declare function ports(fleet: Fleet, cluster?: string, peer?: string): PortsDocument;

/** The changes from one fleet to another and the flows that they break, as `weft plan`; `null` for no fleet. */
export declare function plan(before: Fleet | null, after: Fleet): PlanDocument;

/**
 * The consequences when parts fail at the same time, as `weft whatif --without PART`: clusters, gateways and links by
 * their names; without parts, those of each part that can fail alone.
 */
export declare function whatIf(fleet: Fleet, ...without: readonly string[]): WhatIfDocument;

/** Files to prove, as they are below `out/`. */
export interface Bundles {
  readonly files: ReadonlyMap<string, string>;
  readonly lock?: Text | undefined;
}

/** Reads files back independently and proves their promises, as `weft verify`. */
export declare function verify(fleet: Fleet, bundles: Bundles): VerifyDocument;

/** A picture of the fleet, as `weft graph`. */
export declare function graph(fleet: Fleet, format?: 'mermaid' | 'dot' | 'svg'): Promise<string>;

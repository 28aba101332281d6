import type { LinkKind } from '../model/network-model.ts';
import type { CidrRole, LinkState, ServiceState, ViewState } from './network-state.ts';

/** What differs between two networks. A closed set: whoever adds a kind decides what it breaks and which files it explains. */
export type Difference =
  | { readonly kind: 'cluster-added'; readonly cluster: string }
  | { readonly kind: 'cluster-removed'; readonly cluster: string; readonly wasRetired: boolean }
  /** Same own CIDRs and the same links under another name. */
  | {
      readonly kind: 'cluster-renamed';
      readonly cluster: string;
      readonly from: string;
      readonly peers: readonly string[];
    }
  | { readonly kind: 'cluster-retired'; readonly cluster: string }
  | { readonly kind: 'cluster-returned'; readonly cluster: string }
  | { readonly kind: 'link-added'; readonly link: LinkState }
  | { readonly kind: 'link-removed'; readonly link: LinkState }
  | (OfLink & { readonly kind: 'link-kind-changed'; readonly from: LinkKind; readonly to: LinkKind })
  /** The server end, with all that hangs on it: address, port, Service, templates. */
  | (OfLink & { readonly kind: 'role-changed'; readonly from: string; readonly to: string; readonly link: LinkState })
  | (OfLink & { readonly kind: 'port-changed'; readonly server: string; readonly from: Ports; readonly to: Ports })
  /** What the client dials. */
  | (OfLink & { readonly kind: 'address-changed'; readonly client: string; readonly from: string; readonly to: string })
  /** How the server is offered: type, load balancer, annotations. */
  | (OfLink & {
      readonly kind: 'service-changed';
      readonly server: string;
      readonly from: ServiceState;
      readonly to: ServiceState;
    })
  | (OfLink & { readonly kind: 'mtu-changed'; readonly from: number; readonly to: number })
  /** The template that one end's gateway is made from. */
  | (OfSide & { readonly kind: 'template-changed'; readonly from: string; readonly to: string })
  /** What a template of ours says, for all gateways of the cluster made from it. */
  | {
      readonly kind: 'template-edited';
      readonly cluster: string;
      readonly paths: readonly string[];
      readonly action: 'add' | 'change' | 'remove';
    }
  | (OfSide & {
      readonly kind: 'view-moved';
      readonly cidr: 'pod' | 'external';
      readonly index: number;
      readonly from: string;
      readonly to: string;
    })
  /** The networks that the cluster is told to be the peer's. */
  | (OfSide & {
      readonly kind: 'announced-changed';
      readonly cidr: 'pod' | 'external';
      readonly from: readonly ViewState[];
      readonly to: readonly ViewState[];
    })
  /** Whether a rebuild of the cluster would give this view again. */
  | (OfSide & {
      readonly kind: 'history-changed';
      readonly cidr: 'pod' | 'external';
      readonly index: number;
      readonly seenAs: string;
      readonly to: boolean;
    })
  | {
      readonly kind: 'block-carved' | 'block-returned';
      readonly cluster: string;
      readonly block: 'external' | 'internal';
      readonly cidr: string;
    }
  | {
      readonly kind: 'own-cidr-changed';
      readonly cluster: string;
      readonly role: CidrRole;
      readonly from: readonly string[];
      readonly to: readonly string[];
    }
  /** The cluster whose gateway it is, and the peer that reads it. */
  | (OfSide & { readonly kind: 'key-added'; readonly to: string })
  | (OfSide & { readonly kind: 'key-changed'; readonly from: string; readonly to: string })
  | (OfSide & { readonly kind: 'key-removed'; readonly from: string })
  | {
      readonly kind: 'reservation-changed';
      readonly cluster: string;
      readonly added: readonly string[];
      readonly removed: readonly string[];
    }
  | { readonly kind: 'release-changed'; readonly cluster: string; readonly from: string; readonly to: string }
  /** Peers in the order in which their Configurations are applied. */
  | {
      readonly kind: 'order-changed';
      readonly cluster: string;
      readonly from: readonly OrderEntry[];
      readonly to: readonly OrderEntry[];
    }
  /** Something that is said once, for a cluster or for the fleet (`null`). */
  | {
      readonly kind: 'setting-changed';
      readonly cluster: string | null;
      readonly setting: string;
      readonly from: string;
      readonly to: string;
    }
  | {
      readonly kind: 'gitops-changed';
      readonly tool: 'Argo CD' | 'Flux';
      readonly action: 'add' | 'change' | 'remove';
      readonly paths: readonly string[];
    }
  /** Only the lock: nothing that is applied. */
  | { readonly kind: 'lock-changed'; readonly added: number; readonly removed: number }
  /** What nothing above explains: an edit by hand, another version of weft, a setting that only the topology knows. */
  | { readonly kind: 'files-changed'; readonly cluster: string | null; readonly paths: readonly string[] };

export type DifferenceKind = Difference['kind'];

export interface Ports {
  /** What the client dials. */
  readonly dialled: number;
  /** Of the server's Service; empty when nothing says it. */
  readonly service: string;
  readonly node: string | null;
}

interface OfLink {
  readonly ends: readonly [string, string];
}

/** One end of a link: the cluster that holds it, and the other. */
interface OfSide {
  readonly cluster: string;
  readonly peer: string;
}

export interface OrderEntry {
  readonly peer: string;
  /** The join number when this link waits for its turn; else `null`. */
  readonly turn: number | null;
}

/** A difference with what it means. */
export type Change = Difference & Meaning;

export interface Meaning {
  /** Stands for this change in file rows and in JSON: `port-changed europe/rome`. */
  readonly id: string;
  readonly action: Action;
  /** True when live flows break, or when somebody has to act so that they do not. */
  readonly disruptive: boolean;
  /** Why it breaks something, or why it does not. A clause that needs no names. */
  readonly why: string;
  readonly steps: readonly PlanStep[];
  /** Clusters that it is about, in order of name. */
  readonly clusters: readonly string[];
  /** Whose traffic notices. */
  readonly flows: readonly Flows[];
}

export type Action = 'add' | 'change' | 'remove';

export interface PlanStep {
  readonly when: 'before' | 'together' | 'after';
  readonly what: string;
  /** What to do it to. */
  readonly on: string;
}

/** Traffic between one cluster and some others, in both directions. */
export interface Flows {
  readonly effect: FlowEffect;
  readonly between: string;
  readonly and: readonly string[];
}

/**
 * `stops`: there is no way any more. `interrupted`: the way is gone for a while. `readdressed`: one end has to use other
 * addresses, or sees another source. `rerouted`: another way, and another source. `opens`: a way where there was none.
 */
export type FlowEffect = 'stops' | 'interrupted' | 'readdressed' | 'rerouted' | 'opens';

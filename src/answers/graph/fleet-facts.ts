import type { LinkKind } from '../../fleet/model/network-model.ts';

/** What a picture of a fleet can show, before anything is folded or left out. */
export interface FleetFacts {
  /** By name, in order of name. */
  readonly clusters: readonly ClusterFacts[];
  /** Every end is one of the clusters. */
  readonly links: readonly LinkFacts[];
}

export interface ClusterFacts {
  readonly name: string;
  /** Version of Liqo; `null` where it is unknown. */
  readonly release: string | null;
  readonly podCIDRs: readonly string[];
  /** Value of the label that clusters are grouped by; `null` without it. */
  readonly group: string | null;
  /** What a plan does with it; `null` for nothing. */
  readonly mark: Mark | null;
  /** Its name before, where a plan renames it. */
  readonly formerName: string | null;
  /** Whether a plan breaks live flows of the whole cluster. */
  readonly breaks: boolean;
}

export interface LinkFacts {
  readonly kind: LinkKind;
  /** The end that is the hub of the other one; `null` for a peering and a shortcut. */
  readonly hub: string | null;
  readonly server: string;
  /** The end that dials. */
  readonly client: string;
  /** CIDRs that an end sees as another network; empty where every address is the same at both ends. */
  readonly remaps: readonly Remap[];
  readonly mark: Mark | null;
  readonly breaks: boolean;
}

export type Mark = 'added' | 'changed' | 'removed';

/** A CIDR of one end of a link that the other end sees as another network. */
export interface Remap {
  readonly of: string;
  /** The cluster that sees it so. */
  readonly seenIn: string;
  readonly kind: 'pod' | 'external';
  readonly cidr: string;
  readonly seenAs: string;
  /** Where a plan moves it: how it was seen before. */
  readonly was: string | null;
}

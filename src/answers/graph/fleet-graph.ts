import type { LinkFacts, Mark } from './fleet-facts.ts';

/** The content of a picture: every printer draws all nodes, edges and groups, and only decides their form. */
export interface FleetGraph {
  readonly title: string;
  /** A summary of the picture: the numbers of clusters and links, and the releases. */
  readonly summary: string;
  /** The groups in order; a node without a group is outside all of them. */
  readonly groups: readonly string[];
  /** The nodes; each is in one group or in none. */
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export type GraphNode = ClusterNode | CrowdNode;

interface AnyNode {
  /** Unique among the nodes and cards of a graph; printers convert it to an id of their language. */
  readonly id: string;
  readonly group: string | null;
  readonly title: string;
  /** The lines below the title. */
  readonly lines: readonly string[];
  /** True when a CIDR is remapped at a link that has no separate edge. */
  readonly isRemapped: boolean;
  readonly mark: Mark | null;
}

export interface ClusterNode extends AnyNode {
  readonly kind: 'cluster';
  readonly isHub: boolean;
}

/** Clusters that are drawn as one node, because they have the same neighbours, or because there is no room for each. */
export interface CrowdNode extends AnyNode {
  readonly kind: 'crowd';
  readonly isHub: boolean;
  /** A card for each cluster; empty when there are too many. */
  readonly cards: readonly ClusterNode[];
}

export interface GraphEdge {
  /** The id of the node that dials. */
  readonly from: string;
  /** The id of the node that is dialled. */
  readonly to: string;
  /** True when both ends of a folded edge dial. */
  readonly isMutual: boolean;
  readonly kind: LinkFacts['kind'];
  /** The id of the end that is a hub of the other one; `null` for none. */
  readonly hub: string | null;
  readonly lines: readonly string[];
  readonly isRemapped: boolean;
  readonly mark: Mark | null;
}

/** Counts the boxes of a picture: nodes, and for crowds with cards their cards. */
export const countBoxes = ({ nodes }: Pick<FleetGraph, 'nodes'>): number =>
  nodes.reduce((sum, it) => sum + (it.kind === 'crowd' && it.cards.length > 0 ? it.cards.length : 1), 0);

/** Splits cards into columns of about equal length; the cards fill the first column, then the next one. */
export function columnsOf<T>(cards: readonly T[], most: number): readonly (readonly T[])[] {
  const rows = Math.max(1, Math.ceil(cards.length / most));
  return Array.from({ length: Math.ceil(cards.length / rows) }, (_, i) => cards.slice(i * rows, (i + 1) * rows));
}

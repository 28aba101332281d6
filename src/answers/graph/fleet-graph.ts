import type { LinkFacts, Mark } from './fleet-facts.ts';

/** What is drawn, in any form: every printer draws each node, edge and group, and decides nothing but how. */
export interface FleetGraph {
  readonly title: string;
  /** What the whole picture is about: how many clusters and links, which releases. */
  readonly summary: string;
  /** In order; a node without a group is outside of them. */
  readonly groups: readonly string[];
  /** Each node is in one group or in none. */
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export type GraphNode = ClusterNode | CrowdNode;

interface AnyNode {
  /** Different for each node and card of a graph, and never an id of a printed language by itself. */
  readonly id: string;
  readonly group: string | null;
  readonly title: string;
  /** Below the title. */
  readonly lines: readonly string[];
  /** Whether a CIDR is remapped at a link that has no edge of its own. */
  readonly isRemapped: boolean;
  readonly mark: Mark | null;
}

/** One cluster. */
export interface ClusterNode extends AnyNode {
  readonly kind: 'cluster';
  readonly isHub: boolean;
}

/** Clusters that are drawn as one, because they have the same neighbours, or because there is no room for each. */
export interface CrowdNode extends AnyNode {
  readonly kind: 'crowd';
  readonly isHub: boolean;
  /** A card for each cluster; empty where there are too many. */
  readonly cards: readonly ClusterNode[];
}

export interface GraphEdge {
  /** Id of the node that dials. */
  readonly from: string;
  /** Id of the node that is dialled. */
  readonly to: string;
  /** True where both ends of a folded edge dial. */
  readonly isMutual: boolean;
  readonly kind: LinkFacts['kind'];
  /** Id of the end that is a hub of the other one; `null` where none is. */
  readonly hub: string | null;
  readonly lines: readonly string[];
  readonly isRemapped: boolean;
  readonly mark: Mark | null;
}

/** The boxes of a picture that a reader looks at: nodes, and the cards of crowds instead of the crowds. */
export const countBoxes = ({ nodes }: Pick<FleetGraph, 'nodes'>): number =>
  nodes.reduce((sum, it) => sum + (it.kind === 'crowd' && it.cards.length > 0 ? it.cards.length : 1), 0);

/** The columns of a grid of cards, of about equal length; the cards go down the first one, then down the next. */
export function columnsOf<T>(cards: readonly T[], most: number): readonly (readonly T[])[] {
  const rows = Math.max(1, Math.ceil(cards.length / most));
  return Array.from({ length: Math.ceil(cards.length / rows) }, (_, i) => cards.slice(i * rows, (i + 1) * rows));
}

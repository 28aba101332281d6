import type { FleetGraph } from './fleet-graph.ts';

/** The boxes of a picture that a reader looks at: nodes, and the cards of crowds instead of the crowds. */
export const countBoxes = ({ nodes }: Pick<FleetGraph, 'nodes'>): number =>
  nodes.reduce((sum, it) => sum + (it.kind === 'crowd' && it.cards.length > 0 ? it.cards.length : 1), 0);

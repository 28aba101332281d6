import { printDot } from '../graph/dot/print-dot.ts';
import type { FleetGraph } from '../graph/fleet-graph.ts';
import { printMermaid } from '../graph/mermaid/print-mermaid.ts';
import type { Answer } from './answer.ts';

/** `weft graph`. */
export const graphAnswer: Answer<'graph', { readonly graph: FleetGraph }> = {
  mermaid: ({ graph }) => printMermaid(graph),
  dot: ({ graph }) => printDot(graph),
  // The layout is larger than the rest of weft, and only this form needs it.
  svg: async ({ graph }) => (await import('../graph/svg/print-svg.ts')).printSvg(graph),
};

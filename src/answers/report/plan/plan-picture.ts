import type { Plan } from '../../../plan/plan-changes.ts';
import { countBoxes } from '../../graph/count-boxes.ts';
import { factsOfPlan } from '../../graph/facts-of-plan.ts';
import { foldFleet } from '../../graph/fold-fleet.ts';
import { printMermaid } from '../../graph/mermaid/print-mermaid.ts';

/** What a reader of a pull request takes in at a glance. More is not drawn: the tables below it say it better. */
const MOST_BOXES = 20;
const MOST_EDGES = 40;

/** A picture of what a plan touches, in Markdown; none where it touches no cluster, or too much. */
export function planPicture(plan: Plan): readonly string[] {
  const graph = foldFleet(
    factsOfPlan(plan, () => null),
    { title: plan.fleet, most: MOST_BOXES },
  );
  const boxes = countBoxes(graph);
  if (boxes === 0 || boxes > MOST_BOXES || graph.edges.length > MOST_EDGES) return [];
  return [`\`\`\`mermaid\n${printMermaid(graph)}\`\`\``];
}

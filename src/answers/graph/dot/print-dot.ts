import { visibleText } from '../../../base/core/visible-text.ts';
import { type CrowdNode, columnsOf, type FleetGraph, type GraphEdge, type GraphNode } from '../fleet-graph.ts';

/** The largest number of columns of cards; more make the picture too wide for a page. */
const COLUMNS = 5;

/**
 * Prints a graph for Graphviz, for example for `dot -Tsvg`. Hubs are on the left: edges are written from the hub,
 * regardless of which end dials.
 */
export function printDot(graph: FleetGraph): string {
  const nodes: NodesById = new Map(graph.nodes.map((it) => [it.id, it]));
  const ofGroup = (group: string | null): readonly string[] =>
    graph.nodes.filter((it) => it.group === group).flatMap((it) => dotNode(it));
  const lines = [
    `graph [label=${quoted([graph.title, graph.summary])}, labelloc=t, rankdir=LR, compound=true, fontname="Helvetica"]`,
    'node [shape=box, style="rounded,filled", fillcolor="#f6f8fa", color="#8c959f", fontname="Helvetica"]',
    'edge [color="#57606a", fontname="Helvetica", fontsize=11]',
    ...graph.groups.flatMap((group, i) => subgraph(`group ${i + 1}`, [group], ofGroup(group))),
    ...ofGroup(null),
    ...graph.edges.map((it) => dotEdge(it, nodes)),
  ];
  return `digraph ${quoted([graph.title])} {\n${lines.map((it) => `  ${it}\n`).join('')}}\n`;
}

type NodesById = ReadonlyMap<string, GraphNode>;

/** A subgraph; one whose name begins with `cluster` gets a frame. Source: graphviz.org/docs/attrs/cluster. */
const subgraph = (id: string, label: readonly string[], lines: readonly string[]): readonly string[] => [
  `subgraph ${quoted([`cluster ${id}`])} {`,
  ...[`label=${quoted(label)}`, 'style="rounded"', 'color="#8c959f"', ...lines].map((it) => `  ${it}`),
  '}',
];

function dotNode(node: GraphNode): readonly string[] {
  if (node.kind === 'crowd' && node.cards.length > 0) {
    return subgraph(node.id, [node.title, ...node.lines], [...node.cards.flatMap(dotNode), ...rowEdges(node)]);
  }
  return [`${quoted([node.id])} [label=${quoted([node.title, ...node.lines])}${nodeStyle(node)}]`];
}

/** Arranges cards in columns: invisible edges put the cards of one row in order. */
function rowEdges({ cards }: CrowdNode): readonly string[] {
  const columns = columnsOf(cards, COLUMNS);
  return columns
    .slice(1)
    .flatMap((column, i) =>
      column.map((it, row) => `${quoted([columns[i]?.[row]?.id ?? it.id])} -> ${quoted([it.id])} [style=invis]`),
    );
}

function nodeStyle({ kind, isHub, mark }: GraphNode): string {
  const marks = {
    added: ', fillcolor="#dafbe1", color="#1a7f37", penwidth=3',
    changed: ', fillcolor="#fff8c5", color="#9a6700", penwidth=3',
    removed: ', fillcolor="#ffebe9", color="#cf222e", penwidth=3, style="rounded,filled,dashed"',
    off: ', fillcolor="#ffffff", fontcolor="#59636e", style="rounded,filled,dotted"',
  } as const;
  if (mark !== null) return marks[mark];
  if (isHub) return ', fillcolor="#0550ae", color="#033d8b", fontcolor="#ffffff"';
  return kind === 'crowd' ? ', fillcolor="#eaeef2", peripheries=2' : '';
}

/** An edge, written from the hub, with the arrow at the dialled end. */
function dotEdge({ from, to, hub, kind, isMutual, lines, mark, isRemapped }: GraphEdge, nodes: NodesById): string {
  const [tail, head] = hub === to ? [to, from] : [from, to];
  const direction = isMutual ? 'both' : tail === from ? 'forward' : 'back';
  const attributes = [
    `dir=${direction}`,
    ...(lines.length === 0 ? [] : [`label=${quoted(lines)}`]),
    ...(kind === 'hub' ? ['penwidth=2'] : kind === 'shortcut' ? ['style=dashed', 'constraint=false'] : []),
    ...(mark === null ? (isRemapped ? ['color="#bc4c00"'] : []) : [MARKED[mark]]),
    ...frameAttribute('ltail', tail, nodes),
    ...frameAttribute('lhead', head, nodes),
  ];
  return `${endOf(tail, nodes)} -> ${endOf(head, nodes)} [${attributes.join(', ')}]`;
}

const MARKED = {
  added: 'color="#1a7f37", penwidth=3',
  changed: 'color="#9a6700", penwidth=3',
  removed: 'color="#cf222e", penwidth=3, style=dashed',
  off: 'color="#8c959f", style=dotted',
} as const;

const cardsOf = (id: string, nodes: NodesById): readonly GraphNode[] => {
  const node = nodes.get(id);
  return node?.kind === 'crowd' ? node.cards : [];
};

/** The end of an edge. Graphviz has no edges to frames: one goes to the first card and is cut off at the frame. */
const endOf = (id: string, nodes: NodesById): string => quoted([cardsOf(id, nodes)[0]?.id ?? id]);

const frameAttribute = (attribute: string, id: string, nodes: NodesById): readonly string[] =>
  cardsOf(id, nodes).length === 0 ? [] : [`${attribute}=${quoted([`cluster ${id}`])}`];

/**
 * A string of Graphviz, in which backslashes and quotes are escaped.
 * Source: graphviz.org/docs/attr-types/escString.
 */
const quoted = (lines: readonly string[]): string =>
  `"${lines.map((it) => visibleText(it).replace(/["\\]/g, '\\$&')).join('\\n')}"`;

import { visibleText } from '../../../base/core/visible-text.ts';
import { bug } from '../../../base/diagnostics/outcome.ts';
import {
  type ClusterNode,
  type CrowdNode,
  columnsOf,
  type FleetGraph,
  type GraphEdge,
  type GraphNode,
} from '../fleet-graph.ts';

/**
 * The largest number of columns of cards. GitHub shows a picture about 900 pixels wide; with more columns it would
 * shrink until it is unreadable.
 */
const COLUMNS = 4;

/**
 * Prints a flowchart that GitHub, GitLab and Gitea draw in Markdown. It is directed to the left, so that hubs, which
 * their spokes dial, are on the left.
 */
export function printMermaid(graph: FleetGraph): string {
  const ids = new Map(graph.nodes.flatMap(idsOf).map((id, i) => [id, `n${i + 1}`]));
  const idOf = (id: string): string => ids.get(id) ?? bug(`"${id}" is not in the graph`);
  const inGroup = (group: string | null): readonly string[] =>
    graph.nodes.filter((it) => it.group === group).flatMap((it) => mermaidNode(it, idOf));
  const links = graph.nodes.flatMap((it) => (it.kind === 'crowd' ? chainsOf(it, idOf) : []));
  const lines = [
    `accTitle: ${mermaidText(graph.title)}`,
    `accDescr: ${mermaidText(graph.summary)}`,
    ...graph.groups.flatMap((group, i) => [
      `subgraph g${i + 1}[${mermaidLabel(group, [])}]`,
      ...inGroup(group).map(indented),
      'end',
    ]),
    ...inGroup(null),
    ...links,
    ...graph.edges.map((it) => mermaidEdge(it, idOf)),
    ...classLines(graph, idOf),
    ...edgeStyles(graph.edges, links.length),
  ];
  return `${['flowchart RL', ...lines.map(indented)].join('\n')}\n`;
}

const indented = (line: string): string => `  ${line}`;

const idsOf = (node: GraphNode): readonly string[] =>
  node.kind === 'cluster' ? [node.id] : [node.id, ...node.cards.map((it) => it.id)];

type IdOf = (id: string) => string;

function mermaidNode(node: GraphNode, idOf: IdOf): readonly string[] {
  const label = mermaidLabel(node.title, node.lines);
  const id = idOf(node.id);
  if (node.kind === 'cluster') return [node.isHub ? `${id}([${label}])` : `${id}[${label}]`];
  if (node.cards.length === 0) return [`${id}[[${label}]]`];
  // A frame has room for one line above the cards.
  const title = mermaidLabel([node.title, ...node.lines].join(', '), []);
  return [
    `subgraph ${id}[${title}]`,
    '  direction TB',
    ...node.cards.flatMap((it) => mermaidNode(it, idOf)).map(indented),
    'end',
  ];
}

/** Invisible edges between the cards of a column, because Mermaid has no other way to form a grid. */
const chainsOf = ({ cards }: CrowdNode, idOf: IdOf): readonly string[] =>
  columnsOf(cards, COLUMNS).flatMap((column) =>
    column.slice(1).map((it, i) => `${idOf(column[i]?.id ?? it.id)} ~~~ ${idOf(it.id)}`),
  );

function mermaidEdge({ from, to, kind, isMutual, lines }: GraphEdge, idOf: IdOf): string {
  const line = kind === 'shortcut' ? (isMutual ? '<-.->' : '-.->') : isMutual ? '<-->' : '-->';
  const label = lines.length === 0 ? '' : `|"${lines.map(mermaidText).join('<br>')}"|`;
  return `${idOf(from)} ${line}${label} ${idOf(to)}`;
}

/**
 * The styles of nodes. Each sets its own text and fill colours, so that it is readable on a dark page. The name
 * `cluster` is used by Mermaid itself.
 */
const CLASSES = {
  hub: 'fill:#0550ae,stroke:#033d8b,color:#ffffff',
  alone: 'fill:#f6f8fa,stroke:#8c959f,color:#1f2328',
  crowd: 'fill:#eaeef2,stroke:#8c959f,color:#1f2328',
  added: 'fill:#dafbe1,stroke:#1a7f37,color:#1f2328,stroke-width:3px',
  changed: 'fill:#fff8c5,stroke:#9a6700,color:#1f2328,stroke-width:3px',
  removed: 'fill:#ffebe9,stroke:#cf222e,color:#1f2328,stroke-width:3px,stroke-dasharray:6 4',
  off: 'fill:#ffffff,stroke:#8c959f,color:#59636e,stroke-dasharray:2 4',
} as const;

const GROUP = 'fill:none,stroke:#8c959f';

type ClassName = keyof typeof CLASSES;

function classLines({ nodes, groups }: FleetGraph, idOf: IdOf): readonly string[] {
  const all = nodes.flatMap((it): readonly GraphNode[] => (it.kind === 'crowd' ? [it, ...it.cards] : [it]));
  const names: readonly ClassName[] = ['hub', 'alone', 'crowd', 'added', 'changed', 'removed', 'off'];
  const ofNodes = names.flatMap((name) => {
    const ids = all.filter((it) => nodeClass(it) === name).map((it) => idOf(it.id));
    return ids.length === 0 ? [] : [`classDef ${name} ${CLASSES[name]}`, `class ${ids.join(',')} ${name}`];
  });
  const frames = groups.map((_, i) => `g${i + 1}`);
  return frames.length === 0 ? ofNodes : [...ofNodes, `classDef group ${GROUP}`, `class ${frames.join(',')} group`];
}

const nodeClass = ({ kind, isHub, mark }: ClusterNode | CrowdNode): ClassName =>
  mark ?? (isHub ? 'hub' : kind === 'crowd' ? 'crowd' : 'alone');

/** The styles of edges, readable on white and on black. The labels contain the same information. */
const STROKES = {
  added: 'stroke:#2da44e,stroke-width:3px',
  changed: 'stroke:#bf8700,stroke-width:3px',
  removed: 'stroke:#e5534b,stroke-width:3px,stroke-dasharray:6 4',
  off: 'stroke:#8c959f,stroke-width:1px,stroke-dasharray:2 4',
  remapped: 'stroke:#db6d28,stroke-width:2px',
} as const;

/** @param before the number of edges before these in the text, because Mermaid counts them */
function edgeStyles(edges: readonly GraphEdge[], before: number): readonly string[] {
  const names = ['added', 'changed', 'removed', 'off', 'remapped'] as const;
  return names.flatMap((name) => {
    const numbers = edges.flatMap((it, i) => (styleOf(it) === name ? [before + i] : []));
    return numbers.length === 0 ? [] : [`linkStyle ${numbers.join(',')} ${STROKES[name]}`];
  });
}

const styleOf = ({ mark, isRemapped }: GraphEdge): keyof typeof STROKES | null =>
  mark ?? (isRemapped ? 'remapped' : null);

/**
 * A text in a quoted label of Mermaid, shown literally: every character that may have a meaning in Mermaid, in HTML or
 * for the runner of a workflow is replaced by its number.
 * Source: mermaid-js/mermaid docs/syntax/flowchart.md, "Entity codes to escape characters".
 */
export const mermaidText = (text: string): string =>
  visibleText(text).replace(/[^A-Za-z0-9 .,/()'+-]/gu, (it) => `#${it.codePointAt(0) ?? 0};`);

/** A label with its title in bold. */
export const mermaidLabel = (title: string, lines: readonly string[]): string =>
  `"${[`<b>${mermaidText(title)}</b>`, ...lines.map(mermaidText)].join('<br>')}"`;

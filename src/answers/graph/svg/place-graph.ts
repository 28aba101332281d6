import elk, { type ElkExtendedEdge, type ElkNode, type LayoutOptions } from 'elkjs/lib/elk.bundled.js';
import { largest } from '../../../base/core/collections.ts';
import { bug } from '../../../base/diagnostics/outcome.ts';
import type { ClusterNode, FleetGraph, GraphEdge, GraphNode } from '../fleet-graph.ts';
import { TEXT, textWidth } from './markup.ts';

/** A graph with the position of every element, in pixels from the upper left corner. */
export interface PlacedGraph extends Size {
  readonly nodes: readonly PlacedNode[];
  readonly groups: readonly PlacedGroup[];
  readonly edges: readonly PlacedEdge[];
}

export interface PlacedNode extends NodeBox, Rectangle {}

export interface PlacedGroup extends Rectangle {
  readonly title: string;
}

export interface PlacedEdge {
  readonly edge: GraphEdge;
  /** The points from the border of one node to that of the other, in the direction of the edge. */
  readonly points: readonly Point[];
  /** The place of its text; `null` without text. */
  readonly label: Rectangle | null;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The ratio of a slide's width to its height. */
const ASPECT = 16 / 9;

/** Places a graph in layers behind its hubs, from left to right or top to bottom, whichever fits better on a slide. */
export async function placeGraph(graph: FleetGraph): Promise<PlacedGraph> {
  const boxes = graph.nodes.map(boxOf);
  const wide = await placed(graph, boxes, 'RIGHT');
  const high = await placed(graph, boxes, 'DOWN');
  return misfit(wide) <= misfit(high) ? wide : high;
}

/** The deviation of a picture from the shape of a slide; 0 for that shape. */
const misfit = ({ width, height }: Size): number => Math.abs(Math.log(width / height / ASPECT));

/**
 * Layout in layers with right-angled edges, which pass through groups but do not cross unrelated boxes.
 * Source: eclipse.dev/elk/reference/algorithms/org-eclipse-elk-layered.html.
 */
const OPTIONS: LayoutOptions = {
  'elk.algorithm': 'layered',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.spacing.nodeNodeBetweenLayers': '50',
  'elk.layered.spacing.edgeNodeBetweenLayers': '20',
  'elk.spacing.nodeNode': '28',
  'elk.spacing.edgeNode': '18',
  'elk.spacing.edgeEdge': '12',
  // Coordinates are relative to the corner of the whole picture, also in groups.
  'elk.json.shapeCoords': 'ROOT',
  'elk.json.edgeCoords': 'ROOT',
};

const ON_THE_LINE: LayoutOptions = { 'elk.edgeLabels.inline': 'true' };

/** The space around the nodes of a group; its title is above them. */
const GROUP = '[top=36,left=16,bottom=16,right=16]';

async function placed(graph: FleetGraph, boxes: readonly NodeBox[], direction: 'RIGHT' | 'DOWN'): Promise<PlacedGraph> {
  const options = { ...OPTIONS, 'elk.direction': direction };
  const inGroup = (group: string | null): ElkNode[] =>
    boxes.filter((it) => it.node.group === group).map(({ node, width, height }) => ({ id: node.id, width, height }));
  const groups = graph.groups.map((title) => ({ id: groupId(title), title }));
  const root: ElkNode = await new elk.default().layout({
    id: 'graph',
    layoutOptions: options,
    children: [
      ...groups.map(({ id, title }) => ({
        id,
        layoutOptions: { ...options, 'elk.padding': GROUP },
        children: inGroup(title),
      })),
      ...inGroup(null),
    ],
    edges: graph.edges.map(elkEdge),
  });
  const found = new Map<string, Rectangle>();
  for (const it of [root, ...(root.children ?? [])].flatMap((it): ElkNode[] => it.children ?? [])) {
    found.set(it.id, rectangleOf(it));
  }
  const placeOf = (id: string): Rectangle => found.get(id) ?? bug(`the layout has no place for "${id}"`);
  return {
    ...rectangleOf(root),
    nodes: boxes.map((it) => ({ ...it, ...placeOf(it.node.id) })),
    groups: groups.map(({ id, title }) => ({ title, ...placeOf(id) })),
    edges: graph.edges.map((edge, i) => placedEdge(edge, root.edges?.[i])),
  };
}

/** The id of a group. It differs from all node ids, because a cluster name contains no space. */
const groupId = (title: string): string => `group ${title}`;

/** True when an edge is laid out against its direction: a hub is before its spokes, regardless of which end dials. */
const isReversed = ({ to, hub }: GraphEdge): boolean => hub === to;

function elkEdge(edge: GraphEdge, i: number): ElkExtendedEdge {
  const [source, target] = isReversed(edge) ? [edge.to, edge.from] : [edge.from, edge.to];
  const labels =
    edge.lines.length === 0
      ? []
      : [{ id: `label ${i}`, text: 'text', layoutOptions: ON_THE_LINE, ...sizeOfLabel(edge) }];
  return { id: `edge ${i}`, sources: [source], targets: [target], labels };
}

function placedEdge(edge: GraphEdge, { sections = [], labels = [] }: Partial<ElkExtendedEdge> = {}): PlacedEdge {
  const points = sections.flatMap((it) => [it.startPoint, ...(it.bendPoints ?? []), it.endPoint]);
  const [label] = labels;
  return {
    edge,
    points: isReversed(edge) ? points.reverse() : points,
    label: label === undefined ? null : rectangleOf(label),
  };
}

const rectangleOf = ({ x = 0, y = 0, width = 0, height = 0 }: Partial<Rectangle>): Rectangle => ({
  x,
  y,
  width,
  height,
});

/** A size in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Rectangle extends Size {
  /** The position of the upper left corner. */
  readonly x: number;
  readonly y: number;
}

/** A node with the size that its text needs. */
interface NodeBox extends Size {
  readonly node: GraphNode;
  /** The positions of its cards in the box; empty without cards. */
  readonly cards: readonly CardBox[];
}

interface CardBox extends Rectangle {
  readonly card: ClusterNode;
}

/** The space between the border of a box and its text. */
export const PADDING = { x: 14, y: 10 } as const;

/** The space between two cards, and between cards and the border around them. */
const GAP = 12;

/** The approximate ratio of a card grid's width to its height. */
const GRID_ASPECT = 1.6;

function boxOf(node: GraphNode): NodeBox {
  const own = sizeOfText(node.title, node.lines);
  if (node.kind === 'cluster' || node.cards.length === 0) return { node, cards: [], ...own };
  const cards = gridOf(node.cards, own.height - PADDING.y + GAP);
  const right = largest(cards.map((it) => it.x + it.width));
  const bottom = largest(cards.map((it) => it.y + it.height));
  return { node, cards, width: Math.max(own.width, right + GAP), height: bottom + GAP };
}

/** The size of the text at an edge; zero without text. */
const sizeOfLabel = ({ lines }: GraphEdge): Size =>
  lines.length === 0
    ? { width: 0, height: 0 }
    : { width: widestOf(lines) + 2 * LABEL_PADDING, height: lines.length * TEXT.lineHeight + LABEL_PADDING };

const LABEL_PADDING = 6;

const widestOf = (lines: readonly string[]): number =>
  largest(
    lines.map((it) => textWidth(it, 'line')),
    0,
  );

const sizeOfText = (title: string, lines: readonly string[]): Size => ({
  width: Math.max(textWidth(title, 'title'), widestOf(lines)) + 2 * PADDING.x,
  height: TEXT.titleHeight + lines.length * TEXT.lineHeight + 2 * PADDING.y,
});

/** Places cards of equal size row by row below the title of their box. */
function gridOf(cards: readonly ClusterNode[], top: number): readonly CardBox[] {
  const sizes = cards.map((it) => sizeOfText(it.title, it.lines));
  const width = largest(sizes.map((it) => it.width));
  const height = largest(sizes.map((it) => it.height));
  const columns = Math.ceil(Math.sqrt((cards.length * GRID_ASPECT * (height + GAP)) / (width + GAP)));
  return cards.map((card, i) => ({
    card,
    x: GAP + (i % columns) * (width + GAP),
    y: top + Math.floor(i / columns) * (height + GAP),
    width,
    height,
  }));
}

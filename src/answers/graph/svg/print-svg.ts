import type { FleetGraph, GraphEdge, GraphNode } from '../fleet-graph.ts';
import { element, MARKED, PICTURE_STYLE, pixels, svgText, TEXT, textWidth } from './markup.ts';
import {
  PADDING,
  type PlacedEdge,
  type PlacedGraph,
  type PlacedGroup,
  type PlacedNode,
  type Point,
  placeGraph,
  type Rectangle,
  type Size,
} from './place-graph.ts';

const MARGIN = 24;

/** The height of title and summary above the picture. */
const HEAD = 56;

/** The space between the picture and its legend. */
const GAP = 14;

/**
 * Prints a self-contained picture without scripts, fonts or other files. The bytes depend only on the graph.
 */
export const printSvg = async (graph: FleetGraph): Promise<string> => svgOf(graph, await placeGraph(graph));

/** A picture for a page that has the style sheet `PICTURE_STYLE`, title and summary itself. */
export interface Picture extends Size {
  /** The content of an SVG element of that size. */
  readonly markup: string;
  /** The boxes in the order in which they are drawn: nodes, each followed by its cards. */
  readonly boxes: readonly PictureBox[];
  /** Lines and colours with their meaning; a sign is 32 pixels wide and vertically centred on 0. */
  readonly legend: readonly Entry[];
}

interface PictureBox extends Rectangle {
  readonly id: string;
  readonly kind: GraphNode['kind'];
  readonly title: string;
  readonly lines: readonly string[];
}

export async function drawPicture(graph: FleetGraph): Promise<Picture> {
  const placed = await placeGraph(graph);
  const boxes = placed.nodes.flatMap(({ node, cards, ...place }) => [
    boxAt(node, place),
    ...cards.map(({ card, ...it }) => boxAt(card, { ...it, x: place.x + it.x, y: place.y + it.y })),
  ]);
  const { width, height } = placed;
  return { markup: shapesOf(placed).join('\n'), width, height, boxes, legend: entriesOf(graph) };
}

const boxAt = ({ id, kind, title, lines }: GraphNode, place: Rectangle): PictureBox => ({
  ...{ id, kind, title, lines },
  ...place,
});

const shapesOf = ({ groups, edges, nodes }: PlacedGraph): readonly string[] => [
  ...groups.flatMap(groupFrame),
  ...edges.flatMap(edgePaths),
  ...nodes.flatMap(svgNode),
  ...edges.flatMap(labelLines),
];

function svgOf(graph: FleetGraph, placed: PlacedGraph): string {
  const headWidth = Math.max(textWidth(graph.title, 'title') * 1.5, textWidth(graph.summary, 'line') * 1.1);
  const legend = legendOf(graph);
  const width = Math.max(placed.width, headWidth, legend.width) + 2 * MARGIN;
  const top = MARGIN + HEAD;
  const bottom = top + placed.height + GAP;
  const height = bottom + legend.height + MARGIN;
  const lines = [
    element('title', { id: 'title' }, [svgText(graph.title)]),
    element('desc', { id: 'desc' }, [svgText(graph.summary)]),
    element('style', {}, [PICTURE_STYLE]),
    element('rect', { class: 'page', width, height, rx: 12 }),
    element('text', { x: MARGIN, y: MARGIN + 18, 'font-size': 21, 'font-weight': 'bold' }, [svgText(graph.title)]),
    element('text', { class: 'faint', x: MARGIN, y: MARGIN + 40, 'font-size': 13 }, [svgText(graph.summary)]),
    `<g transform="translate(${pixels((width - placed.width) / 2)} ${pixels(top)})">`,
    ...shapesOf(placed),
    '</g>',
    `<g transform="translate(${MARGIN} ${pixels(bottom)})">`,
    ...legend.lines,
    '</g>',
  ];
  const view = `viewBox="0 0 ${pixels(width)} ${pixels(height)}" width="${pixels(width)}" height="${pixels(height)}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${view} role="img" aria-labelledby="title desc">\n${lines.join('\n')}\n</svg>\n`;
}

function groupFrame({ title, ...place }: PlacedGroup): readonly string[] {
  const { x, y } = place;
  return [
    element('rect', { class: 'group', ...place, rx: 10, 'stroke-width': 2 }),
    element('text', { class: 'faint', x: x + 14, y: y + 22, 'font-size': 13, 'font-weight': 'bold' }, [svgText(title)]),
  ];
}

/** The class that colours an edge or a node. */
const colourClass = ({ mark, isRemapped }: Pick<GraphEdge, 'mark' | 'isRemapped'>): string =>
  mark ?? (isRemapped ? 'remapped' : '');

/** Dashes of edges that are removed or off, whatever their kind. */
const MARK_DASHES: Partial<Readonly<Record<(typeof MARKED)[number], string>>> = { removed: '3 3', off: '1 5' };

/** Dashes of edges by kind; removed edges have other dashes. */
const DASHES: Readonly<Record<GraphEdge['kind'], string | undefined>> = {
  hub: undefined,
  peering: '2 4',
  shortcut: '8 5',
};

function edgePaths({ edge, points }: PlacedEdge): readonly string[] {
  const colour = colourClass(edge);
  const dashes = edge.mark === null ? DASHES[edge.kind] : (MARK_DASHES[edge.mark] ?? DASHES[edge.kind]);
  const path = { d: roundedPath(points), 'stroke-width': 2, 'stroke-dasharray': dashes };
  const tip = { class: colour === '' ? 'tip' : `${colour}-tip` };
  return [
    element('path', { class: `edge ${colour}`.trim(), ...path }),
    element('path', { ...tip, d: tipOf(points) }),
    ...(edge.isMutual ? [element('path', { ...tip, d: tipOf([...points].reverse()) })] : []),
  ];
}

function labelLines({ edge, label }: PlacedEdge): readonly string[] {
  if (label === null) return [];
  const text = {
    class: edge.isRemapped ? 'remapped-text' : undefined,
    x: label.x + label.width / 2,
    'font-size': TEXT.line,
    'text-anchor': 'middle',
  };
  return [
    element('rect', { class: 'back', ...label, rx: 4 }),
    ...edge.lines.map((line, i) =>
      element('text', { ...text, y: label.y + (i + 1) * TEXT.lineHeight - 2 }, [svgText(line)]),
    ),
  ];
}

function svgNode({ node, cards, ...place }: PlacedNode): readonly string[] {
  const inCards = cards.flatMap(({ card, ...it }) =>
    boxLines(card, { ...it, x: place.x + it.x, y: place.y + it.y }, 'cluster'),
  );
  return [...boxLines(node, place, node.kind), ...inCards];
}

function boxLines(node: GraphNode, { x, y, width, height }: Rectangle, kind: GraphNode['kind']): readonly string[] {
  const isDark = node.isHub && node.mark === null;
  const colours = [isDark ? 'hub' : kind, node.mark ?? (node.isRemapped && kind === 'cluster' ? 'remapped' : '')];
  const dashes = node.mark === 'removed' ? '6 4' : node.mark === 'off' ? '2 4' : undefined;
  const text = { class: isDark ? 'on-hub' : undefined, x: x + PADDING.x };
  const first = y + PADDING.y + TEXT.title;
  return [
    element('rect', {
      ...{ class: colours.join(' ').trim(), x, y, width, height, 'stroke-dasharray': dashes },
      rx: node.isHub ? 18 : 6,
    }),
    element('text', { ...text, y: first, 'font-size': TEXT.title, 'font-weight': 'bold' }, [svgText(node.title)]),
    ...node.lines.map((line, i) =>
      element('text', { ...text, y: first + (i + 1) * TEXT.lineHeight, 'font-size': TEXT.line }, [svgText(line)]),
    ),
  ];
}

/** The radius of the corners of a line. */
const RADIUS = 18;

/** The size of an arrow tip. */
const TIP = { length: 10, width: 8 } as const;

/** Path data of a line through points, with rounded corners. */
function roundedPath(points: readonly Point[]): string {
  const [first, ...others] = points;
  if (first === undefined) return '';
  const parts = others.map((corner, i) => {
    const [before, after] = [points[i], points[i + 2]];
    if (before === undefined || after === undefined) return `L${at(corner)}`;
    const [start, end] = [towards(corner, before), towards(corner, after)];
    return `L${at(start)}Q${at(corner)} ${at(end)}`;
  });
  return `M${at(first)}${parts.join('')}`;
}

/** Path data of a triangle at the last point, in the direction of the line. */
function tipOf(points: readonly Point[]): string {
  const [end, before] = [points.at(-1), points.at(-2)];
  if (end === undefined || before === undefined) return '';
  const length = Math.hypot(end.x - before.x, end.y - before.y) || 1;
  const [dx, dy] = [(end.x - before.x) / length, (end.y - before.y) / length];
  const base = { x: end.x - dx * TIP.length, y: end.y - dy * TIP.length };
  const side = { x: (-dy * TIP.width) / 2, y: (dx * TIP.width) / 2 };
  return `M${at(end)}L${at({ x: base.x + side.x, y: base.y + side.y })}L${at({ x: base.x - side.x, y: base.y - side.y })}Z`;
}

/** The point where the rounding of a corner begins, at most half of the way to the next corner. */
function towards(corner: Point, other: Point): Point {
  const length = Math.hypot(other.x - corner.x, other.y - corner.y) || 1;
  const share = Math.min(RADIUS, length / 2) / length;
  return { x: corner.x + (other.x - corner.x) * share, y: corner.y + (other.y - corner.y) * share };
}

const at = ({ x, y }: Point): string => `${pixels(x)} ${pixels(y)}`;

interface Legend extends Size {
  /** The markup, with coordinates from the upper left corner of the legend. */
  readonly lines: readonly string[];
}

interface Entry {
  readonly text: string;
  /** The markup of a sign that is 32 pixels wide and vertically centred on 0. */
  readonly sign: string;
}

const SIGN = 32;
const ENTRY_GAP = 22;
const HEIGHT = 34;

/** The legend of a picture; it explains only the lines and colours that occur. */
function legendOf(graph: FleetGraph): Legend {
  let x = 0;
  const lines = entriesOf(graph).flatMap(({ text, sign }) => {
    const start = x;
    x += SIGN + 8 + textWidth(text, 'line') + ENTRY_GAP;
    return [
      `<g transform="translate(${Math.round(start)} 18)">${sign}`,
      element('text', { class: 'faint', x: SIGN + 8, y: 4, 'font-size': TEXT.line }, [svgText(text)]),
      '</g>',
    ];
  });
  return { lines, width: x - ENTRY_GAP, height: HEIGHT };
}

function entriesOf({ nodes, edges }: FleetGraph): readonly Entry[] {
  const all = [...nodes, ...nodes.flatMap((it) => (it.kind === 'crowd' ? it.cards : []))];
  const line = (colour: string, dashes?: string): string =>
    element('path', {
      class: `edge ${colour}`.trim(),
      d: `M0 0L${SIGN} 0`,
      'stroke-width': 2,
      'stroke-dasharray': dashes,
    });
  const tip = element('path', { class: 'tip', d: `M${SIGN} 0l-10 4v-8Z` });
  const has = (kind: string): boolean => edges.some((it) => it.kind === kind);
  const marks = MARKED.filter((mark) => [...all, ...edges].some((it) => it.mark === mark));
  const entries: readonly (Entry | false)[] = [
    has('hub') && { text: 'link to a hub, from the end that dials', sign: line('') + tip },
    has('peering') && { text: 'peering', sign: line('', '2 4') + tip },
    has('shortcut') && { text: 'shortcut', sign: line('', '8 5') + tip },
    [...all, ...edges].some((it) => it.isRemapped) && { text: 'remapped', sign: line('remapped') },
    ...marks.map((mark) => ({ text: mark, sign: line(mark, MARK_DASHES[mark]) })),
  ];
  return entries.filter((it) => it !== false);
}

import { visibleText } from '../../../base/core/visible-text.ts';
import type { FleetGraph, GraphEdge, GraphNode } from '../fleet-graph.ts';
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
  TEXT,
  textWidth,
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

const MARKED = ['added', 'changed', 'removed', 'off'] as const;

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

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text in an element or a quoted attribute of XML. */
const svgText = (text: string): string => visibleText(text).replace(/[&<>"]/g, (it) => ENTITIES[it] ?? it);

/** A number of pixels, rounded to a tenth: short, and the same on every machine. */
const pixels = (value: number): string => String(Math.round(value * 10) / 10);

interface Attributes {
  readonly [name: string]: string | number | undefined;
}

/** An element; attributes without a value are left out. The content must be markup. */
function element(name: string, attributes: Attributes, content: readonly string[] = []): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${typeof value === 'number' ? pixels(value) : svgText(value)}"`],
  );
  const start = `<${name}${written.join('')}`;
  return content.length === 0 ? `${start}/>` : `${start}>${content.join('')}</${name}>`;
}

/**
 * Colours of a picture on a light page; DARK is used when the browser prefers it. The picture has its own background,
 * so a dark page in a light browser does not matter. All information of colours is also shown by a word, a dash or a
 * width.
 */
const LIGHT = {
  page: '#ffffff',
  ink: '#1f2328',
  faint: '#59636e',
  line: '#818b98',
  frame: '#d1d9e0',
  card: '#f6f8fa',
  crowd: '#eff2f5',
  hub: '#0550ae',
  remapped: '#bc4c00',
  added: '#1a7f37',
  addedFill: '#dafbe1',
  changed: '#9a6700',
  changedFill: '#fff8c5',
  removed: '#cf222e',
  removedFill: '#ffebe9',
  off: '#818b98',
  offFill: '#ffffff',
} as const;

const DARK: Readonly<Record<keyof typeof LIGHT, string>> = {
  page: '#0d1117',
  ink: '#f0f6fc',
  faint: '#9198a1',
  line: '#7d8590',
  frame: '#3d444d',
  card: '#212830',
  crowd: '#151b23',
  hub: '#1158c7',
  remapped: '#f0883e',
  added: '#3fb950',
  addedFill: '#12261e',
  changed: '#d29922',
  changedFill: '#272115',
  removed: '#f85149',
  removedFill: '#2d1419',
  off: '#7d8590',
  offFill: '#0d1117',
};

const rules = (it: Readonly<Record<keyof typeof LIGHT, string>>): string =>
  [
    `.page,.back{fill:${it.page}}`,
    `text{fill:${it.ink}}`,
    `.faint{fill:${it.faint}}`,
    `.group{fill:none;stroke:${it.frame}}`,
    `.cluster{fill:${it.card};stroke:${it.line}}`,
    `.crowd{fill:${it.crowd};stroke:${it.line}}`,
    `.hub{fill:${it.hub};stroke:${it.hub}}`,
    '.on-hub{fill:#ffffff}',
    `.edge{stroke:${it.line}}`,
    `.tip{fill:${it.line}}`,
    `.remapped{stroke:${it.remapped}}`,
    `.remapped-text,.remapped-tip{fill:${it.remapped}}`,
    ...MARKED.flatMap((mark) => [
      `.${mark}{stroke:${it[mark]};stroke-width:${mark === 'off' ? 1 : 3}}`,
      `rect.${mark}{fill:${it[`${mark}Fill`]}}`,
      `.${mark}-tip{fill:${it[mark]}}`,
    ]),
  ].join('');

/** The style sheet of every picture, without external fonts or files. */
export const PICTURE_STYLE = `text{font-family:system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif}.edge{fill:none}${rules(LIGHT)}@media (prefers-color-scheme:dark){${rules(DARK)}}`;

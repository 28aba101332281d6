import type { ClusterNode, GraphEdge, GraphNode } from '../fleet-graph.ts';

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
export interface NodeBox extends Size {
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

export function boxOf(node: GraphNode): NodeBox {
  const own = sizeOfText(node.title, node.lines);
  if (node.kind === 'cluster' || node.cards.length === 0) return { node, cards: [], ...own };
  const cards = gridOf(node.cards, own.height - PADDING.y + GAP);
  const right = Math.max(...cards.map((it) => it.x + it.width));
  const bottom = Math.max(...cards.map((it) => it.y + it.height));
  return { node, cards, width: Math.max(own.width, right + GAP), height: bottom + GAP };
}

/** The size of the text at an edge; zero without text. */
export const sizeOfLabel = ({ lines }: GraphEdge): Size =>
  lines.length === 0
    ? { width: 0, height: 0 }
    : { width: widestOf(lines) + 2 * LABEL_PADDING, height: lines.length * TEXT.lineHeight + LABEL_PADDING };

const LABEL_PADDING = 6;

const widestOf = (lines: readonly string[]): number => Math.max(0, ...lines.map((it) => textWidth(it, 'line')));

const sizeOfText = (title: string, lines: readonly string[]): Size => ({
  width: Math.max(textWidth(title, 'title'), widestOf(lines)) + 2 * PADDING.x,
  height: TEXT.titleHeight + lines.length * TEXT.lineHeight + 2 * PADDING.y,
});

/** Places cards of equal size row by row below the title of their box. */
function gridOf(cards: readonly ClusterNode[], top: number): readonly CardBox[] {
  const sizes = cards.map((it) => sizeOfText(it.title, it.lines));
  const width = Math.max(...sizes.map((it) => it.width));
  const height = Math.max(...sizes.map((it) => it.height));
  const columns = Math.ceil(Math.sqrt((cards.length * GRID_ASPECT * (height + GAP)) / (width + GAP)));
  return cards.map((card, i) => ({
    card,
    x: GAP + (i % columns) * (width + GAP),
    y: top + Math.floor(i / columns) * (height + GAP),
    width,
    height,
  }));
}

/** Text sizes in pixels. Widths are those of DejaVu, the widest of the usual fonts; no font is measured. */
export const TEXT = { line: 12, title: 14, lineHeight: 17, titleHeight: 20 } as const;

/** Widths of a character as a share of the font size; non-Latin letters may be as wide as they are high. */
const WIDE = 1;
const NORMAL = 0.62;
const BOLD = 0.7;

export function textWidth(text: string, kind: 'line' | 'title'): number {
  const share = kind === 'title' ? BOLD : NORMAL;
  const shares = [...text].map((it) => ((it.codePointAt(0) ?? 0) > 0x2ff ? WIDE : share));
  return TEXT[kind] * shares.reduce((sum, it) => sum + it, 0);
}

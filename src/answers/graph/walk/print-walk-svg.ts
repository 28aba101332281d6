import { largest } from '../../../base/core/collections.ts';
import { element, PICTURE_STYLE, pixels, svgText, TEXT, textWidth } from '../svg/markup.ts';
import type { Rectangle, Size } from '../svg/place-graph.ts';
import { lanesOf, type WalkLane, type WalkPicture, type WalkStop, type WalkWire } from './walk-picture.ts';

const MARGIN = 24;

/** The height of title and summary above the picture. */
const HEAD = 56;

/** The space between the frame of a cluster and its boxes; its name is above them. */
const FRAME = { x: 16, top: 34, bottom: 14 } as const;

/** The height of a wire inside a cluster, and of one between two clusters. */
const WIRE = { inside: 58, between: 84 } as const;

/** The space between a box and its text. */
const PADDING = { x: 14, y: 10 } as const;

/** The least width of a box, so that both wires and their packets have room beside each other. */
const NARROWEST = 460;

/** The share of a box's width at which the packet goes down, and the one at which its answer comes up. */
const LANES = { there: 0.25, back: 0.75 } as const;

/** The most characters in a line of a reason. */
const REASON_WIDTH = 72;

/** Prints a self-contained picture: the packet goes down from its sender, and the answer comes up beside it. */
export function printWalkSvg(walk: WalkPicture): string {
  const { shapes, page } = walkShapes(walk);
  const lines = [
    element('title', { id: 'title' }, [svgText(walk.title)]),
    element('desc', { id: 'desc' }, [svgText(descriptionOf(walk))]),
    element('style', {}, [PICTURE_STYLE]),
    element('rect', { class: 'page', ...page, rx: 12 }),
    element('text', { x: MARGIN, y: MARGIN + 18, 'font-size': 21, 'font-weight': 'bold' }, [svgText(walk.title)]),
    element('text', { class: 'faint', x: MARGIN, y: MARGIN + 40, 'font-size': 13 }, [svgText(walk.summary)]),
    ...shapes,
  ];
  const size = `viewBox="0 0 ${pixels(page.width)} ${pixels(page.height)}" width="${pixels(page.width)}" height="${pixels(page.height)}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-labelledby="title desc">\n${lines.join('\n')}\n</svg>\n`;
}

/** A picture for a page that has the style sheet `PICTURE_STYLE`, title and summary itself. */
interface DrawnWalk extends Rectangle {
  /** The content of an SVG element with this rectangle as its view box. */
  readonly markup: string;
  readonly description: string;
}

export function drawWalk(walk: WalkPicture): DrawnWalk {
  const { shapes, page } = walkShapes(walk);
  const [x, y] = [MARGIN - EDGE, MARGIN + HEAD - EDGE];
  return {
    markup: shapes.join('\n'),
    description: descriptionOf(walk),
    ...{ x, y, width: page.width - 2 * x, height: page.height - y - MARGIN + EDGE },
  };
}

/** Half the width of a frame's line, and a little more. */
const EDGE = 2;

function walkShapes(walk: WalkPicture): { readonly shapes: readonly string[]; readonly page: Size } {
  const width = walkWidth(walk);
  const placed = placeStops(walk);
  const lost = walk.lost === null ? [] : reasonLines(walk.lost);
  const lostHeight = lost.length === 0 ? 0 : 40 + lost.length * TEXT.lineHeight;
  const x = MARGIN + FRAME.x;
  return {
    shapes: [
      ...lanesOf(walk).flatMap((lane) => laneFrame(lane, placed.boxes, width)),
      ...walk.wires.flatMap((wire, i) => wireLines(wire, placed.boxes[i], placed.boxes[i + 1], { x, width })),
      ...walk.stops.flatMap((stop, i) => stopLines(stop, placed.boxes[i], { x, width })),
      ...lostLines(lost, placed, { x, width }),
    ],
    page: { width: width + 2 * (MARGIN + FRAME.x), height: placed.bottom + lostHeight + MARGIN },
  };
}

/** The picture in words, for who does not see it. */
function descriptionOf({ summary, stops, wires, lost }: WalkPicture): string {
  const steps = stops.flatMap(({ cluster, title, there }, i) => {
    const wire = wires[i];
    return [
      [`${title} of ${cluster}`, ...there].join(', '),
      ...(wire === undefined ? [] : [wire.by === null ? wire.there : `${wire.there} by ${wire.by}`]),
    ];
  });
  return `${summary}. ${steps.join('; ')}${lost === null ? '.' : `. ${lost}`}`;
}

const stopText = ({ there, back }: WalkStop): readonly string[] => [
  ...there.map((it) => `there: ${it}`),
  ...back.map((it) => `back: ${it}`),
];

const walkWidth = ({ stops, wires, title, summary }: WalkPicture): number =>
  largest(
    [
      ...stops.flatMap((it) => [
        textWidth(it.title, 'title') + 2 * PADDING.x,
        ...stopText(it).map((line) => textWidth(line, 'line') + 2 * PADDING.x),
      ]),
      ...wires.map((it) => 4 * Math.max(textWidth(it.there, 'line'), textWidth(it.back ?? '', 'line')) * 0.75),
      ...wires.map((it) => textWidth(it.by ?? '', 'line') + 2 * PADDING.x),
      textWidth(title, 'title') * 1.5,
      textWidth(summary, 'line') * 1.1,
    ],
    NARROWEST,
  );

interface StopBox {
  readonly y: number;
  readonly height: number;
}

interface PlacedStops {
  readonly boxes: readonly StopBox[];
  /** The lower end of the last frame. */
  readonly bottom: number;
}

/** Places stops from top to bottom. */
function placeStops({ stops, wires }: WalkPicture): PlacedStops {
  let y = MARGIN + HEAD + FRAME.top;
  const boxes = stops.map((stop, i): StopBox => {
    const box = { y, height: TEXT.titleHeight + stopText(stop).length * TEXT.lineHeight + 2 * PADDING.y };
    y += box.height + (wires[i]?.isTunnel ? WIRE.between + FRAME.top + FRAME.bottom : WIRE.inside);
    return box;
  });
  const last = boxes.at(-1);
  return { boxes, bottom: last === undefined ? y : last.y + last.height + FRAME.bottom };
}

interface Columns {
  readonly x: number;
  readonly width: number;
}

function laneFrame({ cluster, first, stops }: WalkLane, boxes: readonly StopBox[], width: number): readonly string[] {
  const [top, bottom] = [boxes[first], boxes[first + stops.length - 1]];
  if (top === undefined || bottom === undefined) return [];
  const y = top.y - FRAME.top;
  const height = bottom.y + bottom.height + FRAME.bottom - y;
  return [
    element('rect', { class: 'group', x: MARGIN, y, width: width + 2 * FRAME.x, height, rx: 10, 'stroke-width': 2 }),
    element('text', { class: 'faint', x: MARGIN + 14, y: y + 22, 'font-size': 13, 'font-weight': 'bold' }, [
      svgText(cluster),
    ]),
  ];
}

function stopLines(stop: WalkStop, box: StopBox | undefined, { x, width }: Columns): readonly string[] {
  if (box === undefined) return [];
  const lines = stopText(stop);
  const first = box.y + PADDING.y + TEXT.title;
  return [
    element('rect', {
      ...{ class: lines.length > 0 ? 'cluster remapped' : 'cluster', x, y: box.y, width, height: box.height },
      rx: 6,
    }),
    element('text', { x: x + PADDING.x, y: first, 'font-size': TEXT.title, 'font-weight': 'bold' }, [
      svgText(stop.title),
    ]),
    ...lines.map((line, i) =>
      element(
        'text',
        { class: 'remapped-text', x: x + PADDING.x, y: first + (i + 1) * TEXT.lineHeight, 'font-size': TEXT.line },
        [svgText(line)],
      ),
    ),
  ];
}

/** The packet's arrow down and the answer's arrow up between two boxes. */
function wireLines(
  { by, there, back, isTunnel }: WalkWire,
  upper: StopBox | undefined,
  lower: StopBox | undefined,
  { x, width }: Columns,
): readonly string[] {
  if (upper === undefined || lower === undefined) return [];
  const [top, bottom] = [upper.y + upper.height, lower.y];
  const middle = (top + bottom) / 2;
  const arrow = (at: number, end: number, start: number): readonly string[] => {
    const tip = end > start ? `M${pixels(at)} ${pixels(end)}l-5 -10h10Z` : `M${pixels(at)} ${pixels(end)}l-5 10h10Z`;
    return [
      element('path', {
        ...{ class: 'edge', d: `M${pixels(at)} ${pixels(start)}L${pixels(at)} ${pixels(end)}` },
        ...{ 'stroke-width': isTunnel ? 3 : 2, 'stroke-dasharray': end > start ? undefined : '5 4' },
      }),
      element('path', { class: 'tip', d: tip }),
    ];
  };
  const label = (text: string, at: number, y: number, kind = ''): readonly string[] => {
    const half = textWidth(text, 'line') / 2 + 6;
    return [
      element('rect', { class: 'back', x: at - half, y: y - 13, width: 2 * half, height: 18, rx: 4 }),
      element(
        'text',
        { class: kind === '' ? undefined : kind, x: at, y, 'font-size': TEXT.line, 'text-anchor': 'middle' },
        [svgText(text)],
      ),
    ];
  };
  const [down, up] = [x + width * LANES.there, x + width * LANES.back];
  const isLabelled = by !== null;
  return [
    ...arrow(down, bottom, top),
    ...(back === null ? [] : arrow(up, top, bottom)),
    ...label(there, down, middle + (isLabelled ? 14 : 4)),
    ...(back === null ? [] : label(back, up, middle + (isLabelled ? 14 : 4))),
    ...(by === null ? [] : label(by, x + width / 2, middle - 8, 'faint')),
  ];
}

function lostLines(lost: readonly string[], { bottom }: PlacedStops, { x, width }: Columns): readonly string[] {
  if (lost.length === 0) return [];
  const y = bottom + 14;
  return [
    element('rect', {
      ...{ class: 'removed', x, y, width, height: lost.length * TEXT.lineHeight + 18, rx: 6 },
      'stroke-dasharray': '6 4',
    }),
    ...lost.map((line, i) =>
      element('text', { x: x + PADDING.x, y: y + 20 + i * TEXT.lineHeight, 'font-size': TEXT.line }, [svgText(line)]),
    ),
  ];
}

/** A sentence in lines. */
function reasonLines(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || `${last} ${word}`.length > REASON_WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

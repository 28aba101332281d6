import type { FleetGraph } from '../fleet-graph.ts';
import type { Size } from './box-of.ts';
import { element, svgText } from './svg-text.ts';
import { TEXT, textWidth } from './text-size.ts';

interface Legend extends Size {
  /** From the left upper corner of the legend. */
  readonly lines: readonly string[];
}

interface Entry {
  readonly text: string;
  /** Markup of a sign 32 pixels wide, around the height 0. */
  readonly sign: string;
}

const SIGN = 32;
const GAP = 22;
const HEIGHT = 34;

/** What the lines and colours of a picture mean: only those that are in it. */
export function legendOf(graph: FleetGraph): Legend {
  let x = 0;
  const lines = entriesOf(graph).flatMap(({ text, sign }) => {
    const start = x;
    x += SIGN + 8 + textWidth(text, 'line') + GAP;
    return [
      `<g transform="translate(${Math.round(start)} 18)">${sign}`,
      element('text', { class: 'faint', x: SIGN + 8, y: 4, 'font-size': TEXT.line }, [svgText(text)]),
      '</g>',
    ];
  });
  return { lines, width: x - GAP, height: HEIGHT };
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
  const marks = (['added', 'changed', 'removed'] as const).filter((mark) =>
    [...all, ...edges].some((it) => it.mark === mark),
  );
  const entries: readonly (Entry | false)[] = [
    has('hub') && { text: 'link to a hub, from the end that dials', sign: line('') + tip },
    has('peering') && { text: 'peering', sign: line('', '2 4') + tip },
    has('shortcut') && { text: 'shortcut', sign: line('', '8 5') + tip },
    [...all, ...edges].some((it) => it.isRemapped) && { text: 'remapped', sign: line('remapped') },
    ...marks.map((mark) => ({ text: mark, sign: line(mark, mark === 'removed' ? '3 3' : undefined) })),
  ];
  return entries.filter((it) => it !== false);
}

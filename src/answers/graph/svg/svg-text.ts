import { visibleText } from '../../../base/core/visible-text.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text in an element or a quoted attribute of XML. */
export const svgText = (text: string): string => visibleText(text).replace(/[&<>"]/g, (it) => ENTITIES[it] ?? it);

/** A number of pixels, to a tenth: the same on every machine, and short. */
export const pixels = (value: number): string => String(Math.round(value * 10) / 10);

interface Attributes {
  readonly [name: string]: string | number | undefined;
}

/** An element; attributes without a value are left out. Content is markup already. */
export function element(name: string, attributes: Attributes, content: readonly string[] = []): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${typeof value === 'number' ? pixels(value) : svgText(value)}"`],
  );
  const start = `<${name}${written.join('')}`;
  return content.length === 0 ? `${start}/>` : `${start}>${content.join('')}</${name}>`;
}

import { visibleText } from '../../../base/core/visible-text.ts';

/** Marks that pictures colour. */
export const MARKED = ['added', 'changed', 'removed', 'off'] as const;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text in an element or a quoted attribute of XML. */
export const svgText = (text: string): string => visibleText(text).replace(/[&<>"]/g, (it) => ENTITIES[it] ?? it);

/** A number of pixels, rounded to a tenth: short, and the same on every machine. */
export const pixels = (value: number): string => String(Math.round(value * 10) / 10);

interface Attributes {
  readonly [name: string]: string | number | undefined;
}

/** An element; attributes without a value are left out. The content must be markup. */
export function element(name: string, attributes: Attributes, content: readonly string[] = []): string {
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

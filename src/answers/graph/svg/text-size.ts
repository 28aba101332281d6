/** Sizes of text in pixels. No font is measured: widths are those of DejaVu, the widest of the usual ones, so that others fit, too. */
export const TEXT = { line: 12, title: 14, lineHeight: 17, titleHeight: 20 } as const;

/** Widths of a character, as a share of the font size; letters that are not Latin may be as wide as they are high. */
const WIDE = 1;
const NORMAL = 0.62;
const BOLD = 0.7;

export function textWidth(text: string, kind: 'line' | 'title'): number {
  const share = kind === 'title' ? BOLD : NORMAL;
  const shares = [...text].map((it) => ((it.codePointAt(0) ?? 0) > 0x2ff ? WIDE : share));
  return TEXT[kind] * shares.reduce((sum, it) => sum + it, 0);
}

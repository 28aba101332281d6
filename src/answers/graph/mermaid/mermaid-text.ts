import { visibleText } from '../../../base/core/visible-text.ts';

/**
 * A text in a quoted label of Mermaid, shown as it is: whatever may mean something to Mermaid, to HTML or to the runner of a
 * workflow becomes the number of its character.
 * Source: mermaid-js/mermaid docs/syntax/flowchart.md, "Entity codes to escape characters".
 */
export const mermaidText = (text: string): string =>
  visibleText(text).replace(/[^A-Za-z0-9 .,/()'+-]/gu, (it) => `#${it.codePointAt(0) ?? 0};`);

/** Lines of a label, the first one in bold. */
export const mermaidLabel = (title: string, lines: readonly string[]): string =>
  `"${[`<b>${mermaidText(title)}</b>`, ...lines.map(mermaidText)].join('<br>')}"`;

/** The functions that style text for an output. Each keeps the text, and may add terminal escape sequences. */
export interface Paint {
  /** The width of a line in cells; absent when lines have no limit. */
  readonly columns?: number;
  readonly error: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly note: (text: string) => string;
  readonly good: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly quiet: (text: string) => string;
}

const same = (text: string): string => text;

/** For files and pipes, and when colour is disabled. */
export const plainPaint: Paint = { error: same, warning: same, note: same, good: same, strong: same, quiet: same };

// Select Graphic Rendition of ECMA-48; 39 and 22 reset only colour and weight.
const colour =
  (code: number) =>
  (text: string): string =>
    `\u001b[1;${code}m${text}\u001b[22;39m`;

/** For a terminal with colours: uses only the eight that every theme defines. */
export const colourPaint: Paint = {
  error: colour(31),
  warning: colour(33),
  note: colour(36),
  good: colour(32),
  strong: (text) => `\u001b[1m${text}\u001b[22m`,
  quiet: (text) => `\u001b[2m${text}\u001b[22m`,
};

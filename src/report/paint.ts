/** How text is dressed for the place it goes to. Every function keeps the text and may add what a terminal understands. */
export interface Paint {
  readonly error: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly note: (text: string) => string;
  readonly good: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly quiet: (text: string) => string;
}

const same = (text: string): string => text;

/** For files, pipes and everybody who asked for no colour. */
export const plainPaint: Paint = { error: same, warning: same, note: same, good: same, strong: same, quiet: same };

// Select Graphic Rendition of ECMA-48; 39 and 22 put colour and weight back without touching what the caller has set.
const colour =
  (code: number) =>
  (text: string): string =>
    `\u001b[1;${code}m${text}\u001b[22;39m`;

/** For a terminal with colours: the eight that every theme defines, no more. */
export const colourPaint: Paint = {
  error: colour(31),
  warning: colour(33),
  note: colour(36),
  good: colour(32),
  strong: (text) => `\u001b[1m${text}\u001b[22m`,
  quiet: (text) => `\u001b[2m${text}\u001b[22m`,
};

/** The same texts in the same order. */
export const sameTexts = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((it, i) => it === b[i]);

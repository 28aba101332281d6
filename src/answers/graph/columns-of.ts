/** The columns of a grid of cards, of about equal length; the cards go down the first one, then down the next. */
export function columnsOf<T>(cards: readonly T[], most: number): readonly (readonly T[])[] {
  const rows = Math.max(1, Math.ceil(cards.length / most));
  return Array.from({ length: Math.ceil(cards.length / rows) }, (_, i) => cards.slice(i * rows, (i + 1) * rows));
}

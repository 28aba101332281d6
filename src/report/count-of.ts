/** `1 error`, `2 errors`: a number with its word. `many` where an s is not enough. */
export const countOf = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** `europe, milan and rome`. */
export function listOf(names: readonly string[]): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

/** The first few names, and how many more there are: `europe, milan, rome and 12 more`. */
export function someOf(names: readonly string[], most: number): string {
  // One left over takes as much room by its name as by a number.
  if (names.length <= most + 1) return names.join(', ');
  return `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
}

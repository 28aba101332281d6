import { maskSecrets } from './secrets.ts';

/** A name as messages show it: `"rome"`. */
export const quoted = (name: string): string => `"${name}"`;

/** `"europe", "rome"`. */
export const quotedNames = (names: readonly string[]): string => names.map(quoted).join(', ');

/** `1 error`, `2 errors`: a number with its noun. `many` is the plural where adding an s is not enough. */
export const countOf = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** `europe, milan and rome`. */
export function listOf(names: readonly string[]): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

/** The end of a list that is cut off: ` and 12 more`, with a noun ` and 12 more clusters`, or nothing when all are named. */
export const andMore = (left: number, one?: string): string =>
  left > 0 ? ` and ${one === undefined ? `${left} more` : countOf(left, `more ${one}`)}` : '';

/** The last line of a list that is cut off: `... and 12 more` with the rest of the sentence, or none. */
export const moreLine = (left: number, rest = '', one?: string): readonly string[] =>
  left > 0 ? [`...${andMore(left, one)}${rest}`] : [];

/** The first `most` names, and how many more there are: `europe, milan, rome and 12 more`. */
export const firstOf = (names: readonly string[], most: number, separator = ', '): string =>
  names.slice(0, most).join(separator) + andMore(names.length - most);

/** How many of `count` things are shown where about `most` fit: one more instead of `and 1 more`, which would be as long. */
export const shownOf = (count: number, most: number): number => (count === most + 1 ? count : Math.min(count, most));

/** As `firstOf`, but with one more name instead of `and 1 more`. */
export const someOf = (names: readonly string[], most: number, separator = ', '): string =>
  firstOf(names, shownOf(names.length, most), separator);

/** The first `most` lines and, where that is not all, a last one that counts the others. */
export const firstLines = (
  lines: readonly string[],
  most: number,
  lastLine: (left: number) => string,
): readonly string[] => (lines.length <= most ? lines : [...lines.slice(0, most), lastLine(lines.length - most)]);

/**
 * A text, cut where it would be too long for a message. `most` counts UTF-16 code units. Secrets are masked before: a part
 * of one does not look like one.
 */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${maskSecrets(text).slice(0, most)}…` : text;

/** Two texts to compare, each cut where it is too long, around the first place where they differ. As with `shortened`, secrets are masked before. */
export function shortenedBoth(one: string, other: string, most: number): readonly [string, string] {
  if (one.length <= most && other.length <= most) return [one, other];
  const texts = [maskSecrets(one), maskSecrets(other)] as const;
  let same = 0;
  while (same < texts[0].length && texts[0][same] === texts[1][same]) same++;
  const start = Math.max(0, same - Math.floor(most / 4));
  const cut = (it: string): string => {
    const shown = it.slice(start, start + most);
    return `${start > 0 ? '…' : ''}${shown}${start + most < it.length ? '…' : ''}`;
  };
  return [cut(texts[0]), cut(texts[1])];
}

/** A text as one word of a command line that a user may copy, for the shells of POSIX. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/**
 * A YAML scalar in double quotes, as it is, or in single quotes if nothing but double quotes is escaped in it. Prettier chooses the
 * same.
 */
export function withFewestEscapes(quoted: string): string {
  const inside = quoted.slice(1, -1);
  if (!inside.includes('\\"') || /\\(?!")/.test(inside)) return quoted;
  return `'${inside.replaceAll('\\"', '"').replaceAll("'", "''")}'`;
}

import { maskSecrets } from './secrets.ts';

/** A name in quotes, as in messages: `"rome"`. */
export const quoted = (name: string): string => `"${name}"`;

/** Names in quotes: `"europe", "rome"`. */
export const quotedNames = (names: readonly string[]): string => names.map(quoted).join(', ');

/** A number with its noun: `1 error`, `2 errors`. `many` is the plural when adding an s is not enough. */
export const countOf = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** A list of names: `europe, milan and rome`. */
export function listOf(names: readonly string[]): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

/** The end of a shortened list: ` and 12 more`, with a noun ` and 12 more clusters`; empty when nothing is left. */
export const andMore = (left: number, one?: string): string =>
  left > 0 ? ` and ${one === undefined ? `${left} more` : countOf(left, `more ${one}`)}` : '';

/** The last line of a shortened list, `... and 12 more`, with the rest of the sentence; empty when nothing is left. */
export const moreLine = (left: number, rest = '', one?: string): readonly string[] =>
  left > 0 ? [`...${andMore(left, one)}${rest}`] : [];

/** The first `most` names and the number of the others: `europe, milan, rome and 12 more`. */
export const firstOf = (names: readonly string[], most: number, separator = ', '): string =>
  names.slice(0, most).join(separator) + andMore(names.length - most);

/** The number of items to show when about `most` of `count` fit; one more replaces `and 1 more`, which is as long. */
export const shownOf = (count: number, most: number): number => (count === most + 1 ? count : Math.min(count, most));

/** Like `firstOf`, but with one more name instead of `and 1 more`. */
export const someOf = (names: readonly string[], most: number, separator = ', '): string =>
  firstOf(names, shownOf(names.length, most), separator);

/** The first `most` lines; if there are more, a last line counts the others. */
export const firstLines = (
  lines: readonly string[],
  most: number,
  lastLine: (left: number) => string,
): readonly string[] => (lines.length <= most ? lines : [...lines.slice(0, most), lastLine(lines.length - most)]);

/**
 * A text, shortened if it is too long for a message. `most` counts UTF-16 code units. Secrets are masked first, because
 * a part of one would not be recognised.
 */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${maskSecrets(text).slice(0, most)}…` : text;

/**
 * Two texts to compare. One that is too long is shortened to the part that differs, with a little around it. That part has
 * three times the length, because it is what matters; the middle of a longer one is left out and counted. Secrets are
 * masked first.
 */
export function shortenedBoth(one: string, other: string, most: number): readonly [string, string] {
  if (one.length <= most && other.length <= most) return [one, other];
  const texts = [maskSecrets(one), maskSecrets(other)] as const;
  const shorter = Math.min(texts[0].length, texts[1].length);
  let start = 0;
  while (start < shorter && texts[0][start] === texts[1][start]) start++;
  let end = 0;
  while (end < shorter - start && texts[0].at(-1 - end) === texts[1].at(-1 - end)) end++;
  const around = Math.floor(most / 8);
  const cut = (it: string): string => {
    if (it.length <= most) return it;
    const [from, to] = [Math.max(0, start - around), Math.min(it.length, it.length - end + around)];
    return `${from > 0 ? '…' : ''}${withoutMiddle(it.slice(from, to), 3 * most)}${to < it.length ? '…' : ''}`;
  };
  return [cut(texts[0]), cut(texts[1])];
}

/** The start and the end of a text that is too long, with the number of characters that are left out. */
function withoutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  return `${text.slice(0, half)}…(${text.length - 2 * half} more)…${text.slice(-half)}`;
}

/** A text as one word of a command line that a user may copy into a POSIX shell. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** A YAML scalar in double quotes, or in single ones if only double quotes are escaped, as Prettier does. */
export function withFewestEscapes(quoted: string): string {
  const inside = quoted.slice(1, -1);
  if (!inside.includes('\\"') || /\\(?!")/.test(inside)) return quoted;
  return `'${inside.replaceAll('\\"', '"').replaceAll("'", "''")}'`;
}

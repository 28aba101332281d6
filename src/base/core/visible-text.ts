import { maskSecrets } from './secrets.ts';

/**
 * Makes a text from outside (a topology, a file name, a branch, a response of git or GitHub) safe to print as a part of one
 * line. The text may come from a stranger's pull request, so it must not execute or hide anything:
 * - Control characters, line breaks, marks that reorder or join characters, invisible characters, and unusual spaces are
 *   each replaced by one visible character.
 * - The start of a command for the runner of GitHub Actions or of Azure Pipelines gets another character.
 * - Secrets become asterisks.
 *
 * Every printer uses it. The result has as many code points as the text, and calling it again changes nothing.
 */
export const visibleText = (text: string): string => (IS_NOTICEABLE.test(text) ? madeVisible(text) : text);

/**
 * Matches a character that every text to replace contains: a key, and the value of a query, have an equals sign. Most
 * texts contain none of these, so this fast check skips them.
 */
const IS_NOTICEABLE = /[^ -~]|[@_=]|##|::|glpat-/;

const madeVisible = (text: string): string =>
  replaceHidden(maskSecrets(text), pictureOf)
    // The runner acts on `##[` anywhere in a line, and on `::` at the start of a line; a text may be printed there.
    // Source: actions/runner src/Runner.Common/ActionCommand.cs (TryParse, TryParseV2).
    .replace(OLD_COMMAND, '#\u266f')
    .replace(COMMAND, ':\u2236');

/** Applies `visibleText` to every string in a value of plain data. */
export function visibleFields<T>(value: T): T;
export function visibleFields(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (Array.isArray(value)) return value.map((it) => visibleFields<unknown>(it));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, visibleFields<unknown>(it)]));
}

/** Escapes hidden characters and runner commands in JSON, without changing the values. */
export const visibleJson = (json: string): string =>
  json
    .split('\n')
    .map((line) => replaceHidden(line, escaped).replace(OLD_COMMAND, '#\\u0023').replace(COMMAND, ':\\u003a'))
    .join('\n');

/** The first invisible character of a text, or one that may end a line; spaces are ignored. */
export function hiddenCharacterIn(text: string): string | undefined {
  if (IS_PRINTABLE.test(text)) return undefined;
  for (const [found, emoji] of text.matchAll(EMOJI_OR_HIDDEN)) {
    if (emoji === undefined && !/[\p{Zs}\u2800]/u.test(found)) return found;
  }
  return undefined;
}

/** Matches texts of printable ASCII, which are the most common ones. */
const IS_PRINTABLE = /^[ -~]*$/;

/** Matches the start of a command in the older form: `##[error]`, and `##vso[` of Azure Pipelines. */
const OLD_COMMAND = /##(?=\w*\[)/g;

/**
 * Matches the start of a command such as `::error` or `::add-mask`: their names contain a hyphen or a letter that is
 * not a hexadecimal digit, unlike a group of an IPv6 address.
 */
const COMMAND = /::(?=[\w-]*[g-z_-])/gi;

/**
 * Matches an emoji, whose parts may be joined by marks that are hidden elsewhere, or one hidden character. Format
 * characters include the bidirectional and zero-width ones and the tags; the default ignorable ones include fillers and
 * variation selectors; U+2800 is a braille cell without dots.
 * Source: Unicode 16, PropList.txt and DerivedCoreProperties.txt.
 */
const EMOJI_OR_HIDDEN =
  /(\p{Extended_Pictographic}\ufe0f?(?:\u200d\p{Extended_Pictographic}\ufe0f?)*)|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]|[^\P{Zs} ]/gu;

function replaceHidden(text: string, replacement: (character: string) => string): string {
  return text.replace(EMOJI_OR_HIDDEN, (found, emoji: string | undefined) => emoji ?? replacement(found));
}

function pictureOf(character: string): string {
  const code = character.charCodeAt(0);
  // U+2400 to U+2421 are pictures of the ASCII control characters, and U+2423 is one of a space.
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return /\p{Zs}/u.test(character) ? '\u2423' : '\ufffd';
}

/** Escapes every code unit as JSON does. */
const escaped = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** A character that is unintended in a file of weft: it looks like an ASCII character, or is invisible. */
interface Lookalike {
  /** The Unicode name: `an en dash (U+2013)`. */
  readonly name: string;
  /** The text in which this character and all other lookalikes are replaced by the intended ones. */
  readonly meant: string;
}

/** Characters that word processors, chats and web pages insert instead of ASCII, with their Unicode names. */
const LOOKALIKES: readonly (readonly [characters: RegExp, meant: string, name: string])[] = [
  [/\u00a0/, ' ', 'a no-break space'],
  [/\u202f/, ' ', 'a narrow no-break space'],
  [/\u3000/, ' ', 'an ideographic space'],
  [/[\u1680\u2000-\u200a\u205f]/, ' ', 'a typographic space'],
  [/\u200b/, '', 'a zero-width space'],
  [/\u200c/, '', 'a zero-width non-joiner'],
  [/\u200d/, '', 'a zero-width joiner'],
  [/\u2060/, '', 'a word joiner'],
  [/\ufeff/, '', 'a byte order mark'],
  [/\u00ad/, '', 'a soft hyphen'],
  [/\u2010/, '-', 'a typographic hyphen'],
  [/\u2011/, '-', 'a no-break hyphen'],
  [/\u2012/, '-', 'a figure dash'],
  [/\u2013/, '-', 'an en dash'],
  [/[\u2014\u2015]/, '-', 'an em dash'],
  [/\u2212/, '-', 'a minus sign'],
  [/[\u2018\u2019\u201a\u2032]/, "'", 'a typographic apostrophe'],
  [/\uff1a/, ': ', 'a full-width colon'],
  [/\uff0c/, ', ', 'a full-width comma'],
  [/[\u201c-\u201f\u2033\u00ab\u00bb]/, '"', 'a typographic quotation mark'],
];

/** Matches full-width forms of ASCII; the offset is the distance to the normal form. */
const FULL_WIDTH = /[\uff01-\uff5e]/;
const FULL_WIDTH_OFFSET = 0xfee0;

/** Matches spaces that YAML reads as a part of a word. */
export const OTHER_SPACE = /[\u00a0\u1680\u2000-\u200b\u202f\u205f\u2060\u3000\ufeff]/;

const ANY_LOOKALIKE = new RegExp([...LOOKALIKES.map(([it]) => it.source), FULL_WIDTH.source].join('|'));

/** The first lookalike in a text. */
export function lookalikeIn(text: string): Lookalike | undefined {
  const found = ANY_LOOKALIKE.exec(text)?.[0];
  if (found === undefined) return undefined;
  return { name: characterName(found), meant: text.replace(new RegExp(ANY_LOOKALIKE, 'g'), meantBy) };
}

/** The name of a lookalike: `a no-break space (U+00A0)`. */
function characterName(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `${lookalikeOf(character)?.[2] ?? 'a full-width character'} (U+${code})`;
}

const meantBy = (character: string): string =>
  lookalikeOf(character)?.[1] ?? String.fromCharCode(character.charCodeAt(0) - FULL_WIDTH_OFFSET);

const lookalikeOf = (character: string) => LOOKALIKES.find(([it]) => it.test(character));

import { maskSecrets } from './secrets.ts';

/**
 * A text from outside (a topology, a file name, a branch, an answer of git or GitHub) as a part of one printed line. It
 * may come from a stranger's pull request, so it can neither act nor hide:
 * - Control characters, line breaks, marks that reorder or join what is read, characters without a shape, and spaces that
 *   are not a space become visible, one for one.
 * - The start of a command for the runner of GitHub Actions or of Azure Pipelines gets another character.
 * - Secrets become asterisks.
 *
 * Every printer uses it. The result has as many code points as the text, and is its own visible text.
 */
export const visibleText = (text: string): string => (IS_NOTICEABLE.test(text) ? madeVisible(text) : text);

/**
 * What every text that is replaced contains: a key and the value of a query have an equals sign. Most texts have nothing of it,
 * and a fleet prints many of them, so it is quick to look for.
 */
const IS_NOTICEABLE = /[^ -~]|[@_=]|##|::|glpat-/;

const madeVisible = (text: string): string =>
  replaceHidden(maskSecrets(text), pictureOf)
    // The runner acts on `##[` anywhere in a line, and on `::` where the line begins; a text may begin one.
    // Source: actions/runner src/Runner.Common/ActionCommand.cs (TryParse, TryParseV2).
    .replace(OLD_COMMAND, '#\u266f')
    .replace(COMMAND, ':\u2236');

/** The same for every string in a value of plain data. */
export function visibleFields<T>(value: T): T;
export function visibleFields(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (Array.isArray(value)) return value.map((it) => visibleFields<unknown>(it));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, visibleFields<unknown>(it)]));
}

/** JSON in which nothing is hidden and no line is a command, with the same values: the escapes of JSON replace them. */
export const visibleJson = (json: string): string =>
  json
    .split('\n')
    .map((line) => replaceHidden(line, escaped).replace(OLD_COMMAND, '#\\u0023').replace(COMMAND, ':\\u003a'))
    .join('\n');

/** The first character of a text that nobody sees, or that may end a line; spaces do not count. */
export function hiddenCharacterIn(text: string): string | undefined {
  if (IS_PRINTABLE.test(text)) return undefined;
  for (const [found, emoji] of text.matchAll(EMOJI_OR_HIDDEN)) {
    if (emoji === undefined && !/[\p{Zs}\u2800]/u.test(found)) return found;
  }
  return undefined;
}

/** Most texts have no other characters, and are checked at once. */
const IS_PRINTABLE = /^[ -~]*$/;

/** The start of a command of the first kind: `##[error]`, and `##vso[` of Azure Pipelines. */
const OLD_COMMAND = /##(?=\w*\[)/g;

/** `::error`, `::add-mask`: the names of commands have a letter that no group of an IPv6 address has, or a hyphen. */
const COMMAND = /::(?=[\w-]*[g-z_-])/gi;

/**
 * An emoji, whose parts may be joined by marks that are hidden elsewhere; or one hidden character. Format characters contain
 * the bidirectional and the zero-width ones and the tags; the default ignorable ones, fillers and variation selectors; U+2800
 * is a braille cell without dots. Source: Unicode 16, PropList.txt and DerivedCoreProperties.txt.
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

/** Every code unit as JSON escapes it. */
const escaped = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** A character that nobody means in a file of weft: it looks like one of ASCII, or like nothing. */
interface Lookalike {
  /** `an en dash (U+2013)`. */
  readonly name: string;
  /** The text with what was meant in its place, and in that of others of its kind. */
  readonly meant: string;
}

/** What word processors, chats and web pages put in the place of ASCII, with the name of each in Unicode. */
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

/** Forms of ASCII that are as wide as ideographs: each is this far behind its narrow form. */
const FULL_WIDTH = /[\uff01-\uff5e]/;
const FULL_WIDTH_OFFSET = 0xfee0;

/** Spaces that YAML reads as a part of a word. */
export const OTHER_SPACE = /[\u00a0\u1680\u2000-\u200b\u202f\u205f\u2060\u3000\ufeff]/;

const ANY_LOOKALIKE = new RegExp([...LOOKALIKES.map(([it]) => it.source), FULL_WIDTH.source].join('|'));

/** The first such character of a text. */
export function lookalikeIn(text: string): Lookalike | undefined {
  const found = ANY_LOOKALIKE.exec(text)?.[0];
  if (found === undefined) return undefined;
  return { name: characterName(found), meant: text.replace(new RegExp(ANY_LOOKALIKE, 'g'), meantBy) };
}

/** `a no-break space (U+00A0)`. */
function characterName(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `${lookalikeOf(character)?.[2] ?? 'a full-width character'} (U+${code})`;
}

const meantBy = (character: string): string =>
  lookalikeOf(character)?.[1] ?? String.fromCharCode(character.charCodeAt(0) - FULL_WIDTH_OFFSET);

const lookalikeOf = (character: string) => LOOKALIKES.find(([it]) => it.test(character));

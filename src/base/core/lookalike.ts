/** A character that nobody means in a file of weft: it looks like one of ASCII, or like nothing. */
interface Lookalike {
  /** `an en dash (U+2013)`. */
  readonly name: string;
  /** The text with what was meant in its place, and in that of others of its kind. */
  readonly meant: string;
}

/** What word processors, chats and web pages put in the place of ASCII, with the name of each in Unicode. */
const KINDS: readonly (readonly [characters: RegExp, meant: string, name: string])[] = [
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

const ANY = new RegExp([...KINDS.map(([it]) => it.source), FULL_WIDTH.source].join('|'));

/** The first such character of a text. */
export function lookalikeIn(text: string): Lookalike | undefined {
  const found = ANY.exec(text)?.[0];
  if (found === undefined) return undefined;
  return { name: nameOf(found), meant: text.replace(new RegExp(ANY, 'g'), meantBy) };
}

/** `a no-break space (U+00A0)`. */
function nameOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `${kindOf(character)?.[2] ?? 'a full-width character'} (U+${code})`;
}

const meantBy = (character: string): string =>
  kindOf(character)?.[1] ?? String.fromCharCode(character.charCodeAt(0) - FULL_WIDTH_OFFSET);

const kindOf = (character: string) => KINDS.find(([it]) => it.test(character));

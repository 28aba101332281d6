import { SECRET } from './hostile-text.ts';

/**
 * Characters that a text must not contain when it is printed to a terminal or to the log of a job, apart from colours
 * of weft.
 */
const FAULTS: Readonly<Record<string, RegExp>> = {
  'a command at the start of a line': /^\s*::/m,
  'a workflow command': /::(?:error|warning|notice|debug|group|endgroup|add-|set-|save-|stop-|echo|remove-)/i,
  'a command of the first kind': /##\w*\[/,
  'a control character': /[^\P{Cc}\n]/u,
  'a format character': /\p{Cf}/u,
  'a separator of lines': /[\p{Zl}\p{Zp}]/u,
  'half of a pair': /\p{Cs}/u,
  'a space that is none': /[^\P{Zs} ]|\u2800/u,
  'a character without a shape':
    /\u115f|\u1160|\u3164|\uffa0|\p{Variation_Selector}(?<!\p{Extended_Pictographic}\ufe0f)/u,
  'a noncharacter': /\p{Noncharacter_Code_Point}/u,
  'a secret': new RegExp(SECRET),
};

/** The faults of a printed text, by name. */
export const lineFaults = (text: string): readonly string[] => faultsIn(text, FAULTS);

const MARKDOWN_FAULTS: Readonly<Record<string, RegExp>> = {
  ...FAULTS,
  // The zero-width spaces that weft itself puts between the parts of a mention or an address.
  'a format character': /(?!\u200b)\p{Cf}/u,
  'a mention': /(?<![\w/])@\w/,
  'a reference': /#\d|\bGH-\d/i,
  'a link': /(?<!\\)(?:\\\\)*\](?:\(|\[|:)/,
  'an autolink': /\b(?:https?|ftp):\/\/|\bwww\.|\b(?:mailto|xmpp):(?!\u200b)/i,
  'an element': /<(?!\/?(?:details|summary|br|span)>|!-- weft:)/,
  'a formula': /\$(?!<)/,
  'the short name of an emoji': /:[\w+-]+:/,
};

/** The faults of Markdown that GitHub would show, by name. Code spans show their text as it is. */
export const markdownFaults = (text: string): readonly string[] =>
  faultsIn(text.replace(/(?<![`\\])(`+)(?!`)(?:(?!\1(?!`))[\s\S])*?[^`]\1(?!`)/g, '(code)'), MARKDOWN_FAULTS);

const faultsIn = (text: string, faults: Readonly<Record<string, RegExp>>): readonly string[] =>
  Object.entries(faults).flatMap(([name, pattern]) => {
    const found = pattern.exec(text);
    return found === null
      ? []
      : [`${name}: ${JSON.stringify(text.slice(Math.max(0, found.index - 30), found.index + 30))}`];
  });

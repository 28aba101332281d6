import type { Source, Span } from '../source/source.ts';

const hiddenTexts = new WeakMap<Source, Source>();

/** A place in a dump as messages may show it. */
export function hiddenSpan(source: Source, start: number, end: number): Span {
  const hidden = hiddenTexts.get(source) ?? hideValues(source);
  hiddenTexts.set(source, hidden);
  return { source: hidden, start, end };
}

/**
 * The same text with an asterisk for each character of its values, for messages that show a line of it: a dump may contain
 * Secrets. Keys, brackets and places stay.
 */
const hideValues = ({ path, text }: Source): Source => ({ path, text: text.replace(TOKEN, hidden) });

/** A key of JSON or of YAML, with the dash and the colon that it may have; or a part of a value. */
const TOKEN = /("[\w./-]{1,300}"(?=\s{0,20}:)|^[\s-]{0,200}[\w./-]{1,300}:(?=\s|$)|^---$|-(?= ))|[^\s{}[\],:]+/gm;

const hidden = (found: string, key: string | undefined): string => key ?? '*'.repeat(found.length);

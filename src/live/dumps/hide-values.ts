import type { Source, Span } from '../../base/source/source.ts';

/** Characters on each side of a place that may be shown. */
const NEAR = 1000;

/**
 * A place in a dump as messages may show it: with its line, in which an asterisk stands for each character of a value, since
 * a dump may contain Secrets. Of the lines before it only the ends are kept: a message must not keep a whole dump in memory.
 */
export function hiddenSpan({ path, text }: Source, start: number, end: number): Span {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', end);
  const line = hiddenLine(text.slice(from, next === -1 ? text.length : next), start - from);
  const before = '\n'.repeat(linesBefore(text, from));
  const offset = before.length - from;
  return { source: { path, text: before + line }, start: start + offset, end: end + offset };
}

function linesBefore(text: string, end: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** A line may have megabytes; what is far from the place is hidden without a look at it. */
function hiddenLine(line: string, at: number): string {
  const from = Math.max(0, at - NEAR);
  const to = Math.min(line.length, at + NEAR);
  if (from === 0 && to === line.length) return hideValues(line);
  // An asterisk in front: what is cut in the middle is not at the start of a line.
  const near = hideValues(`${from === 0 ? '' : '*'}${line.slice(from, to)}`).slice(from === 0 ? 0 : 1);
  return '*'.repeat(from) + near + '*'.repeat(line.length - to);
}

/** The same text with an asterisk for each character of its values. Keys, brackets and places stay. */
const hideValues = (text: string): string => text.replace(TOKEN, hidden);

/** A key of JSON or of YAML, with the dash and the colon that it may have; or a part of a value. */
const TOKEN = /("[\w./-]{1,300}"(?=\s{0,20}:)|^[\s-]{0,200}[\w./-]{1,300}:(?=\s|$)|^---$|-(?= ))|[^\s{}[\],:]+/gm;

const hidden = (found: string, key: string | undefined): string => key ?? '*'.repeat(found.length);

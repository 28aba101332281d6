/** A place in a topology that is being written, which is often not YAML yet. */
export interface YamlPosition {
  /** Keys from the top, with `[]` for an entry of a list. */
  readonly path: readonly string[];
  /** A key is written here, or the value of the last key of the path. */
  readonly kind: 'key' | 'value';
  /** The start of the word that is being written. */
  readonly from: number;
}

const ITEM = '[]';

interface Level {
  readonly column: number;
  readonly segment: string;
}

const KEY = /^("[^"]*"|'[^']*'|[^\s:#{}[\],&*!|>%@`"'-][^:#{}[\],]*?|-[^\s:#][^:#]*?)[ \t]*:(?=[ \t]|$)/;

/** Finds the place of an offset; `null` inside of comments and of texts of several lines. */
export function yamlPosition(text: string, offset: number): YamlPosition | null {
  const levels: Level[] = [];
  let at = 0;
  while (at <= offset) {
    const end = lineEnd(text, at);
    const line = text.slice(at, Math.min(end, offset));
    const isLast = offset <= end;
    const indent = line.length - line.trimStart().length;
    if (line.trimStart().startsWith('#')) {
      if (isLast) return null;
      at = end + 1;
      continue;
    }
    if (line.trim() === '' && !isLast) {
      at = end + 1;
      continue;
    }
    const { column, rest } = enterItems(levels, line, indent);
    const key = KEY.exec(rest);
    let value = at + column;
    if (key?.[1] === undefined) {
      leave(levels, column);
      if (isLast && !/^[[{]/.test(rest)) return plainPosition(segmentsOf(levels), rest, at + column);
    } else {
      leave(levels, column);
      levels.push({ column, segment: unquoted(key[1]) });
      value += key[0].length;
    }
    const start = value + (text.slice(value, offset).length - text.slice(value, offset).trimStart().length);
    const first = text.charAt(start);
    if (start < end && (first === '[' || first === '{')) {
      const flow = flowPosition(text, { start, offset, path: segmentsOf(levels) });
      if (flow.kind === 'inside') return flow.position;
      at = lineEnd(text, flow.end) + 1;
      continue;
    }
    if (isLast) return valuePosition(text, { value, offset, path: segmentsOf(levels) });
    at = first === '|' || first === '>' ? afterBlockText(text, end + 1, indent) : end + 1;
    if (at > offset) return null;
  }
  return { path: [], kind: 'key', from: offset };
}

const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
};

const segmentsOf = (levels: readonly Level[]): readonly string[] => levels.map((it) => it.segment);

const unquoted = (key: string): string => key.replace(/^(["'])(.*)\1$/, '$2');

/** Leaves the levels that a text in this column does not continue. */
function leave(levels: Level[], column: number): void {
  while ((levels.at(-1)?.column ?? -1) >= column) levels.pop();
}

/** Enters the entries of lists with which a line begins. */
function enterItems(levels: Level[], line: string, indent: number): { readonly column: number; readonly rest: string } {
  let column = indent;
  for (let dash = /^-(?:[ \t]+|$)/.exec(line.slice(column)); dash; dash = /^-(?:[ \t]+|$)/.exec(line.slice(column))) {
    // A list may be in the column of its key.
    while ((levels.at(-1)?.column ?? -1) > column || isItem(levels.at(-1), column)) levels.pop();
    levels.push({ column, segment: ITEM });
    column += dash[0].length;
  }
  return { column, rest: line.slice(column) };
}

const isItem = (level: Level | undefined, column: number): boolean =>
  level?.segment === ITEM && level.column === column;

/** A word that is not followed by a colon: the beginning of a key, or a value in a list. */
const plainPosition = (path: readonly string[], rest: string, from: number): YamlPosition | null =>
  / #/.test(rest) ? null : { path, kind: 'key', from };

interface ValueRequest {
  readonly value: number;
  readonly offset: number;
  readonly path: readonly string[];
}

function valuePosition(text: string, { value, offset, path }: ValueRequest): YamlPosition | null {
  const written = text.slice(value, offset);
  if (written === '' || / #/.test(written)) return null;
  return { path, kind: 'value', from: offset - written.trimStart().length };
}

/** The first line that is not part of a text of several lines, which begins on the line of its key. */
function afterBlockText(text: string, start: number, indent: number): number {
  let at = start;
  while (at < text.length) {
    const line = text.slice(at, lineEnd(text, at));
    if (line.trim() !== '' && line.length - line.trimStart().length <= indent) return at;
    at = lineEnd(text, at) + 1;
  }
  return at;
}

interface FlowRequest {
  readonly start: number;
  readonly offset: number;
  readonly path: readonly string[];
}

type Flow =
  | { readonly kind: 'inside'; readonly position: YamlPosition | null }
  | { readonly kind: 'after'; readonly end: number };

interface Frame {
  readonly isMap: boolean;
  key: string | null;
  /** The start of the word that is being written. */
  word: number;
}

/** Reads a map or a list in brackets, up to its end or to the offset. */
function flowPosition(text: string, { start, offset, path }: FlowRequest): Flow {
  const frames: Frame[] = [];
  for (let at = start; at < offset; at++) {
    const one = text.charAt(at);
    const frame = frames.at(-1);
    const word = frame === undefined ? '' : text.slice(frame.word, at).trim();
    if ((one === '"' || one === "'") && word === '') {
      const end = text.indexOf(one, at + 1);
      if (end === -1 || end >= offset) return { kind: 'inside', position: null };
      at = end;
    } else if (one === '#' && /\s/.test(text.charAt(at - 1))) {
      if (lineEnd(text, at) >= offset) return { kind: 'inside', position: null };
      at = lineEnd(text, at);
    } else if (one === '[' || one === '{') {
      frames.push({ isMap: one === '{', key: null, word: at + 1 });
    } else if (one === ']' || one === '}') {
      frames.pop();
      if (frames.length === 0) return { kind: 'after', end: at };
    } else if (one === ',' && frame !== undefined) {
      frame.key = null;
      frame.word = at + 1;
    } else if (one === ':' && frame?.isMap && /[\s,[\]{}]|^$/.test(text.charAt(at + 1))) {
      frame.key = unquoted(word);
      frame.word = at + 1;
    }
  }
  const frame = frames.at(-1);
  if (frame === undefined) return { kind: 'inside', position: null };
  const written = text.slice(frame.word, offset);
  const segments = frames.flatMap((it) => (it.isMap ? (it.key === null ? [] : [it.key]) : [ITEM]));
  return {
    kind: 'inside',
    position: {
      path: [...path, ...segments],
      kind: frame.isMap && frame.key === null ? 'key' : 'value',
      from: offset - written.trimStart().length,
    },
  };
}

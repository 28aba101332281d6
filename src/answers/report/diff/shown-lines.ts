import { hasPrivateKey } from '../../../base/core/private-keys.ts';
import { visibleText } from '../../../base/core/visible-text.ts';
import { shortened } from '../../../base/core/words.ts';
import type { Lines } from '../../../plan/diff/file-diff.ts';

/** Code units of a line that are shown. Lines of weft are shorter. */
const LONGEST = 1_000;

/**
 * The lines of an object as they can be shown: nothing in them is hidden, and no value of a Secret, no private key, password or token
 * is in them. weft writes none, but a base may contain whatever somebody has committed.
 */
export function shownLines(lines: Lines | null): (at: number) => string {
  if (lines === null) return () => '';
  const hide = hiderOf(lines);
  return (at) => {
    const [line = '', ...more] = hide(at).split('\n');
    return [visibleText(shortened(line, LONGEST)), ...more].join('\n');
  };
}

const HIDDEN = '***';

function hiderOf({ of, start, end }: Lines): (at: number) => string {
  let isSecret = false;
  for (let at = start; at < end; at++) {
    const line = of[at] as string;
    // Not even its other lines: those of PEM follow each other.
    if (hasPrivateKey(line)) return () => HIDDEN;
    isSecret ||= SECRET.test(line);
  }
  return isSecret ? hiderOfSecret(of, start, end) : (at) => of[at] as string;
}

const SECRET = /\bkind["']?\s*:\s*["']?Secret\b/;

/** The parts of a Secret in which everything may be a value of it: an annotation may repeat the whole Secret. */
const WITH_VALUES = /^(?:(?:data|stringData)|metadata\.annotations)$/;

/** Of a Secret in block YAML, the keys stay. In another form, nothing does. */
function hiderOfSecret(of: readonly string[], start: number, end: number): (at: number) => string {
  const shown = new Map<number, string>();
  let section = '';
  let isBlock = false;
  for (let at = start; at < end; at++) {
    const line = of[at] as string;
    const [, top, rest = ''] = /^([A-Za-z]\w*):(.*)$/.exec(line) ?? [];
    if (top !== undefined) {
      section = top;
      isBlock ||= top === 'kind' && SECRET.test(line);
      shown.set(at, /^\s*$/.test(rest) || /^(?:apiVersion|kind|type)$/.test(top) ? line : `${top}: ${HIDDEN}`);
      continue;
    }
    const [, below] = /^ {2}([A-Za-z]\w*):/.exec(line) ?? [];
    if (section.startsWith('metadata') && below !== undefined) {
      section = `metadata.${below}`;
      shown.set(
        at,
        WITH_VALUES.test(section) ? line.replace(/:.*$/, `:${/:\s*$/.test(line) ? '' : ` ${HIDDEN}`}`) : line,
      );
      continue;
    }
    shown.set(at, WITH_VALUES.test(section) || !section.startsWith('metadata') ? withoutValue(line) : line);
  }
  return (at) => (isBlock ? (shown.get(at) ?? HIDDEN) : HIDDEN);
}

/** A key with nothing behind it; a line that is no entry is a part of a value. */
function withoutValue(line: string): string {
  const [, key] = /^( {2}[\w.-]+:) /.exec(line) ?? [];
  return key === undefined ? HIDDEN : `${key} ${HIDDEN}`;
}

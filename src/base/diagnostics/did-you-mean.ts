import { maskSecrets } from '../core/secrets.ts';
import { lookalikeIn, OTHER_SPACE } from '../core/visible-text.ts';
import { lineText, placeAt } from '../source/source.ts';
import type { Diagnostic } from './diagnostic.ts';
import { failure, type Outcome } from './outcome.ts';

/**
 * The known name that was probably intended: the one with the smallest edit distance (a swap of neighbours is one
 * edit), if that is at most a third of the word. `undefined` when no name is close enough.
 */
export function didYouMean(wrong: string, known: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(Math.max(wrong.length, 3) / 3));
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of known) {
    if (Math.abs(name.length - wrong.length) > limit) continue;
    const distance = editDistance(wrong.toLowerCase(), name.toLowerCase());
    if (distance <= limit && (best === undefined || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}

/**
 * The number of wrong names for which a similar name is searched. Each is compared with every known name, and further
 * hints would not help.
 */
const MOST_SEARCHED = 200;

/** Like `meantHint` for many wrong names; only the first ones get a hint. */
export function meantHints(known: readonly string[]): (wrong: string) => string | undefined {
  const hints = new Map<string, string | undefined>();
  return (wrong) => {
    if (!hints.has(wrong) && hints.size < MOST_SEARCHED) hints.set(wrong, meantHint(wrong, known));
    return hints.get(wrong);
  };
}

/** The hint `did you mean "rome"?`, or `undefined`. */
export function meantHint(wrong: string, known: readonly string[]): string | undefined {
  const name = didYouMean(wrong, known);
  return name === undefined ? undefined : `did you mean "${name}"?`;
}

function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const above = rows[i - 1] as number[];
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min((above[j] as number) + 1, (row[j - 1] as number) + 1, (above[j - 1] as number) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        value = Math.min(value, ((rows[i - 2] as number[])[j - 2] as number) + 1);
      }
      row.push(value);
    }
    rows.push(row);
  }
  return (rows[a.length] as number[])[b.length] as number;
}

/** The number of UTF-16 code units of a place that are searched: a value is shorter, and a span may be a whole map. */
const LONGEST_PLACE = 200;

/** Texts that other programs replace: `${HUB}`, `$(HUB)`, `$HUB`, `{{ .Values.hub }}`, `<hub>`, `%HUB%`. */
const PLACEHOLDER = /\$\{[^}]*\}?|\$\([\w.]+\)|\$[A-Z_][A-Z\d_]*|\{\{.*?(?:\}\}|$)|<[A-Za-z][\w -]*>|%[A-Z_]+%/m;

const SPACE_IN_KEY = new RegExp(`^ *[^\\s:"'#]+:${OTHER_SPACE.source}`);

/**
 * Replaces the hint of errors about text with a no-break space, a typographic dash or a similar character, because such a
 * text looks right on a screen; and of errors about a variable or a template. No other advice helps.
 */
export const nameLookalikes = <T>(read: Outcome<T>): Outcome<T> =>
  read.ok ? read : failure(read.diagnostics.map(withName));

function withName(it: Diagnostic): Diagnostic {
  const { source, start, end } = it.span;
  if (it.severity !== 'error') return it;
  const text = source.text.slice(start, Math.min(end, start + LONGEST_PLACE));
  const line = lineText(source, placeAt(source, start).line).slice(0, LONGEST_PLACE);
  // With another space behind its colon, the key of a map reaches to the next colon.
  const lookalike = lookalikeIn(it.code === 'topology/wrong-type' && SPACE_IN_KEY.test(line) ? line : text);
  const meant = maskSecrets(lookalike?.meant.trim() ?? '');
  if (lookalike !== undefined && meant !== '') return { ...it, hint: `it contains ${lookalike.name}; write ${meant}` };
  // The parser of YAML stops inside of a template.
  const [placeholder] = PLACEHOLDER.exec(it.code.startsWith('source/') ? line : text) ?? [];
  return placeholder === undefined
    ? it
    : {
        ...it,
        hint: `weft fills in no variables and no templates: replace ${maskSecrets(placeholder)} before weft reads the file`,
      };
}

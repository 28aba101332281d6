import { visibleJson } from '../../base/core/visible-text.ts';
import type { PairFate } from '../../reach/trace/pair-fates.ts';
import { printJson } from './diagnostics-document.ts';
import { pairRow } from './trace-document.ts';

/** The document around the pairs, which begins with `before` and ends with `after`. */
interface Around {
  readonly before: object;
  readonly after: object;
}

/** UTF-16 code units of a part. */
const PART = 1 << 18;

/**
 * A document with a row for each pair, as `printJson` prints it, in parts of some hundred thousand characters: a fleet of
 * 10,000 links has 83 million pairs, and no text is as long as their document.
 */
export function* printPairsJson(pairs: Iterable<PairFate>, { before, after }: Around): Iterable<string> {
  const [head, foot] = printJson({ ...before, pairs: [], ...after }).split(EMPTY);
  let part = `${head}\n  "pairs": [`;
  let separator = '\n';
  const [fromLine, toLine, restOf] = [endLines('from'), endLines('to'), printedRests()];
  for (const it of pairs) {
    part += `${separator}    {\n${fromLine(it.from)}${toLine(it.to)}${restOf(it)}`;
    separator = ',\n';
    if (part.length < PART) continue;
    yield part;
    part = '';
  }
  yield `${part}${separator === '\n' ? ']' : '\n  ]'}${foot}`;
}

/** No text of a document has a line break, and only its own keys are indented by two spaces. */
const EMPTY = '\n  "pairs": []';

/** The line of a row with the name of one end; printed once for each cluster. */
function endLines(key: 'from' | 'to'): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    const kept = known.get(name);
    if (kept !== undefined) return kept;
    const line = visibleJson(`      "${key}": ${JSON.stringify(name)},\n`);
    known.set(name, line);
    return line;
  };
}

/** All behind the names, which follows from the way: there are far fewer ways than pairs. */
function printedRests(): (pair: PairFate) => string {
  let last: Rest | undefined;
  const known = new WeakMap<PairFate['way'], Rest>();
  return (pair) => {
    if (last && isOf(pair, last)) return last.text;
    const kept = known.get(pair.way);
    last =
      kept && isOf(pair, kept)
        ? kept
        : { way: pair.way, fate: pair.fate, keyless: pair.keyless, text: printRest(pair) };
    if (last !== kept) known.set(pair.way, last);
    return last.text;
  };
}

const isOf = ({ way, fate, keyless }: PairFate, rest: Rest): boolean =>
  rest.way === way && rest.fate === fate && rest.keyless === keyless;

interface Rest extends Pick<PairFate, 'way' | 'fate' | 'keyless'> {
  readonly text: string;
}

/** A row behind its names. */
function printRest(pair: PairFate): string {
  const { from: _, to: __, ...rest } = pairRow(pair);
  const [, ...lines] = visibleJson(JSON.stringify(rest, null, 2)).split('\n');
  return lines.map((it) => `    ${it}`).join('\n');
}

import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { type Source, startOf } from '../../base/source/source.ts';
import { parseSlices } from './parse-slices.ts';
import { readAddressAt } from './read-address.ts';
import { NOTHING_LEFT, nothingToTranslate } from './translate-diagnostics.ts';
import type { TranslateInput } from './translate-input.ts';

/** A line that only an object can have: a bracket, a list, a document mark, or a key with its colon. */
const OBJECT_LINE = /^\s*(?:[{[]|---|- |["']?[\w./-]+["']?:(?:\s|$))/m;

/** EndpointSlices in YAML or JSON, or bare addresses separated by spaces, line breaks or commas. */
export function parseInput(source: Source): Outcome<TranslateInput> {
  return OBJECT_LINE.test(source.text.replace(/^\ufeff/, '')) ? parseSlices(source) : parseAddresses(source);
}

/** Words and comments, which begin with `#` and end with their line. */
const WORD = /#.*|[^\s,\ufeff]+/g;

function parseAddresses(source: Source): Outcome<TranslateInput> {
  const problems: Diagnostic[] = [];
  const words = [...source.text.matchAll(WORD)].filter((it) => !it[0].startsWith('#'));
  const addresses = words.flatMap(({ 0: text, index }) =>
    readAddressAt(text, { source, start: index, end: index + text.length }, problems),
  );
  if (words.length === 0) problems.push(nothingToTranslate(startOf(source)));
  else if (addresses.length === 0 && problems.every((it) => it.severity !== 'error'))
    problems.push(nothingToTranslate(startOf(source), NOTHING_LEFT));
  return outcome({ kind: 'addresses', addresses }, problems);
}

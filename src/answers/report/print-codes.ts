import { CODES, type Code } from '../../base/diagnostics/codes.ts';
import { alignRows } from './align-rows.ts';
import { diagnosticsDocument } from './diagnostics-document.ts';
import type { Paint } from './paint.ts';
import { wrapLines } from './wrap-text.ts';

interface CodeRow {
  readonly code: Code;
  /** One sentence. */
  readonly summary: string;
}

/** `weft explain`: all codes in columns, then the keys at the top of a topology. */
export const printCodes = (codes: readonly CodeRow[], keys: readonly string[], paint: Paint): string =>
  [
    ...alignRows(
      codes.map(({ code, summary }) => [code, CODES[code], summary]),
      paint.columns,
    ),
    '',
    ...wrapLines([`keys of the topology, for instance "weft explain gateway.dial": ${keys.join(', ')}`], paint),
    '',
  ].join('\n');

/** `weft explain -o json`. */
export const codesDocument = (codes: readonly CodeRow[]): object => ({
  ...diagnosticsDocument([]),
  codes: codes.map(({ code, summary }) => ({ code, severity: CODES[code], summary })),
});

/** `weft explain CODE -o json`. */
export const explainedCodeDocument = ({ code, page }: { readonly code: Code; readonly page: string }): object => ({
  ...diagnosticsDocument([]),
  code: { code, severity: CODES[code], page },
});

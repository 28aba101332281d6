import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Located } from '../../../base/source/located.ts';
import { quotedPiece } from '../../../base/source/quoted-piece.ts';
import type { TextFormat } from '../formats/text-format.ts';
import type { Report } from '../report.ts';

/** Reports a text that does not have the format of its key. `what` names the key: `` `liqo.namespace` of "rome" ``. */
export function checkText(text: Located<string> | undefined, format: TextFormat, what: string, report: Report): void {
  const hint = text && format.hintFor(text.value);
  if (!text || hint === undefined) return;
  report(diagnostic(format.code, text.at, `${what} is not ${format.noun}: ${quotedPiece(text.value)}`, { hint }));
}

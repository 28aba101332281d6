import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Assertion } from '../../../base/schema-types/topology.ts';
import { quotedPiece } from '../../../base/source/quoted-piece.ts';
import type { Reading } from '../../../base/source/reading.ts';
import { isAboutService } from '../read-assertions.ts';
import { readServiceName } from '../read-service-name.ts';
import type { Report } from '../report.ts';

/** The name of a Service in an assertion, and that nothing else is beside it. */
export function checkAssertionTexts(written: Reading<Assertion>, report: Report): void {
  if (!isAboutService(written)) return;
  for (const { name, value } of written.at('to').scalars()) {
    if (name.value === 'of') continue;
    if (name.value !== 'service') {
      const message = `${quotedPiece(name.value)} does not belong to a Service`;
      report(diagnostic('topology/unknown-key', name.at, message, { hint: 'write `service` and `of` only' }));
    } else if (readServiceName(value.value) === undefined) {
      const message = `${quotedPiece(value.value)} is not the namespace and the name of a Service`;
      report(diagnostic('topology/bad-name', value.at, message, { hint: 'write it like demo/web' }));
    }
  }
}

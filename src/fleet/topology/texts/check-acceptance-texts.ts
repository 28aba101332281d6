import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Acceptance } from '../../../base/schema-types/topology.ts';
import type { Reading } from '../../../base/source/reading.ts';
import { ACCEPTABLE_CODE } from '../formats/acceptable-code.ts';
import { REASON } from '../formats/reason.ts';
import type { Report } from '../report.ts';
import { checkText } from './check-text.ts';

/** The texts of an entry of `accept`, and that it names one place. */
export function checkAcceptanceTexts(entry: Reading<Acceptance>, report: Report): void {
  checkText(entry.at('code').scalar(), ACCEPTABLE_CODE, '`code`', report);
  checkText(entry.at('reason').scalar(), REASON, '`reason`', report);
  if (!entry.at('cluster').isPresent || !entry.at('link').isPresent) return;
  const message = '`cluster` and `link` exclude each other: an acceptance is about one place';
  report(diagnostic('topology/wrong-value', entry.at('link').keySpan, message, { hint: 'write two entries' }));
}

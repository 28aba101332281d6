import { type Answer, forTools } from './answer.ts';
import { type DriftReport, driftDiagnostics, printDrift } from './drift.ts';
import { driftDocument } from './drift-document.ts';
import { printDriftMarkdown } from './drift-markdown.ts';
import { MARKDOWN_LIMIT } from './plan/print-plan-markdown.ts';

/** `weft drift`. The text has every problem; tools get diagnostics for them. */
export const driftAnswer: Answer<'drift', DriftReport> = {
  text: printDrift,
  json: (report) => ({ drift: driftDocument(report) }),
  markdown: (report) => printDriftMarkdown(report, { limit: MARKDOWN_LIMIT }),
  ...forTools(({ clusters }) => driftDiagnostics(clusters)),
};

import { printRemarkAnnotation } from '../../answers/report/print-annotations.ts';
import type { Remark } from '../../answers/report/remark.ts';
import { appendToFile } from '../disk/append-to-file.ts';
import { jobSummary } from '../forge/job-summary.ts';
import type { Host } from './host.ts';
import { describeFailure } from './print-failure.ts';
import { formatIn, type ReportOptions } from './report-diagnostics.ts';

/**
 * Shows a failure where the run of a workflow is read: as an annotation, and on the page of the run. The log gets it from
 * `printFailure`.
 */
export async function reportFailure(host: Host, options: ReportOptions, error: unknown): Promise<void> {
  const { message, hint } = describeFailure(error, host);
  const remark: Remark = { severity: 'error', message, hint };
  if (formatIn(host, options) === 'github') await host.stdout.write(printRemarkAnnotation(remark));
  const summaryFile = host.env['GITHUB_STEP_SUMMARY'];
  if (summaryFile === undefined || summaryFile === '') return;
  const page = jobSummary({ topology: null, remarks: [remark], diagnostics: [], plan: null, pathOf: (path) => path });
  // The failure itself is more important than one of its page.
  await appendToFile(summaryFile, page).catch(() => undefined);
}

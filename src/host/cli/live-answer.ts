import { type LookReport, lookDocument, printLookFoot, printLookHead } from '../../answers/report/live-look.ts';
import { plainPaint } from '../../answers/report/paint.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { LiveLook } from '../app/network-of.ts';
import { choosePaint } from '../front/choose-paint.ts';
import type { Host } from '../front/host.ts';
import { type ReportOptions, reportDiagnostics } from '../front/report-diagnostics.ts';

interface LiveAnswer {
  readonly live: LiveLook | null;
  /** What is broken in the live clusters: none of it prevents an answer. */
  readonly diagnostics: readonly Diagnostic[];
  /** Whether the answer is about the link of a fault. */
  readonly isAbout: (fault: LiveLook['faults'][number]) => boolean;
  readonly gitSays: readonly string[];
}

/** What is printed around an answer about live clusters; nothing around one about git. */
export async function liveAnswer(host: Host, options: ReportOptions, answer: LiveAnswer) {
  const { live, isAbout, gitSays, diagnostics } = answer;
  if (live === null) return { head: '', foot: '', document: {} };
  if (options.output !== 'json') await reportDiagnostics(host, options, diagnostics, 'warnings');
  const { sources, looked, inferred } = live;
  const report: LookReport = { sources, looked, inferred, faults: live.faults.filter(isAbout), gitSays };
  const paint = options.output === 'markdown' ? plainPaint : choosePaint(options.color, host.env, host.stdout);
  const foot = printLookFoot(report, paint);
  const text = options.output === 'markdown' ? foot.replace(/^(?=.)/gm, '- ') : foot;
  return { head: printLookHead(report), foot: text, document: { live: lookDocument(report) } };
}

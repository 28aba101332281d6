import { printRemarkAnnotation } from '../../../answers/report/print-annotations.ts';
import { printRemark, type Remark } from '../../../answers/report/remark.ts';
import { inWordsOf } from '../../forge/forge-words.ts';
import { choosePaint } from '../choose-paint.ts';
import { formatIn, inWords } from '../report-diagnostics.ts';
import { type PullRequestRun, summarise } from './pull-request-run.ts';

/** Shows remarks in the log, and in GitHub as annotations; `summarise` adds them to the page of the run. */
export async function announce({ host, options, call }: PullRequestRun, remarks: readonly Remark[]): Promise<void> {
  const paint = choosePaint(options.color, host.env, host.stderr);
  const inForgeWords = inWordsOf(call.words);
  for (const remark of inWords(options, remarks)) {
    const it = { ...remark, message: inForgeWords(remark.message) };
    if (it.severity !== 'note' || !options.quiet) await host.stderr.write(printRemark(it, paint));
    if (formatIn(host, options) === 'github') await host.stdout.write(printRemarkAnnotation(it));
  }
}

/** Shows the one remark of a run that has nothing else to show. */
export async function announceAlone(run: PullRequestRun, topology: string, remark: Remark): Promise<void> {
  await announce(run, [remark]);
  await summarise(run, { topology, remarks: [remark], diagnostics: [], plan: null });
}

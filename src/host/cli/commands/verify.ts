import { diagnosticsDocument, printJson } from '../../../answers/report/diagnostics-document.ts';
import { visibleText } from '../../../base/core/visible-text.ts';
import { countOf } from '../../../base/core/words.ts';
import { diskPorts } from '../../app/disk-ports.ts';
import { verifyFleet } from '../../app/verify-fleet.ts';
import { bundlesFolder } from '../../front/bundles-folder.ts';
import { choosePaint } from '../../front/choose-paint.ts';
import { EXIT, type ExitCode, growHeapLeast, type Host } from '../../front/host.ts';
import { formatOf, reportDiagnostics, reportUnanswered } from '../../front/report-diagnostics.ts';
import type { Call } from '../options-of.ts';

/** `weft verify`: reads the emitted files back, independently, and proves what they promise. Writes nothing. */
export async function verifyCommand(host: Host, { args, options }: Call<'verify'>): Promise<ExitCode> {
  growHeapLeast();
  const out = bundlesFolder(options);
  const result = await verifyFleet(diskPorts(host.cwd).files, { topology: args[0], lock: options.lock, out });
  if (result.kind !== 'verified') return reportUnanswered(host, options, result);
  const { diagnostics, counts } = result;
  await reportDiagnostics(host, options, diagnostics);
  const document = diagnosticsDocument(diagnostics);
  const format = formatOf(options);
  if (format === 'json') await host.stdout.write(printJson({ ...document, verified: { out, ...counts } }));
  if (format === 'text' && document.ok && !options.quiet) {
    const paint = choosePaint(options.color, host.env, host.stdout);
    const looked = `${countOf(counts.files, 'file')}, ${countOf(counts.clusters, 'cluster')}, ${countOf(counts.links, 'link')}`;
    await host.stdout.write(
      `${visibleText(out)}/ ${paint.good('keeps')} its promises: ${looked}${keylessText(counts)}\n`,
    );
  }
  return document.ok ? EXIT.yes : EXIT.no;
}

/** Files can be right although packets do not pass. */
function keylessText({ keyless: { length: keyless } }: { readonly keyless: readonly object[] }): string {
  if (keyless === 0) return '';
  const have = keyless === 1 ? 'has' : 'have';
  return `; ${countOf(keyless, 'gateway')} ${have} no public key, so ${keyless === 1 ? 'its link carries' : 'their links carry'} nothing`;
}

import { basename, dirname, isAbsolute, relative, resolve } from 'node:path';
import { visibleText } from '../../../base/core/visible-text.ts';
import { reportFleet } from '../../app/report-fleet.ts';
import { writeOwnFiles } from '../../disk/write-own-files.ts';
import { bundlesFolder, liveRequest } from '../../front/argument-values.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import { EXIT, type ExitCode, type Host, systemClock } from '../../front/host.ts';
import { readingClusters, reportDiagnostics, showUnanswered } from '../../front/show.ts';
import { PAGE_START, pageWith } from '../../page/page-data.ts';
import type { Call, OptionsOf } from '../options-of.ts';

/** The default file; not in `out/`, where only compiled files belong. */
const FILE = 'weft-report.html';

/** `weft report [topology]`: the fleet as a page with the compiler in it. */
export async function reportCommand(host: Host, { args, options }: Call<'report'>): Promise<ExitCode> {
  const { output, ...printing } = options;
  const out = bundlesFolder(options);
  const file = output ?? FILE;
  if (file !== '-') refuseInside(host, out, file);
  const result = await readingClusters(host, options, (ports) =>
    reportFleet(
      { ...ports, now: systemClock.now },
      { topology: args[0], lock: options.lock, out, base: baseOf(options), live: liveRequest(options) },
    ),
  );
  if (result.kind !== 'reported') return showUnanswered(host, printing, result);
  const page = pageWith(await host.readBeside('report.html'), { weft: host.build, ...result.data });
  await reportDiagnostics(host, printing, [...result.diagnostics, ...result.broken], 'errors');
  if (file === '-') await host.stdout.write(page);
  else await writePage(host, file, page);
  if (file !== '-' && !options.quiet) await host.stderr.write(`${visibleText(`wrote ${file}`)}\n`);
  return result.broken.length > 0 ? EXIT.no : EXIT.yes;
}

function baseOf({ base, baseDir }: OptionsOf<'report'>) {
  if (base !== undefined && baseDir !== undefined)
    throw new CommandFailure('--base and --base-dir exclude each other', 'remove one of them');
  if (base !== undefined) return { of: { kind: 'ref', ref: base } as const, name: base };
  return baseDir === undefined ? null : { of: { kind: 'folder', folder: baseDir } as const, name: baseDir };
}

function refuseInside({ cwd }: Host, out: string, file: string): void {
  const below = relative(resolve(cwd, out), resolve(cwd, file));
  // The path is absolute for a folder on another drive.
  if (isAbsolute(below) || /^\.\.(?:[\\/]|$)/.test(below)) return;
  throw noPlace(file, `only compiled files belong in ${out}/, and GitOps tools apply each folder in it`);
}

async function writePage({ cwd }: Host, file: string, text: string): Promise<void> {
  const blocked = await writeOwnFiles(cwd, dirname(file), [{ name: basename(file), start: PAGE_START, text }]);
  if (blocked !== undefined) throw noPlace(file, blocked.reason);
}

const noPlace = (file: string, reason: string): CommandFailure =>
  new CommandFailure(`the page cannot be written to ${file}: ${reason}`, 'name another file with -o');

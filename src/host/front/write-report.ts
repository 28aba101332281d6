import { basename, dirname, isAbsolute, relative, resolve } from 'node:path';
import { isEmptyPlan } from '../../plan/plan-changes.ts';
import type { PlannedPullRequest } from '../app/plan-pull-request.ts';
import type { FileReader } from '../app/ports.ts';
import { inFolder, writeOwnFiles } from '../disk/write-own-files.ts';
import { PAGE_START, type PageData, pageWith } from '../page/page-data.ts';
import { CommandFailure } from './command-failure.ts';
import type { Host } from './host.ts';

/** The name of a page, unless the user chooses another one. */
export const REPORT_FILE = 'weft-report.html';

/** The page of a fleet, with the compiler in it. */
export const printReport = async (host: Host, data: Omit<PageData, 'weft'>): Promise<string> =>
  pageWith(await host.readBeside('report.html'), { weft: host.build, ...data });

/** The place of a page, as the user names it. */
interface ReportPlace {
  readonly file: string;
  /** The folder of the bundles, in which no page may be. */
  readonly out: string;
  /** The advice where the page cannot be written. */
  readonly hint: string;
}

export function refuseInBundles({ cwd }: Pick<Host, 'cwd'>, { file, out, hint }: ReportPlace): void {
  const below = relative(resolve(cwd, out), resolve(cwd, file));
  // The path is absolute for a folder on another drive.
  if (isAbsolute(below) || /^\.\.(?:[\\/]|$)/.test(below)) return;
  throw noPlace({ file, hint }, `only compiled files belong in ${out}/, and GitOps tools apply each folder in it`);
}

/** Writes a page, or with `null` removes an earlier one. */
export async function writeReport(
  { cwd }: Pick<Host, 'cwd'>,
  { file, hint }: Omit<ReportPlace, 'out'>,
  text: string | null,
): Promise<void> {
  const blocked = await writeOwnFiles(cwd, dirname(file), [{ name: basename(file), start: PAGE_START, text }]);
  if (blocked !== undefined) throw noPlace({ file, hint }, blocked.reason);
}

const noPlace = ({ file, hint }: Omit<ReportPlace, 'out'>, reason: string): CommandFailure =>
  new CommandFailure(`the page cannot be written to ${file}: ${reason}`, hint);

/**
 * Characters of the page of a pull request. A job of GitLab keeps 100 MB by default, and fails if its files are larger;
 * there may be several fleets. Source: docs.gitlab.com, "Maximum artifacts size".
 */
const MAX_CHARACTERS = 20_000_000;

/**
 * Writes the page of a pull request into a folder, for `--report`, and returns its path. Returns `null` when nothing
 * changes, and removes the page of an earlier run, which shows another change.
 */
export async function writePullRequestReport(
  host: Host,
  files: FileReader,
  { folder, planned }: { readonly folder: string; readonly planned: PlannedPullRequest },
): Promise<string | null> {
  const place = { file: inFolder(folder, REPORT_FILE), hint: 'name another folder with --report' };
  refuseInBundles(host, { ...place, out: planned.out });
  // Loaded here, because few runs write a page.
  const { reportPullRequest } = await import('../app/report-fleet.ts');
  const page = isEmptyPlan(planned.plan) ? null : await printReport(host, await reportPullRequest(files, planned));
  const isTooLarge = page !== null && page.length > MAX_CHARACTERS;
  await writeReport(host, place, isTooLarge ? null : page);
  if (isTooLarge)
    throw new CommandFailure(
      `the page would have ${page.length} characters, more than ${MAX_CHARACTERS}`,
      'run "weft report --base" in a clone',
    );
  return page === null ? null : place.file;
}

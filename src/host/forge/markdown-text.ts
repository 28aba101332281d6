import { countDiagnostics, placeRow } from '../../answers/report/diagnostics-document.ts';
import { markdownText } from '../../answers/report/markdown-text.ts';
import { addAll, largest } from '../../base/core/collections.ts';
import { visibleText } from '../../base/core/visible-text.ts';
import { countOf, shortened } from '../../base/core/words.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { type Forge, ForgeError, type ForgeFailure, type ForgeWords, type Pull, type Reviewers } from './forge.ts';

/** A code span: its fence is longer than every run of backticks inside. Source: CommonMark 0.31 6.1. */
export function codeSpan(text: string): string {
  // A bar would end the cell of a table even here. Source: GitHub Flavored Markdown 4.10.
  const line = visibleText(text.replace(/\s+/g, ' ')).replace(/\|/g, '\\|');
  const longest = largest(
    [...line.matchAll(/`+/g)].map(([run]) => run.length),
    0,
  );
  const fence = '`'.repeat(longest + 1);
  const room = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${room}${line}${room}${fence}`;
}

/**
 * External text in the message of a commit, on one line. GitHub notifies users whom a message mentions, and closes
 * issues that it names, so mentions and references get wide characters. Source: docs.github.com, "Autolinked references
 * and URLs" and "Linking a pull request to an issue".
 */
export const commitText = (text: string): string =>
  visibleText(text.replace(/\s+/g, ' '))
    .replace(/@/g, '\uff20')
    .replace(/#/g, '\uff03')
    .replace(/\b(GH)-(?=\d)/gi, '$1\u2010');

/** The files with the lines that a plan changes. */
export interface DiffFiles {
  /** The paths of the files. */
  readonly markdown: string;
  readonly html: string;
  /** The counts: `+3 −2 lines to read in 4 files of 2 clusters, nothing folded away`. */
  readonly words: string;
}

/** Names the files in Markdown, with a link to the page of the run, where its files can be downloaded. */
export function diffLine({ markdown, html, words }: DiffFiles, runUrl: string | undefined): string {
  const names = [html, markdown].map((it) => codeSpan(fileName(it)));
  return `**Manifest diff**: ${words}. It is in ${names.join(' and ')} among the artifacts of ${runLink(runUrl)}.`;
}

/** The page with a fleet before and after a change. */
export interface ReportFile {
  readonly path: string;
  /** Its address, where that is known before the run keeps it. */
  readonly url: string | undefined;
}

/** Names the page in Markdown, with a link to it or to the page of the run. It opens at what changes by itself. */
export function reportLine({ path, url }: ReportFile, runUrl: string | undefined): string {
  const name = codeSpan(fileName(path));
  const where = url === undefined ? `${name} among the artifacts of ${runLink(runUrl)}` : `[${name}](${url})`;
  return `**Before and after**: the fleet as a page, ${where}.`;
}

const runLink = (url: string | undefined): string => (url === undefined ? 'this run' : `[this run](${url})`);

const fileName = (path: string): string => path.replace(/^.*[/\\]/s, '');

/**
 * True if two texts of a pull request or comment are equal. GitHub keeps CRLF if a browser sent it, and the number of
 * the run that wrote a text is ignored.
 */
export const sameText = (a: string, b: string): boolean => normalized(a) === normalized(b);

const normalized = (text: string): string =>
  text
    .replace(/\r\n/g, '\n')
    .replace(/\/actions\/runs\/\d+/g, '/actions/runs/0')
    .trimEnd();

/** Characters of one line, and of all lines. The plan needs the rest of a comment. */
const MAX_LINE_CHARACTERS = 700;
const MAX_CHARACTERS = 20_000;

interface Shown {
  readonly pathOf: (path: string) => string;
  readonly words: Pick<ForgeWords, 'pull'>;
}

/** Markdown above a plan: diagnostics of changes that are neither in the topology nor in base; empty without any. */
export function smuggledText(smuggled: readonly Diagnostic[], { pathOf, words }: Shown): string {
  if (smuggled.length === 0) return '';
  const { errors, warnings } = countDiagnostics(smuggled);
  if (errors + warnings === 0) return `${smuggled.map((it) => `> [!NOTE]\n> ${noteOf(it)}\n`).join('\n')}`;
  const head =
    errors > 0
      ? `> [!CAUTION]\n> **Do not merge: ${countOf(errors, 'change')} of this ${words.pull} ${errors === 1 ? 'comes' : 'come'} neither from the topology nor from the base.**`
      : smuggled.every((it) => it.code === 'provenance/lock-decides')
        ? `> [!WARNING]\n> **This ${words.pull} changes ${countOf(warnings, 'decision')} of the lock.**`
        : `> [!WARNING]\n> **This ${words.pull} needs a closer look at ${countOf(warnings, 'place')}.**`;
  const lines: string[] = [];
  let room = MAX_CHARACTERS;
  for (const it of smuggled) {
    const line = lineOf(it, pathOf);
    if (line.length > room) break;
    room -= line.length;
    lines.push(line);
  }
  const left = smuggled.length - lines.length;
  const more = left === 0 ? [] : [`- ${countOf(left, 'more place')}: see the check.`];
  return `${[head, [...lines, ...more].join('\n')].join('\n\n')}\n`;
}

const noteOf = ({ message }: Diagnostic): string => markdownText(shortened(message, MAX_LINE_CHARACTERS));

function lineOf({ span, message, severity }: Diagnostic, pathOf: (path: string) => string): string {
  const { file, line } = placeRow(span);
  const what = markdownText(shortened(message, MAX_LINE_CHARACTERS));
  return `- ${severity === 'error' ? '' : `${severity}: `}${codeSpan(`${pathOf(file)}:${line}`)}: ${what}`;
}

/** The details of a new pull request. They are not added again later, since users may have removed them. */
export interface PullDetails extends Reviewers {
  readonly labels: readonly string[];
  /** The logins of the assignees. */
  readonly assignees: readonly string[];
}

/** A detail that could not be added. */
export interface Declined {
  readonly what: 'labels' | 'reviewers' | 'teams' | 'assignees';
  readonly names: readonly string[];
  /** `null` for the author of the pull request, who cannot review it. */
  readonly reason: string | null;
}

/** Adds the details to a pull request. It exists by then, so a declined detail is no failure. */
export async function addDetails(forge: Forge, pull: Pull, details: PullDetails): Promise<readonly Declined[]> {
  const { labels, assignees, people, teams } = details;
  const isAuthor = (login: string): boolean => login.toLowerCase() === pull.author.toLowerCase();
  const authors = people.filter(isAuthor);
  return [
    ...(await unlessNone('labels', labels, () => allDone(forge.addLabels(pull.number, labels)))),
    ...(await unlessNone('assignees', assignees, () => assign(forge, pull, assignees))),
    ...declined('reviewers', authors, null),
    ...(await askAll(forge, pull, { people: people.filter((it) => !isAuthor(it)), teams })),
  ];
}

const declined = (what: Declined['what'], names: readonly string[], reason: string | null): readonly Declined[] =>
  names.length === 0 ? [] : [{ what, names, reason }];

async function unlessNone(
  what: Declined['what'],
  names: readonly string[],
  add: () => Promise<readonly Declined[]>,
): Promise<readonly Declined[]> {
  if (names.length === 0) return [];
  try {
    return await add();
  } catch (error) {
    return declined(what, names, declinedReason(error));
  }
}

/** Runs a request that either does everything or fails. */
async function allDone(request: Promise<void>): Promise<readonly Declined[]> {
  await request;
  return [];
}

async function assign(forge: Forge, pull: Pull, logins: readonly string[]): Promise<readonly Declined[]> {
  const assigned = new Set((await forge.addAssignees(pull.number, logins)).map((it) => it.toLowerCase()));
  const left = logins.filter((it) => !assigned.has(it.toLowerCase()));
  return declined('assignees', left, 'who cannot write to the repository cannot be assigned');
}

/** Requests reviews, one by one if that fails: one invalid reviewer fails the request for all. */
async function askAll(forge: Forge, pull: Pull, { people, teams }: Reviewers): Promise<readonly Declined[]> {
  const requests = [
    ...people.map((name) => ({ what: 'reviewers' as const, name, people: [name], teams: [] })),
    ...teams.map((name) => ({ what: 'teams' as const, name, people: [], teams: [name] })),
  ];
  if (requests.length === 0) return [];
  try {
    await forge.requestReviews(pull.number, { people, teams });
    return [];
  } catch (error) {
    const reason = declinedReason(error);
    if (isAboutAll(error)) return [...declined('reviewers', people, reason), ...declined('teams', teams, reason)];
  }
  const failed: Declined[] = [];
  for (const { what, name, ...one } of requests)
    addAll(failed, await unlessNone(what, [name], () => allDone(forge.requestReviews(pull.number, one))));
  return failed;
}

const ABOUT_ALL: readonly ForgeFailure[] = ['not-signed-in', 'limited', 'unreachable'];

const isAboutAll = (error: unknown): boolean => error instanceof ForgeError && ABOUT_ALL.includes(error.failure);

/** The reason in a forge's answer. Any other error is a bug and is thrown. */
function declinedReason(error: unknown): string {
  if (error instanceof ForgeError) return error.reason;
  throw error;
}

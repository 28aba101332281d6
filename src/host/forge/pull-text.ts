import { printPlanMarkdown } from '../../answers/report/plan/print-plan-markdown.ts';
import { decodedPart } from '../../base/core/encodings.ts';
import { render } from '../../base/text/render.ts';
import { isEmptyPlan, type Plan } from '../../plan/plan-changes.ts';
import type { ForgeWords } from './forge.ts';
import { codeSpan, commitText, type DiffFiles, diffLine, type ReportFile, reportLine } from './markdown-text.ts';

/**
 * Characters. GitHub accepts 65,536 in a body, and answers "body is too long" to more; some are reserved for the text
 * around a plan. Source: changesets/action, which stops at 60,000. Other forges accept more (GitLab 1,000,000).
 */
export const MAX_BODY_CHARACTERS = 60_000;

/** Markdown below a plan, and the marker above it. */
const RESERVED_CHARACTERS = 2_000;

interface PullText {
  readonly title: string;
  readonly body: string;
  /** The commit message. */
  readonly message: string;
  readonly closingComment: string;
}

/** A plan with its ID. */
interface IdentifiedPlan {
  readonly plan: Plan;
  readonly planId: string;
}

interface ProposedPlan extends IdentifiedPlan {
  readonly words: ForgeWords;
}

/** Texts of the user; `undefined` for weft's own. */
export interface PullWording {
  readonly title: string | undefined;
  /** Markdown above the plan. */
  readonly bodyPrefix: string | undefined;
  readonly commitMessage: string | undefined;
  /** True if the branch is deleted when nothing is left to merge. */
  readonly deletesBranch: boolean;
}

/**
 * The texts of the pull request of a fleet. They do not name the run, so that equal plans have equal texts.
 *
 * @param followed the pull request that edits the topology, when it is closed
 */
export function pullText(
  { plan, planId, words }: ProposedPlan,
  topology: string,
  wording: PullWording,
  followed?: number,
): PullText {
  const { fleet } = plan;
  const prefix = wording.bodyPrefix === undefined ? '' : `${wording.bodyPrefix.trimEnd()}\n\n`;
  const limit = MAX_BODY_CHARACTERS - RESERVED_CHARACTERS - prefix.length;
  const afterwards = wording.deletesBranch
    ? 'its branch is deleted, unless it contains your commits.'
    : 'its branch stays, since it may contain your commits.';
  return {
    title: wording.title ?? `Manifests of ${fleet}`,
    body: render('forge/pull-body', {
      id: fleet,
      prefix,
      plan: printPlanMarkdown(plan, { limit }).trimEnd(),
      topology: codeSpan(topology),
      planId,
      pull: words.pull,
      checksNote: words.checksNote,
    }),
    message: wording.commitMessage ?? `Compile the manifests of ${fleet}\n\nFrom ${commitText(topology)}, by weft.`,
    closingComment: `Nothing is left to merge: ${followed === undefined ? `the base branch is up to date with ${codeSpan(topology)}` : `${words.mark}${followed} is closed`}. weft closes this ${words.pull}; ${afterwards}`,
  };
}

export interface CommentParts {
  /** Markdown above the plan; with it a comment is always written. */
  readonly lead: string;
  /** The page of the run, which a shortened comment links. */
  readonly runUrl: string | undefined;
  /** The files with the changed lines, which later steps keep as artifacts of the run. */
  readonly diff: DiffFiles | null;
  /** The page of the fleet, likewise. */
  readonly report: ReportFile | null;
}

interface CommentText {
  readonly body: string;
  /** True if the plan was too long: the comment refers to the page of the run. */
  readonly namesRun: boolean;
}

/** The sticky comment of a pull request that edits a topology. */
export function commentText(
  { plan, planId }: IdentifiedPlan,
  { lead, runUrl, diff, report }: CommentParts,
): CommentText {
  // A plan without changes would mean that there is nothing to do.
  if (lead !== '' && isEmptyPlan(plan)) return { body: lead, namesRun: false };
  const limit = MAX_BODY_CHARACTERS - RESERVED_CHARACTERS - lead.length;
  const markdown = printPlanMarkdown(plan, { limit, ...(runUrl === undefined ? {} : { runUrl }) });
  const namesDiff = diff === null ? [] : [diffLine(diff, runUrl)];
  const namesReport = report === null ? [] : [reportLine(report, runUrl)];
  const text = `${[markdown.trimEnd(), ...namesDiff, ...namesReport, `Plan id: \`${planId}\``].join('\n\n')}\n`;
  return {
    body: lead === '' ? text : `${lead}\n${text}`,
    namesRun: runUrl !== undefined && markdown.includes(runUrl),
  };
}

export interface PlanOwner {
  /** The name of the fleet. */
  readonly id: string;
  /** The path of the topology, since two fleets may have the same name. */
  readonly source: string;
  /** True if the topology that an earlier comment names still exists. */
  readonly isOtherTopology: (source: string) => boolean;
}

/** The first line of a comment, which identifies it. The ID contains no `--`, which would end it early. */
export const printPlanMarker = ({ id, source }: Pick<PlanOwner, 'id' | 'source'>): string =>
  `<!-- weft:plan id=${plainId(id)} topology=${encodedPath(source)} -->`;

/** True for the marker of this plan, or of a renamed topology's. Earlier releases named no topology. */
export function isPlanMarker(line: string, { id, source, isOtherTopology }: PlanOwner): boolean {
  const [, name, other] = /^<!-- weft:plan id=(\S+)(?: topology=(\S+))? -->$/.exec(line) ?? [];
  if (name !== plainId(id)) return false;
  return other === undefined || other === encodedPath(source) || !isOtherTopology(decodedPart(other));
}

const plainId = (id: string): string => id.replace(/-{2,}/g, '-').replace(/[^\w./-]/g, '_');

/** Encodes a path without blanks and `--`. */
const encodedPath = (path: string): string =>
  encodeURI(path)
    .replace(/-(?=-)/g, '%2D')
    .replace(/-$/, '%2D');

import type { PullSettings } from '../../app/pull-settings.ts';
import { hasTrailer } from '../../forge/trailer.ts';
import { CommandFailure } from '../command-failure.ts';

/** What users write about the pull request with the manifests. A list has one name a line, or commas between its names. */
export interface PullSettingTexts {
  readonly title: string | undefined;
  readonly bodyPrefix: string | undefined;
  readonly commitMessage: string | undefined;
  readonly labels: string | undefined;
  readonly reviewers: string | undefined;
  readonly teamReviewers: string | undefined;
  readonly assignees: string | undefined;
  readonly draft: boolean;
  readonly deleteBranch: boolean;
  readonly signoff: boolean;
}

/** Characters that GitHub accepts. Source: renovatebot/renovate#2032 (title); docs.github.com, "Managing labels" (label). */
const MAX_TITLE_CHARACTERS = 256;
const MAX_LABEL_CHARACTERS = 50;
/** Characters; the plan below it needs the rest of the body. */
const MAX_PREFIX_CHARACTERS = 10_000;
/** Source: docs.github.com, REST, "Add assignees to an issue". */
const MAX_ASSIGNEES = 10;

export function pullSettings(texts: PullSettingTexts): PullSettings {
  const assignees = loginsIn(texts, 'assignees');
  if (assignees.length > MAX_ASSIGNEES)
    throw new CommandFailure(`--assignees has ${assignees.length} names`, `GitHub assigns at most ${MAX_ASSIGNEES}`);
  return {
    title: titleIn(texts.title),
    bodyPrefix: prefixIn(texts.bodyPrefix),
    commitMessage: messageIn(texts.commitMessage),
    isDraft: texts.draft,
    deletesBranch: texts.deleteBranch,
    signsOff: texts.signoff,
    details: {
      labels: namesIn(texts.labels).map(labelIn),
      assignees,
      people: loginsIn(texts, 'reviewers'),
      teams: namesIn(texts.teamReviewers).map(teamIn),
    },
  };
}

/** The names of a list, each once. */
function namesIn(text: string | undefined): readonly string[] {
  const names = (text ?? '').split(text?.trim().includes('\n') ? /\r?\n/ : ',').map((it) => it.trim());
  return [...new Set(names)].filter((it) => it !== '');
}

function labelIn(label: string): string {
  if ([...label].length <= MAX_LABEL_CHARACTERS) return label;
  throw new CommandFailure(
    `the label "${label}" is longer than ${MAX_LABEL_CHARACTERS} characters`,
    'write the names of --labels one a line, or with commas between them',
  );
}

/** A login has letters, digits and hyphens; one of a company ends with an underscore and its short name, one of an App with `[bot]`. */
function loginsIn(texts: PullSettingTexts, flag: 'reviewers' | 'assignees'): readonly string[] {
  const logins = namesIn(texts[flag]).map((name) => {
    const [, login] = /^@?([a-z\d](?:[\w-]*[a-z\d])?(?:\[bot\])?)$/i.exec(name) ?? [];
    if (login !== undefined) return login;
    throw new CommandFailure(`"${name}" in --${flag} is not a login`, 'write logins, and teams in --team-reviewers');
  });
  return [...new Set(logins)];
}

function teamIn(name: string): string {
  if (/^[a-z\d][\w-]*$/i.test(name)) return name;
  throw new CommandFailure(
    `"${name}" in --team-reviewers is not the slug of a team`,
    'write the last part of its address, without the organization: "network" for acme/network',
  );
}

function titleIn(title: string | undefined): string | undefined {
  if (title === undefined) return undefined;
  if (/[\r\n]/.test(title)) throw new CommandFailure('--title has several lines', 'write one line');
  if ([...title].length <= MAX_TITLE_CHARACTERS) return title;
  throw new CommandFailure(
    `--title has ${[...title].length} characters`,
    `GitHub accepts at most ${MAX_TITLE_CHARACTERS}`,
  );
}

function prefixIn(prefix: string | undefined): string | undefined {
  if (prefix === undefined || prefix.length <= MAX_PREFIX_CHARACTERS) return prefix;
  throw new CommandFailure(
    `--body-prefix has ${prefix.length} characters`,
    `shorten it to ${MAX_PREFIX_CHARACTERS}: the plan needs the rest`,
  );
}

/** weft recognizes its commits by lines of their messages, so a message cannot contain one that says something else. */
function messageIn(message: string | undefined): string | undefined {
  if (message === undefined || !hasTrailer(message)) return message;
  throw new CommandFailure(
    '--commit-message contains a line of weft',
    'leave out the lines that begin with "Weft-Topology": weft adds them',
  );
}

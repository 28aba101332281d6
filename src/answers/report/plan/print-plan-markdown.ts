import { oncePer } from '../../../base/core/once.ts';
import { visibleText } from '../../../base/core/visible-text.ts';
import { countOf, firstOf, moreLine, someOf } from '../../../base/core/words.ts';
import { blastRadius, countBrokenPairs, countPairs, EFFECTS } from '../../../plan/blast-radius.ts';
import { SECTIONS } from '../../../plan/change-kind.ts';
import { NEW_VIEWS, newViewWords, viewsOfNewLinks } from '../../../plan/changes/views.ts';
import { isEmptyPlan, type Plan } from '../../../plan/plan-changes.ts';
import { factsOfPlan } from '../../graph/fleet-facts.ts';
import { countBoxes } from '../../graph/fleet-graph.ts';
import { foldFleet } from '../../graph/fold-fleet.ts';
import { printMermaid } from '../../graph/mermaid/print-mermaid.ts';
import { commandLines, type LiveNames } from '../live-commands.ts';
import { markdownText } from '../markdown-text.ts';
import { type ChangeGroup, changeGroups, describeChange, outliersFirst } from './describe-change.ts';
import { planAlerts } from './plan-diagnostics.ts';
import { stepGroups, usualNames } from './plan-steps.ts';
import {
  acceptedWords,
  type BlastGroup,
  blastGroups,
  describeAcceptance,
  EFFECT_WORDS,
  filesByFolder,
  folderRemarks,
  historyByCluster,
  planLine,
  SIGNS,
  unreadAssertions,
  WHEN_WORDS,
} from './plan-tables.ts';
import { NOTHING_APPLIED } from './print-plan.ts';

interface MarkdownLook {
  /** The largest number of characters; the result is never longer. */
  readonly limit: number;
  /** The URL of the whole plan, for a shortened one. */
  readonly runUrl?: string | undefined;
  /** True when live clusters differ in something that no change explains. */
  readonly hasDrift?: boolean;
  /** The names of clusters in commands. */
  readonly names?: LiveNames;
}

/** The length of a plan in a comment. GitHub refuses more than 65,536 characters, and the plan is only a part. */
export const MARKDOWN_LIMIT = 60_000;

/** The numbers of items that each part of a plan shows. */
interface Detail {
  readonly picture: boolean;
  readonly rows: number;
  readonly names: number;
  readonly changes: number;
  readonly steps: number;
  readonly folders: number;
  readonly files: number;
}

const ALL = Number.POSITIVE_INFINITY;

/** Everything that fits, for a page of its own; hubs have too many names for one line. */
const WHOLE: Detail = { picture: true, rows: ALL, names: 30, changes: ALL, steps: ALL, folders: ALL, files: ALL };

/** Levels of detail, from the most to the least. The first one that fits is used, with more changes as far as they fit. */
const DETAILS: readonly Detail[] = [
  { picture: true, rows: 50, names: 8, changes: 25, steps: ALL, folders: ALL, files: 400 },
  { picture: true, rows: 25, names: 6, changes: 20, steps: ALL, folders: 50, files: 0 },
  { picture: true, rows: 15, names: 5, changes: 10, steps: 12, folders: 15, files: 0 },
  { picture: true, rows: 8, names: 3, changes: 5, steps: 8, folders: 0, files: 0 },
  { picture: false, rows: 3, names: 2, changes: 1, steps: 3, folders: 0, files: 0 },
  { picture: false, rows: 0, names: 1, changes: 0, steps: 0, folders: 0, files: 0 },
];

/**
 * Prints a plan for a pull request: a picture and the blast radius first, the changes below them, long lists folded.
 */
export function printPlanMarkdown(plan: Plan, look: MarkdownLook): string {
  const { limit } = look;
  for (const detail of limit > MARKDOWN_LIMIT ? [WHOLE, ...DETAILS] : DETAILS) {
    const text = printWithDetail(plan, detail, look);
    if (text.length <= limit)
      return printWithDetail(plan, { ...detail, changes: changesThatFit(plan, detail, limit, text.length) }, look);
  }
  const line = `**${planLine(plan)}**\n`;
  return line.length <= limit ? line : line.slice(0, Math.max(0, limit));
}

const SHORTEST_LINE = 10;

/** The largest number of changes per group for which a text grows by no more than this. */
function changesThatFit(plan: Plan, detail: Detail, limit: number, length: number): number {
  const lengthOf = (changes: number): number =>
    changeBlocks(plan, { ...detail, changes }, new Omitted()).join('\n\n').length;
  const most = lengthOf(detail.changes) + limit - length;
  let [fits, tooMany] = [detail.changes, Math.min(plan.changes.length, Math.ceil(limit / SHORTEST_LINE)) + 1];
  if (fits === 0) return 0;
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (lengthOf(middle) <= most) fits = middle;
    else tooMany = middle;
  }
  return fits;
}

function printWithDetail(
  plan: Plan,
  detail: Detail,
  { runUrl, hasDrift = false, names = usualNames(plan) }: MarkdownLook,
): string {
  const head = `**${hasDrift && isEmptyPlan(plan) ? NOTHING_APPLIED : planLine(plan)}**`;
  const omitted = new Omitted();
  if (isEmptyPlan(plan))
    return `${[head, ...acceptedBlock(plan, detail, omitted), ...historyBlock(plan, detail)].join('\n\n')}\n`;
  const blocks = [
    head,
    ...alertBlock(plan, detail),
    ...(detail.picture ? planPicture(plan) : []),
    ...acceptedBlock(plan, detail, omitted),
    ...blastBlock(plan, detail, omitted),
    ...stepBlock(plan, detail, { omitted, names }),
    ...changeBlocks(plan, detail, omitted),
    ...historyBlock(plan, detail),
    ...fileBlock(plan, detail, omitted),
  ];
  if (omitted.any)
    blocks.push(
      runUrl === undefined
        ? '_Not everything fits here; `weft plan -v` shows it all._'
        : `_Not everything fits here: [the whole plan](${runUrl})._`,
    );
  return `${blocks.join('\n\n')}\n`;
}

/** Records that something was left out. */
class Omitted {
  any = false;

  first<T>(list: readonly T[], most: number): readonly T[] {
    if (list.length <= most) return list;
    this.any = true;
    return list.slice(0, most);
  }
}

/** The alerts; GitHub shows this block in red. It is kept when the rest of the plan is shortened. */
function alertBlock(plan: Plan, detail: Detail): readonly string[] {
  const lines = planAlerts(plan, detail.names).map((it) => `> - ${markdownText(it)}`);
  return lines.length === 0 ? [] : [['> [!CAUTION]', ...lines].join('\n')];
}

/** The acceptances that the change adds, with their reasons, because a reviewer has to agree with them. */
function acceptedBlock(plan: Plan, detail: Detail, omitted: Omitted): readonly string[] {
  const { added } = plan.acceptances;
  const shown = omitted.first(added, detail.changes);
  const lines = [
    ...shown.map((it) => `- \`${SIGNS.add}\` ${markdownText(describeAcceptance(it))}`),
    ...moreLine(added.length - shown.length).map((it) => `- ${it}`),
  ];
  return [
    ...(added.length === 0 ? [] : ['### Accepted by this change', lines.join('\n')]),
    ...acceptedWords(plan.acceptances).map((it) => `${it}.`),
    ...unreadAssertions(plan),
  ];
}

function blastBlock(plan: Plan, detail: Detail, omitted: Omitted): readonly string[] {
  const rows = blastRadius(plan);
  if (rows.length === 0) return ['### Blast radius: no traffic changes'];
  const pairs = countPairs(rows);
  const effects = EFFECTS.filter((it) => pairs[it] > 0);
  const summary = effects.map((it) => `${countOf(pairs[it], 'pair')} of clusters: traffic ${EFFECT_WORDS[it]}`);
  const groups = blastGroups(plan, detail.names);
  const shown = omitted.first(groups, detail.rows);
  const cells = ({ clusters, breaks, traffic }: BlastGroup): readonly string[] => [
    `**${markdownText(someOf(clusters, detail.names))}**`,
    String(breaks),
    ...effects.map((it) => markdownText(traffic[it])),
  ];
  const titles = ['cluster', 'disruptive changes', ...effects.map((it) => `traffic ${EFFECT_WORDS[it]} with`)];
  const left = groups.slice(shown.length).reduce((sum, it) => sum + it.clusters.length, 0);
  return [
    countBrokenPairs(plan) > 0
      ? `### Blast radius: ${countOf(rows.length, 'cluster')}`
      : '### Blast radius: no live flow breaks',
    ...(shown.length > 0 ? [table(titles, shown.map(cells))] : []),
    ...moreLine(left, '.', 'cluster'),
    ...(summary.length > 0 ? [`${summary.join('; ')}.`] : []),
  ];
}

/** The steps with their commands. The last one proves the others, so it is shown also where some before it are left out. */
function stepBlock(
  plan: Plan,
  detail: Detail,
  { omitted, names }: { readonly omitted: Omitted; readonly names: LiveNames },
): readonly string[] {
  const steps = stepGroups(plan).map((it, i) => {
    const on = it.on.length === 0 ? '' : ` (${markdownText(firstOf(it.on, detail.names, '; '))})`;
    const mark = `${i + 1}. `;
    const commands = commandLines(it.commands, names, false);
    const block = commands.length === 0 ? [] : ['```sh', ...commands.map(visibleText), '```'];
    const lines = [`${WHEN_WORDS[it.when]}: ${it.what}${on}`, ...block];
    return `${mark}${lines.join(`\n${' '.repeat(mark.length)}`)}`;
  });
  if (steps.length === 0 || detail.steps === 0) return [];
  const shown = omitted.first(steps, detail.steps);
  const left = steps.slice(shown.length);
  return ['### What to do', shown.join('\n'), ...moreLine(left.length - 1, '.', 'step'), ...left.slice(-1)];
}

/** The groups of a plan by section, once for all details. */
const groupsOf = oncePer(({ changes }: Plan) => SECTIONS.map((it) => [it, changeGroups(changes, it)] as const));

function changeBlocks(plan: Plan, detail: Detail, omitted: Omitted): readonly string[] {
  if (detail.changes === 0) {
    omitted.any = true;
    return [];
  }
  const blocks = groupsOf(plan).flatMap(([section, found]) => {
    const groups = found.flatMap((it) => groupBlocks(it, detail, omitted));
    const all = section === 'Views' ? [...groups, ...newViewBlocks(plan, detail, omitted)] : groups;
    return all.length === 0 ? [] : [`#### ${section}`, ...all];
  });
  return ['### Changes', ...blocks];
}

/** A group of changes, with their common reason below. */
function groupBlocks({ label, why, changes }: ChangeGroup, detail: Detail, omitted: Omitted): readonly string[] {
  const shown = omitted.first(changes.length > detail.changes ? outliersFirst(changes) : changes, detail.changes);
  const left = changes.length - shown.length;
  const lines = [
    ...shown.map((it) => `- \`${SIGNS[it.action]}\` ${markdownText(describeChange(it))}`),
    ...moreLine(left, ' like these').map((it) => `- ${it}`),
  ];
  return [lines.join('\n'), `> ${label === null ? '' : `**${label}**: `}${why}`];
}

function newViewBlocks({ changes }: Plan, detail: Detail, omitted: Omitted): readonly string[] {
  const views = viewsOfNewLinks(changes, false);
  if (views.length === 0) return [];
  const shown = omitted.first(views, detail.changes);
  const lines = [
    ...shown.map((it) => `- \`${SIGNS.add}\` ${markdownText(newViewWords(it))}`),
    ...moreLine(views.length - shown.length, ' like these').map((it) => `- ${it}`),
  ];
  return [lines.join('\n'), `> ${NEW_VIEWS}`];
}

function historyBlock(plan: Plan, detail: Detail): readonly string[] {
  const rows = historyByCluster(plan).slice(0, detail.rows);
  if (rows.length === 0) return [];
  const lines = rows.map(({ cluster, views }) => {
    const names = views.map((it) => `${it.peer} ${it.seenAs}`);
    return `- ${markdownText(cluster)}: ${markdownText(someOf(names, detail.names))}`;
  });
  return ['### Views that the lock keeps and a rebuild would move', lines.join('\n')];
}

function fileBlock(plan: Plan, detail: Detail, omitted: Omitted): readonly string[] {
  const { files } = plan;
  if (files.length === 0) return [];
  const rows = filesByFolder(plan);
  const folders = rows.reduce((sum, it) => sum + it.folders.length, 0);
  const head = `${countOf(files.length, 'file')} in ${countOf(folders, 'folder')}`;
  if (detail.folders === 0) {
    omitted.any = true;
    return [`### Files`, `${head}.`];
  }
  const shown = omitted.first(rows, detail.folders);
  const left = rows.slice(shown.length).reduce((sum, it) => sum + it.folders.length, 0);
  const paths = files.length <= detail.files ? files : [];
  if (paths.length < files.length) omitted.any = true;
  return [
    '### Files',
    `<details><summary>${head}</summary>`,
    table(
      ['folder', 'files'],
      shown.map((it) => [markdownText(someOf(it.folders, detail.names)), `\`${it.counts}\``]),
    ),
    ...moreLine(left, '.', 'folder'),
    ...(paths.length > 0 ? [paths.map((it) => `- \`${SIGNS[it.change]}\` ${markdownText(it.path)}`).join('\n')] : []),
    ...folderRemarks(paths),
    '</details>',
  ];
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [row(titles), row(titles.map(() => '---')), ...rows.map(row)].join('\n');
}

/** The limits of a picture that a reader of a pull request can grasp quickly. For more, the tables are clearer. */
const MOST_BOXES = 20;
const MOST_EDGES = 40;

/** A picture of the clusters that a plan affects, in Markdown; empty when it affects none, or too many. */
export function planPicture(plan: Plan): readonly string[] {
  const graph = foldFleet(
    factsOfPlan(plan, () => null),
    { title: plan.fleet, most: MOST_BOXES },
  );
  const boxes = countBoxes(graph);
  if (boxes === 0 || boxes > MOST_BOXES || graph.edges.length > MOST_EDGES) return [];
  return [`\`\`\`mermaid\n${printMermaid(graph)}\`\`\``];
}

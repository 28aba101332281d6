import { visibleText } from '../../../base/core/visible-text.ts';
import { countOf, moreLine, shownOf, someOf } from '../../../base/core/words.ts';
import { EFFECTS } from '../../../plan/blast-radius.ts';
import type { Change } from '../../../plan/change.ts';
import { SECTIONS, type Section } from '../../../plan/change-kind.ts';
import { NEW_VIEWS, newViewWords, viewsOfNewLinks } from '../../../plan/changes/views.ts';
import { isEmptyPlan, type Plan } from '../../../plan/plan-changes.ts';
import { alignRows } from '../layout.ts';
import { commandLines, type LiveNames } from '../live-commands.ts';
import type { Paint } from '../paint.ts';
import { changeGroups, describeChange, outliersFirst } from './describe-change.ts';
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

interface PlanLook {
  readonly paint: Paint;
  /** True to print every change, cluster and file. */
  readonly verbose: boolean;
  /** True when the clusters already match the plan: no step is left, and nothing breaks. */
  readonly isLive?: boolean;
  /** True when live clusters differ in something that no change explains, so that an empty plan is not all. */
  readonly hasDrift?: boolean;
  /** The names of clusters in commands. */
  readonly names?: LiveNames;
}

/** A plan from live clusters that has no change although they differ. */
export const NOTHING_APPLIED =
  'The network is as compiled, but not everything in these clusters: run "weft drift", which says what to do.';

/** The number of items that are shown before the rest is counted. */
const SHOWN = { changes: 12, clusters: 12, names: 6 } as const;

/**
 * Prints the output of `weft plan`: first the network, then the affected clusters, the steps, and the files; the last
 * line is the summary.
 */
export function printPlan(plan: Plan, look: PlanLook): string {
  const { paint, isLive = false, hasDrift = false } = look;
  const nothing = hasDrift
    ? NOTHING_APPLIED
    : `${paint.good('Nothing to do')}: ${visibleText(plan.fleet)} matches its topology.`;
  const blocks = isEmptyPlan(plan)
    ? [[nothing], acceptedLines(plan, look), historyLines(plan, look)]
    : [
        ...SECTIONS.map((it) => sectionLines(it, plan, look)),
        ...(isLive ? [] : [blastLines(plan, look), stepLines(plan, look)]),
        acceptedLines(plan, look),
        historyLines(plan, look),
        fileLines(plan, look),
        isLive ? [] : [paint.strong(planLine(plan))],
      ];
  return `${blocks
    .filter((it) => it.length > 0)
    .map((it) => it.join('\n'))
    .join('\n\n')}\n`;
}

function sectionLines(section: Section, plan: Plan, { paint, verbose, isLive = false }: PlanLook): readonly string[] {
  const groups = changeGroups(plan.changes, section);
  const lines = groups.flatMap(({ label, why, changes }) => {
    const most = verbose ? changes.length : shownOf(changes.length, SHOWN.changes);
    const shown = most < changes.length ? outliersFirst(changes).slice(0, most) : changes;
    const left = changes.length - shown.length;
    return [
      ...shown.map((it) => changeLine(it, paint)),
      ...moreLine(left, ' like these; -v shows all').map((it) => `    ${it}`),
      ...(isLive ? [] : [label === null ? paint.quiet(`      ${why}`) : `      ${paint.warning(label)}: ${why}`]),
    ];
  });
  const all = section === 'Views' ? [...lines, ...newViewLines(plan, { paint, verbose })] : lines;
  return all.length === 0 ? [] : [paint.strong(section), ...all];
}

function newViewLines({ changes }: Plan, { paint, verbose }: PlanLook): readonly string[] {
  const views = viewsOfNewLinks(changes, verbose);
  const shown = verbose ? views : views.slice(0, shownOf(views.length, SHOWN.changes));
  return [
    ...shown.map((it) => `  ${paint.good(SIGNS.add)} ${visibleText(newViewWords(it))}`),
    ...moreLine(views.length - shown.length, ' like these; -v shows all').map((it) => `    ${it}`),
    ...(views.length === 0 ? [] : [paint.quiet(`      ${NEW_VIEWS}`)]),
  ];
}

function changeLine(it: Change, paint: Paint): string {
  const colour = it.action === 'add' ? paint.good : it.action === 'remove' ? paint.error : paint.warning;
  return `  ${colour(SIGNS[it.action])} ${visibleText(describeChange(it))}`;
}

function blastLines(plan: Plan, { paint, verbose }: PlanLook): readonly string[] {
  const most = verbose ? Number.POSITIVE_INFINITY : SHOWN.names;
  const groups = blastGroups(plan, most);
  if (groups.length === 0) return [];
  const shown = verbose ? groups : groups.slice(0, shownOf(groups.length, SHOWN.clusters));
  const left = groups.slice(shown.length).reduce((sum, it) => sum + it.clusters.length, 0);
  return [
    paint.strong('Affected clusters'),
    ...alignRows(
      shown.map((it) => [`  ${visibleText(someOf(it.clusters, most))}`, visibleText(trafficWords(it))]),
      paint.columns,
    ),
    ...moreLine(left, '; -v shows all', 'cluster').map((it) => `  ${it}`),
  ];
}

function trafficWords({ traffic, breaks }: BlastGroup): string {
  const parts = EFFECTS.filter((it) => traffic[it] !== '').map(
    (it) => `traffic with ${traffic[it]} ${EFFECT_WORDS[it]}`,
  );
  return parts.length > 0 ? parts.join('; ') : countOf(breaks, 'change');
}

function stepLines(plan: Plan, { paint, verbose, names = usualNames(plan) }: PlanLook): readonly string[] {
  const groups = stepGroups(plan);
  if (groups.length === 0) return [];
  const most = verbose ? Number.POSITIVE_INFINITY : SHOWN.names;
  return [
    paint.strong('What to do'),
    ...groups.flatMap((it, i) => {
      const on = it.on.length === 0 ? '' : ` (${visibleText(someOf(it.on, most, '; '))})`;
      return [
        `  ${i + 1}. ${WHEN_WORDS[it.when]}: ${it.what}${on}`,
        ...commandLines(it.commands, names, verbose).map((line) => `     ${paint.strong(visibleText(line))}`),
      ];
    }),
  ];
}

/** The acceptances that the change adds, with their reasons, because a reviewer has to agree with them. */
function acceptedLines(plan: Plan, { paint, verbose }: PlanLook): readonly string[] {
  const { added } = plan.acceptances;
  const shown = verbose ? added : added.slice(0, shownOf(added.length, SHOWN.changes));
  return [
    ...(added.length === 0 ? [] : [paint.strong('Accepted by this change')]),
    ...shown.map((it) => `  ${paint.warning(SIGNS.add)} ${visibleText(describeAcceptance(it))}`),
    ...moreLine(added.length - shown.length, '; -v shows all').map((it) => `    ${it}`),
    ...acceptedWords(plan.acceptances),
    ...unreadAssertions(plan),
  ];
}

function historyLines(plan: Plan, { paint, verbose }: PlanLook): readonly string[] {
  const clusters = historyByCluster(plan);
  if (clusters.length === 0) return [];
  return [
    paint.strong('Views that the lock keeps and a rebuild would move'),
    ...clusters.map(({ cluster, views }) => {
      const names = views.map((it) => `${it.peer} ${it.seenAs}`);
      return `  ${visibleText(`${cluster}: ${verbose ? names.join(', ') : someOf(names, SHOWN.names)}`)}`;
    }),
  ];
}

function fileLines(plan: Plan, { paint, verbose }: PlanLook): readonly string[] {
  const folders = filesByFolder(plan);
  if (folders.length === 0) return [];
  const head = paint.strong(`Files${verbose ? '' : ' (-v lists them)'}`);
  if (verbose) {
    const paths = plan.files.map((it) => `${SIGNS[it.change]} ${visibleText(it.path)}`);
    return [head, ...[...paths, ...folderRemarks(plan.files)].map((it) => `  ${it}`)];
  }
  const shown = folders.slice(0, shownOf(folders.length, SHOWN.clusters));
  const left = folders.slice(shown.length).reduce((sum, it) => sum + it.folders.length, 0);
  const rows = shown.map((it) => [`  ${visibleText(someOf(it.folders, SHOWN.names))}`, it.counts]);
  return [head, ...alignRows(rows), ...moreLine(left, '', 'folder').map((it) => `  ${it}`)];
}

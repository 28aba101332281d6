import { largest } from '../../base/core/collections.ts';
import { visibleFields, visibleText } from '../../base/core/visible-text.ts';
import { countOf, firstLines, listOf, shellWord, someOf } from '../../base/core/words.ts';
import { type Answer, forTools } from './answer.ts';
import {
  type CompiledFleet,
  type CompileReport,
  type CompileSummary,
  compileReport,
  type DiskReport,
} from './compile-report.ts';
import { printCounts } from './diagnostics-document.ts';
import { alignRows } from './layout.ts';
import type { Paint } from './paint.ts';
import { SIGNS } from './plan/plan-tables.ts';

const NAMED_HUBS = 3;
const NAMED_FOLDERS = 5;

interface WrittenFleet extends CompiledFleet {
  /** True when there were bundles but no lock, so all addresses were decided again. */
  readonly lockWasLost: boolean;
  /** Files that are no longer generated, but kept because they were edited by hand. */
  readonly keptFiles: readonly string[];
}

interface ComparedFleet extends CompiledFleet {
  /** The files that `weft compile` would change; empty if all are current. */
  readonly differences: readonly FileDifference[];
}

interface FileDifference {
  readonly change: 'add' | 'change' | 'remove';
  readonly path: string;
}

/** `weft compile`. */
export const compileAnswer: Answer<'compile', { readonly fleets: readonly (WrittenFleet | ComparedFleet)[] }> = {
  text: ({ fleets }, { paint, quiet }) => {
    const texts = fleets.map((it) =>
      'differences' in it ? printCompared(it, quiet) : quiet ? '' : printWritten(it, paint),
    );
    return texts.filter((it) => it !== '').join('\n');
  },
  json: ({ fleets }) => (fleets.length === 0 ? {} : { results: fleets.map(compileRow) }),
  ...forTools(),
};

const SHOWN_DIFFERENCES = 50;

/** Printed after `weft compile --check`. */
function printCompared({ topology, out: folder, differences }: ComparedFleet, quiet: boolean): string {
  const out = visibleText(folder);
  if (differences.length === 0) return quiet ? '' : `${out}/ and ${visibleText(topology.files.lock)} are current.\n`;
  const lines = differences.map((it) => `  ${SIGNS[it.change]} ${visibleText(it.path)}`);
  return [
    `${out}/ is out of date:`,
    ...firstLines(lines, SHOWN_DIFFERENCES, (left) => `  ... and ${left} more`),
    'Run "weft compile" and commit the result.',
    '',
  ].join('\n');
}

/** Printed after `weft compile`. */
function printWritten(fleet: WrittenFleet, paint: Paint): string {
  const { out, topology, keptFiles } = fleet;
  const remarks = [
    ...(fleet.lockWasLost ? [lockLost(topology.files.lock, out)] : []),
    ...keptFiles.map(
      (path) => `${path} is no longer generated but was edited by hand, so it is kept; weft no longer manages it.`,
    ),
  ];
  return `${printSummary(compileReport(fleet), paint)}${remarks.map((it) => `${visibleText(it)}\n`).join('')}`;
}

/** A remark for a fleet that lost its lock, which could be made again. */
const lockLost = (lock: string, out: string): string =>
  `There was no ${lock}, although ${out}/ has bundles: everything was decided again, and no file of theirs is different.`;

/** One topology of `weft compile -o json`. */
type CompileRow = Omit<CompileReport, 'counts' | 'accepted' | 'byDefault'> & {
  readonly accepted: Omit<CompileReport['accepted'], 'errors'>;
  readonly differences: readonly { readonly action: FileDifference['change']; readonly file: string }[];
};

function compileRow(fleet: WrittenFleet | ComparedFleet): CompileRow {
  const { counts: _counts, byDefault: _byDefault, accepted, ...report } = compileReport(fleet);
  const { warnings, notes } = accepted;
  const differences = 'differences' in fleet ? fleet.differences : [];
  const files = differences.map(({ change: action, path: file }) => ({ action, file }));
  return { ...report, accepted: { warnings, notes }, differences: files };
}

/** A few aligned lines and the next command. */
export function printSummary(plain: CompileReport, paint: Paint): string {
  const report = visibleFields(plain);
  const { summary, topology } = report;
  const rows = [
    ['clusters', String(summary.clusters), describeClusters(summary)],
    ['links', String(totalLinks(summary)), describeLinks(summary)],
    ...sharingRows(summary),
    ['views', String(summary.views.total), describeViews(summary)],
    ...remappedRows(summary),
    ...(report.decided.length === 0 ? [] : [['decided', '', listOf(report.decided)]]),
    ['files', String(totalFiles(report.disk)), describeDisk(report.disk, report.only)],
  ];
  return [
    `${paint.strong(summary.fleet)} from ${topology}`,
    '',
    ...alignRows(alignNumbers(rows)).map((it) => `  ${it}`),
    '',
    ...(report.gone.length === 0 ? [] : [`${goneText(report.gone, report.disk.out)}\n`]),
    ...lastLine(report, paint),
    '',
  ].join('\n');
}

function describeClusters({ hubs, retired }: CompileSummary): string {
  const parts = [
    ...(hubs.length === 0 ? [] : [`${hubs.length === 1 ? 'hub' : 'hubs'} ${someOf(hubs, NAMED_HUBS)}`]),
    ...(retired.length === 0 ? [] : [`retired ${someOf(retired, NAMED_HUBS)}`]),
  ];
  return parts.join('; ');
}

function describeLinks({ links }: CompileSummary): string {
  const parts = [
    ...(links.hub > 0 ? [countOf(links.hub, 'hub link')] : []),
    ...(links.peering > 0 ? [countOf(links.peering, 'peering')] : []),
    ...(links.shortcut > 0 ? [countOf(links.shortcut, 'shortcut')] : []),
  ];
  return parts.join(', ');
}

/** Empty for a fleet without shared resources. */
function sharingRows({ sharing }: CompileSummary): readonly (readonly string[])[] {
  if (sharing === null) return [];
  const { pairs, slices, namespaces } = sharing;
  const offloaded = namespaces === 0 ? [] : [`${countOf(namespaces, 'namespace')} offloaded`];
  return [['loans', String(pairs), listOf([countOf(slices, 'slice'), ...offloaded])]];
}

function describeViews({ views }: CompileSummary): string {
  if (views.total === 0) return '';
  if (views.remapped === 0) return 'no remap: every cluster sees real addresses';
  const parts = [
    `${views.remapped} remapped`,
    ...(views.orderDependent > 0 ? [`${views.orderDependent} depend on the order of links`] : []),
    ...(views.history > 0 ? [`${views.history} kept from an earlier compile`] : []),
  ];
  return parts.join(', ');
}

function remappedRows({ remapped, views }: CompileSummary): readonly (readonly string[])[] {
  const sentences = alignRows(
    remapped.map((it) => [
      `${it.cluster} sees`,
      `${it.kind === 'pod' ? 'pods' : 'external'} of ${it.peer}`,
      it.cidr,
      `as ${it.seenAs}`,
    ]),
  );
  const left = views.remapped - remapped.length;
  return [...sentences, ...(left > 0 ? [`and ${left} more`] : [])].map((it) => ['', '', it]);
}

function describeDisk(disk: DiskReport, only: readonly string[] | null): string {
  const parts = [
    ...(disk.created > 0 ? [`${disk.created} created`] : []),
    ...(disk.changed > 0 ? [`${disk.changed} changed`] : []),
    ...(disk.removed > 0 ? [`${disk.removed} removed`] : []),
    ...(disk.unchanged > 0 ? [`${disk.unchanged} unchanged`] : []),
  ];
  const where =
    only === null
      ? `${disk.out}/`
      : only.length > NAMED_FOLDERS
        ? `${disk.out}/ for ${countOf(only.length, 'cluster')}`
        : listOf(only.map((it) => `${disk.out}/${it}/`));
  return `${parts.join(', ')} in ${where}${disk.lockChanged ? `; ${disk.lock} written` : ''}`;
}

function goneText(clusters: readonly string[], out: string): string {
  const one = clusters.length === 1;
  const folders = listOf(clusters.slice(0, NAMED_FOLDERS).map((it) => `${out}/${it}/`));
  const more = clusters.length > NAMED_FOLDERS ? ', among others,' : '';
  return [
    `${someOf(clusters, NAMED_FOLDERS)} ${one ? 'is' : 'are'} no longer in the topology, so ${folders}${more} ${one ? 'was' : 'were'} removed.`,
    'Next time, set `retired: true` on the cluster first: it and its peers then remove their links in order,',
    'and the entry can be removed later.',
  ].join('\n');
}

function lastLine(report: CompileReport, paint: Paint): readonly string[] {
  const { notes, ...shown } = report.counts;
  const above = printCounts({ ...shown, notes: 0 });
  const argumentOf = report.byDefault ? '' : ` ${shellWord(report.topology)}`;
  const rest = notes === 0 ? '' : `Run "weft validate${argumentOf}" to see ${countOf(notes, 'note')}.`;
  const accepted = printCounts(report.accepted);
  const decided = accepted === '' ? '' : `${accepted} accepted ("weft validate${argumentOf} -v" shows the reasons).`;
  const counts = [above === '' ? '' : `${paint.warning(above)} above.`, decided, rest]
    .filter((it) => it !== '')
    .join(' ');
  const cluster = report.only?.[0] ?? exampleCluster(report.summary);
  const argument = report.byDefault ? '' : `${shellWord(report.topology)} `;
  const next = cluster === undefined ? [] : [`For details: weft view ${argument}${cluster}`];
  return [...(counts === '' ? [] : [counts]), ...(isFirst(report) ? [afterFirst(report, argument)] : []), ...next];
}

/** True when there was no bundle before. */
const isFirst = ({ disk, only }: CompileReport): boolean =>
  only === null && disk.created > 0 && disk.changed + disk.removed + disk.unchanged === 0;

/**
 * From the next compile on, `weft plan` compares with the files that are there. A lock that has every decision already is
 * that of a fleet which runs: `weft import` wrote it, or git does not contain its bundles.
 */
function afterFirst({ disk }: CompileReport, argument: string): string {
  const [why, option] = disk.lockChanged
    ? ['What to do now, step by step', '--new']
    : ['Before the bundles are applied, compare them with the clusters', '--live DUMPS'];
  return `${why}: weft plan ${argument}${option}${disk.out === 'out' ? '' : ` --out ${shellWord(disk.out)}`}`;
}

/** An example for the next command: a cluster that remaps, else a hub. */
const exampleCluster = ({ remapped, hubs }: CompileSummary): string | undefined => remapped[0]?.cluster ?? hubs[0];

const totalLinks = ({ links }: CompileSummary): number => links.hub + links.peering + links.shortcut;

const totalFiles = (disk: DiskReport): number => disk.created + disk.changed + disk.unchanged;

/** Right-aligns the numbers of the second column. */
function alignNumbers(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const width = largest(rows.map((it) => (it[1] ?? '').length));
  return rows.map((it) => it.map((cell, column) => (column === 1 ? cell.padStart(width) : cell)));
}

import { groupBy } from '../../../base/core/collections.ts';
import { visibleText } from '../../../base/core/visible-text.ts';
import { countOf, moreLine, quoted, shellWord, shownOf, someOf } from '../../../base/core/words.ts';
import type { Diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { printAddress } from '../../../base/net/text.ts';
import { placeAt } from '../../../base/source/source.ts';
import type { ClusterProblem } from '../../../live/drift/causes-first.ts';
import {
  isUnexpected,
  type JudgedProbe,
  type ObservedAssertion,
  type ProbeVerdict,
} from '../../../reach/probes/judge-answers.ts';
import type { PlannedProbe, ProbePath, Prober, UndialledPath } from '../../../reach/probes/plan-probes.ts';
import { REASON_TEXTS } from '../../../reach/trace/decide-assertions.ts';
import { alignRows, printLines, printTable } from '../layout.ts';
import { type LiveNames, sourcesOf } from '../live-commands.ts';
import type { Paint } from '../paint.ts';

interface ConformanceLook {
  readonly paint: Paint;
  /** Shows every path that was dialled, and every one that was not. */
  readonly verbose: boolean;
  readonly names: LiveNames;
}

/** The most paths below one cause, and of those that were not dialled for one reason. */
const MOST = { paths: 8, undialled: 4, clusters: 6 } as const;

/** Failed probes by cause, the numbers of the others, the paths that were not dialled, and a line for all. */
export function printConformance(report: ConformanceReport, look: ConformanceLook): string {
  const { probes, objects, assertions } = report;
  const { paint, verbose } = look;
  const failed = probes.filter(isUnexpected);
  const blocks = [
    ...[...groupBy(failed, (it) => [causeKey(it)]).values()].map((it) => causeLines(it, report, look)),
    ...(verbose ? [everyPath(probes, paint)] : []),
    pathCounts(probes, paint),
    objects.kind === 'unreadable'
      ? [`${paint.warning('no causes')}: the objects cannot be compared with git: ${visibleText(objects.why)}`]
      : [],
    undialledLines(report, look),
    assertions.flatMap((it) => assertionLines(it, look)),
  ];
  return printLines([
    ...blocks.filter((it) => it.length > 0).flatMap((it) => [...it, '']),
    totalLine(report, failed.length, paint),
  ]);
}

const causeKey = ({ cause }: ReportedProbe): string =>
  cause === null ? '' : `${cause.cluster} ${cause.problem.diagnostic.code} ${cause.problem.diagnostic.message}`;

function causeLines(
  probes: readonly ReportedProbe[],
  { objects }: ConformanceReport,
  look: ConformanceLook,
): readonly string[] {
  const { paint, verbose, names } = look;
  const [first] = probes;
  if (first === undefined) return [];
  const { cause } = first;
  const shown = verbose ? probes.length : shownOf(probes.length, MOST.paths);
  const rows = probes
    .slice(0, shown)
    .map((it) => [`${it.probe.from} to ${it.probe.to}`, ...placeCells(it), verdictText(it)]);
  const head =
    cause === null
      ? `${paint.error('no cause found')}  ${objects.kind === 'compared' ? 'the objects of both ends are as compiled' : 'the objects were not compared'}: look at the gateways, and at the network between them`
      : `${paint.error(cause.problem.diagnostic.code)}  ${visibleText(`${cause.cluster}: ${cause.problem.diagnostic.message}`)}`;
  const hint = cause?.problem.diagnostic.hint;
  return [
    head,
    ...alignRows(rows).map((it) => `  ${it}`),
    ...moreLine(probes.length - shown, '; -v shows all', 'path').map((it) => `  ${it}`),
    ...(hint === undefined ? [] : [`  ${paint.quiet(`hint: ${visibleText(hint)}`)}`]),
    `  ${paint.quiet(`next: ${nextCommand(first, names)}`)}`,
  ];
}

const placeCells = ({ probe: { dialled, path } }: ReportedProbe): readonly string[] => [
  printAddress(dialled),
  pathText(path),
];

/** A runbook for a tunnel that loses packets; a walk for packets that go elsewhere. */
function nextCommand({ probe, verdict }: ReportedProbe, names: LiveNames): string {
  const { from, to, path } = probe;
  const topology = names.topology === null ? '' : ` ${shellWord(names.topology)}`;
  const clusters = path.kind === 'through' ? [from, path.hub, to] : [from, to];
  const sources = sourcesOf(clusters, names).text;
  const isLost = verdict.kind === 'lost' || verdict.kind === 'full-packet-lost' || verdict.kind === 'udp-lost';
  if (isLost) return `weft view${topology} ${from} ${to} --runbook${sources}`;
  const through = path.kind === 'through' ? ` --through ${path.hub}` : '';
  return `weft trace${topology} ${from} ${to}${through}${sources}`;
}

function everyPath(probes: readonly ReportedProbe[], paint: Paint): readonly string[] {
  const titles = ['FROM', 'TO', 'DIALS', 'PATH', 'RESULT'];
  return printTable(
    titles,
    probes.map((it) => [it.probe.from, it.probe.to, ...placeCells(it), verdictText(it)]),
    paint,
  );
}

/** The paths by kind: how many of them are as predicted. */
function pathCounts(probes: readonly ReportedProbe[], paint: Paint): readonly string[] {
  const kinds = groupBy(probes, ({ probe: { path } }) => [path.kind === 'none' ? NO_PATH : pathText(path)]);
  const rows = [...kinds].map(([kind, all]) => {
    const good = all.filter((it) => !isUnexpected(it)).length;
    return [kind, `${good} of ${all.length}`, good === all.length ? 'as predicted' : 'as predicted, the others not'];
  });
  return alignRows(rows).map((line, index) => (rows[index]?.[2] === 'as predicted' ? line : paint.strong(line)));
}

const NO_PATH = 'without a path, so that nothing may answer';

/** The reasons for pairs that were not dialled at all; further paths of other pairs are only counted. */
function undialledLines(
  { probes, undialled }: ConformanceReport,
  { paint, verbose }: ConformanceLook,
): readonly string[] {
  const dialled = new Set(probes.map(({ probe }) => pairOf(probe)));
  const shown = undialled.filter((it) => verbose || !dialled.has(pairOf(it)));
  const more = undialled.length - shown.length;
  const byReason = groupBy(shown, (it) => [undialledText(it)]);
  return [
    ...[...byReason].map(([reason, all]) => {
      const pairs = all.map(pairOf);
      const names = verbose ? pairs.join(', ') : someOf(pairs, MOST.undialled);
      return `${paint.warning('not dialled')}: ${visibleText(names)}: ${visibleText(reason)}`;
    }),
    ...(more === 0
      ? []
      : [`${countOf(more, 'further path')} through hubs could not be dialled, and -v lists them with the reasons`]),
  ];
}

const pairOf = ({ from, to }: { readonly from: string; readonly to: string }): string => `${from} to ${to}`;

function assertionLines(it: ObservedAssertion, { paint, verbose }: ConformanceLook): readonly string[] {
  const { assertion, state, pairs, decided, broken } = it;
  const { source, start } = assertion.at;
  const place = `${visibleText(source.path)}:${placeAt(source, start).line}`;
  if (broken !== null) {
    const { from, to, path } = broken;
    const whom =
      'service' in assertion.to
        ? `the pods of Service ${visibleText(`${assertion.to.namespace}/${assertion.to.service}`)} in ${quoted(to)}`
        : quoted(to);
    const what =
      assertion.expect === 'reachable'
        ? `${quoted(from)} does not reach ${whom}`
        : `${quoted(from)} reaches ${whom} ${pathText(path)}`;
    return [`${paint.error('assertion does not hold')}: ${place}: ${what}`];
  }
  if (!verbose) return [];
  return [
    state === 'holds'
      ? `${paint.good('assertion holds')}: ${place}: packets decided ${countOf(pairs, 'pair')}`
      : `${paint.warning('assertion not decided')}: ${place}: packets decided ${decided} of ${countOf(pairs, 'pair')}`,
  ];
}

function totalLine(report: ConformanceReport, failed: number, paint: Paint): string {
  const { probes, probers, pairs, others, withoutProber, assertions } = report;
  const states = (state: ObservedAssertion['state']) => assertions.filter((it) => it.state === state).length;
  const result =
    probes.length === 0
      ? paint.warning('nothing was dialled')
      : failed === 0
        ? paint.good(`all ${countOf(probes.length, 'path')} as predicted`)
        : paint.error(`${failed} of ${countOf(probes.length, 'path')} not as predicted`);
  const undialled = pairs.wanted - pairs.dialled;
  const parts = [
    `${pairs.dialled} of ${countOf(pairs.wanted, 'pair')} dialled, between ${countOf(probers.length, 'cluster')}`,
    ...(withoutProber.length > 0 ? [paint.error(`${countOf(withoutProber.length, 'cluster')} could not be used`)] : []),
    ...(undialled > 0 && others.length > 0 ? [`no context for ${visibleText(someOf(others, MOST.clusters))}`] : []),
    ...(assertions.length === 0
      ? []
      : [
          `assertions: ${states('holds')} hold, ${states('broken')} do not, ${states('unknown')} are not decided by these packets`,
        ]),
  ];
  return [result, ...parts].join('; ');
}

/** The answer of `weft conformance`. */
export interface ConformanceReport {
  readonly fleet: string;
  readonly probes: readonly ReportedProbe[];
  /** The comparison with git of clusters with probes that were not as predicted, if there are any. */
  readonly objects:
    | { readonly kind: 'compared'; readonly clusters: readonly string[] }
    | { readonly kind: 'not-needed' }
    | { readonly kind: 'unreadable'; readonly why: string };
  readonly undialled: readonly UndialledPath[];
  readonly assertions: readonly ObservedAssertion[];
  /** The clusters with a prober that was dialled from, by name. */
  readonly probers: readonly Prober[];
  /** Clusters without a usable prober, and the reasons. */
  readonly withoutProber: readonly Diagnostic[];
  /** The other clusters of the fleet, which have no context in the request, by name. */
  readonly others: readonly string[];
  /** Ordered pairs of clusters that are wanted, and those that were dialled on some path. */
  readonly pairs: { readonly wanted: number; readonly dialled: number };
}

/** A probe with what the objects of the clusters on its path say about it. */
export interface ReportedProbe extends JudgedProbe {
  /** The first cause of a probe that was not as predicted; `null` when none is known. */
  readonly cause: ClusterProblem | null;
}

/** `over their shortcut`, `through "europe"`. */
export function pathText(path: ProbePath): string {
  switch (path.kind) {
    case 'direct':
      return `over their ${{ hub: 'hub link', peering: 'peering', shortcut: 'shortcut' }[path.link]}`;
    case 'through':
      return `through ${quoted(path.hub)}`;
    case 'service':
      return `by the Service in ${path.namespace}`;
    case 'none':
      return 'without a path';
  }
}

/** The prediction, as a part of a sentence. */
export const predictionText = ({ predicted, to }: PlannedProbe): string =>
  predicted.kind === 'delivered'
    ? `${to} sees ${printAddress(predicted.source)}`
    : predicted.fate === 'delivered'
      ? 'nothing may answer'
      : `nothing may answer: ${REASON_TEXTS[predicted.fate]}`;

/** The verdict, as a part of a sentence. */
export function verdictText({ probe, verdict }: JudgedProbe): string {
  switch (verdict.kind) {
    case 'as-predicted':
      return 'as predicted';
    case 'lost':
      return 'nothing answers';
    case 'udp-lost':
      return 'TCP is answered, UDP is not';
    case 'other-receiver':
      return `${verdict.cluster === null ? quoted(verdict.host) : `the prober of ${quoted(verdict.cluster)}`} answers`;
    case 'other-source':
      return `${probe.to} sees ${printAddress(verdict.source)}, and weft predicts ${predictedSource(probe)}`;
    case 'other-endpoints':
      return endpointsText(probe);
    case 'full-packet-lost':
      return fullText(probe, verdict);
    case 'reached':
      return `it is reached, and ${predictionText(probe)}`;
  }
}

const endpointsText = ({ endpoints }: PlannedProbe): string =>
  endpoints === undefined
    ? ''
    : `the Service has ${endpoints.found.map(printAddress).join(', ') || 'no endpoint'}, and weft predicts ${printAddress(endpoints.expected)}`;

const predictedSource = ({ predicted }: PlannedProbe): string =>
  predicted.kind === 'delivered' ? printAddress(predicted.source) : 'none';

function fullText({ mtuBytes }: PlannedProbe, { full, pathMtu }: Full): string {
  const size = pathMtu === null ? '' : `; the path has ${pathMtu}`;
  if (full.tcp) return `small packets arrive, those of ${mtuBytes} bytes do not, and TCP makes smaller ones${size}`;
  return `small packets arrive, full ones of TCP do not${full.udp ? '' : `, nor those of ${mtuBytes} bytes over UDP`}${size}`;
}

type Full = Extract<ProbeVerdict, { readonly kind: 'full-packet-lost' }>;

/** The reason why a path was not dialled, as a part of a sentence. */
export function undialledText({ path, why, from }: UndialledPath): string {
  const hub = path.kind === 'through' ? quoted(path.hub) : '';
  switch (why) {
    case 'hub-not-read':
      return `${hub} was not read, which maps the address`;
    case 'not-mapped':
      return `${hub} maps only pods that it has offloaded, and has no IP resource for the prober`;
    case 'no-service':
      return `${quoted(from)} does not have the Service, although the namespace is offloaded there`;
    case 'address-has-other-meaning':
      return `there is no path, and the address of the prober has another meaning in ${quoted(from)}`;
  }
}

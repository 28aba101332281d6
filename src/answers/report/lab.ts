import { groupBy } from '../../base/core/collections.ts';
import { visibleText } from '../../base/core/visible-text.ts';
import { countOf, listOf, someOf } from '../../base/core/words.ts';
import { printAddress } from '../../base/net/text.ts';
import {
  describeSeen,
  type Flow,
  type LabPlan,
  PROTOCOLS,
  type Protocol,
  type Unsent,
  type Verdict,
} from '../../reach/lab/lab-plan.ts';
import type { MeasuredFlow, MeasuredStep } from '../../reach/lab/plan-steps.ts';
import { namespaceIn } from '../../reach/lab/print-scripts.ts';
import type { Answer } from './answer.ts';
import { alignRows } from './layout.ts';
import type { Paint } from './paint.ts';

/** The results of a lab. */
interface LabReport {
  readonly plan: LabPlan;
  readonly verdicts: readonly Verdict[];
  /** Links whose tunnel never came up. */
  readonly silent: readonly string[];
}

interface Tried {
  readonly plan: LabPlan;
  readonly result: Omit<LabReport, 'plan'>;
  /** The name of the lab that stays up; `null` if it is removed. */
  readonly kept: string | null;
}

/** `weft lab`. */
export const labAnswer: Answer<'lab', Tried> = {
  text: ({ plan, result }, { paint }) => printLab({ plan, ...result }, paint),
  json: ({ plan, result, kept }) => ({ kept, ...labDocument({ plan, ...result }) }),
};

/** `weft lab --clean`, which reports on stderr what it removes. */
export const removedLabsAnswer: Answer<'lab', object> = {
  text: () => '',
  json: (removed) => ({ removed }),
};

const HEADINGS: Readonly<Record<Protocol, string>> = { tcp: 'TCP', udp: 'UDP', icmp: 'ICMP', full: 'FULL MTU' };

/** One row per flow, one column per protocol with its latency, then the differences and unsent flows. */
export function printLab({ plan, verdicts, silent }: LabReport, paint: Paint): string {
  const rows = [...byFlow(verdicts)].map(([flow, all]) => flowRow(flow, all));
  const head = ['FROM', '', 'TO', '', 'BY', ...PROTOCOLS.map((it) => HEADINGS[it])];
  const [heading = '', ...lines] = alignRows([head, ...rows]);
  const bad = verdicts.filter((it) => !it.agrees);
  return [
    paint.strong(heading),
    ...lines.map((it) => (it.includes(FAILED) ? paint.error(it) : it)),
    ...unsentLines(plan.unsent),
    ...groupByResult(bad).flatMap((it) => ['', ...failureLines(it, paint)]),
    ...silent.map((it) => `\n${paint.warning('no handshake')} on the tunnel of link ${it}: no packet can cross it`),
    '',
    summary(plan, verdicts, paint),
    '',
  ].join('\n');
}

const FAILED = 'FAILED';

const byFlow = (verdicts: readonly Verdict[]): ReadonlyMap<Flow, readonly Verdict[]> => {
  const flows = new Map<Flow, Verdict[]>();
  for (const it of verdicts) flows.set(it.probe.flow, [...(flows.get(it.probe.flow) ?? []), it]);
  return flows;
};

function flowRow(flow: Flow, verdicts: readonly Verdict[]): readonly string[] {
  const cells = PROTOCOLS.map((protocol) => verdictCell(verdicts.find((it) => it.probe.protocol === protocol)));
  return [
    flow.sender === 'node' ? `${flow.from} (node)` : flow.from,
    printAddress(flow.source),
    flow.to,
    printAddress(flow.dialled),
    flow.hub ?? 'direct',
    ...cells,
  ];
}

function verdictCell(verdict: Verdict | undefined): string {
  if (verdict === undefined) return '-';
  if (verdict.agrees && verdict.probe.isRefused) return 'refused';
  return verdict.agrees ? latencyText(verdict.milliseconds ?? 0) : FAILED;
}

const latencyText = (milliseconds: number): string => `${milliseconds.toFixed(1)} ms`;

function unsentLines(unsent: readonly Unsent[]): readonly string[] {
  if (unsent.length === 0) return [];
  const pairsOf = (list: readonly Unsent[]): string =>
    [...new Set(list.map(({ from, to }) => `${from} -> ${to}`))].join(', ');
  const byFate = groupBy(unsent, (it) => [it.fate]);
  return ['', ...[...byFate].map(([fate, list]) => `not sent (${fate}): ${pairsOf(list)}`)];
}

/** Verdicts with the same flow and the same result, for any protocol. */
function groupByResult(verdicts: readonly Verdict[]): readonly (readonly Verdict[])[] {
  return [...byFlow(verdicts).values()].flatMap((all) => {
    const results = [...new Set(all.map((it) => it.got))];
    return results.map((got) => all.filter((it) => it.got === got));
  });
}

function failureLines(verdicts: readonly Verdict[], paint: Paint): readonly string[] {
  const [first] = verdicts;
  if (first === undefined) return [];
  const { flow } = first.probe;
  const protocols = listOf(verdicts.map((it) => HEADINGS[it.probe.protocol]));
  const sender = flow.sender === 'node' ? 'node ' : '';
  const way = flow.hub === null ? '' : ` through ${flow.hub}`;
  const from = `${sender}${printAddress(flow.source)} in ${flow.from}`;
  return [
    `${paint.error('differs')}: ${protocols} from ${from} to ${printAddress(flow.dialled)}${way}`,
    `  expected: ${describeSeen(flow.to, flow.expected)}`,
    `  got:      ${first.got}`,
  ];
}

function summary({ namespaces, tunnels }: LabPlan, verdicts: readonly Verdict[], paint: Paint): string {
  const good = verdicts.filter((it) => it.agrees).length;
  const built = `${countOf(namespaces.length, 'namespace')}, ${countOf(tunnels.length / 2, 'tunnel')}`;
  const flows = countOf(byFlow(verdicts).size, 'flow');
  const result =
    good === verdicts.length
      ? paint.good(`all ${verdicts.length} probes agree`)
      : paint.error(`${verdicts.length - good} of ${verdicts.length} probes differ`);
  return `${built}, ${flows}: ${result} with what was compiled`;
}

/** Describes how to enter a lab that is kept, and how to remove it. */
export function printKeptLab({ hosts, tunnels }: LabPlan, run: string): string {
  const example = hosts[0]?.namespace ?? '';
  const gateway = tunnels[0]?.namespace ?? '';
  return [
    `lab ${run} stays up; its namespaces: ip netns list | grep weft-${run}`,
    `  a node with its pods:  ip netns exec ${namespaceIn(run, example)} bash`,
    `  a gateway:             ip netns exec ${namespaceIn(run, gateway)} bash`,
    '  to remove it:          weft lab --clean',
    '',
  ].join('\n');
}

/** A lab of an earlier run that was removed. */
export const printRemovedLab = ({ run, kept }: { readonly run: string; readonly kept: boolean }): string =>
  `removed lab ${run}, which was ${kept ? 'kept' : 'killed'}\n`;

const MAX_NAMED = 3;

/** The end of `weft lab --clean`. */
export function printRemovedLabs({
  count,
  unrecorded,
}: {
  readonly count: number;
  readonly unrecorded: readonly string[];
}): string {
  const [first] = unrecorded;
  const end = `${countOf(count, 'lab')} removed\n`;
  if (first === undefined) return end;
  const [are, them] = unrecorded.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const names = someOf(unrecorded.map(visibleText), MAX_NAMED);
  return [
    `${countOf(unrecorded.length, 'namespace')} ${are} called like those of a lab, but no lab recorded ${them}, so ${are === 'is' ? 'it stays' : 'they stay'}: ${names}`,
    `  to remove one yourself: ip netns del ${visibleText(first)}`,
    end,
  ].join('\n');
}

/** `weft lab -o json`, without the diagnostics that every document has. */
export function labDocument({ plan, verdicts, silent }: LabReport): object {
  return {
    probes: verdicts.map(({ probe: { flow, protocol, sizeBytes }, agrees, milliseconds, got }) => ({
      from: flow.from,
      to: flow.to,
      hub: flow.hub,
      sender: flow.sender,
      protocol,
      sizeBytes,
      source: printAddress(flow.source),
      dialled: printAddress(flow.dialled),
      expected: {
        source: printAddress(flow.expected.source),
        destination: printAddress(flow.expected.destination),
      },
      agrees,
      milliseconds,
      got,
    })),
    unsent: plan.unsent.map(({ from, to, fate }) => ({ from, to, fate })),
    silentLinks: silent,
  };
}

/** The silence of a flow, beside what its plan announces. */
export interface JudgedFlow extends MeasuredFlow {
  /** The loss that the plan announces for the pair, which has no seconds without a bound; `null` for none. */
  readonly announced: { readonly seconds: number | null; readonly restarts: boolean } | null;
  /** The longest silence that agrees with it in this lab; `null` for a loss without a bound. */
  readonly allowedSeconds: number | null;
  readonly agrees: boolean;
}

/** The real losses of a step, beside those that its plan announces. */
export interface JudgedStep extends Omit<MeasuredStep, 'flows'> {
  readonly name: string;
  readonly flows: readonly JudgedFlow[];
}

export interface Stepped {
  readonly steps: readonly JudgedStep[];
  /** Times that the lab takes, and that no bound contains. */
  readonly added: { readonly podStartSeconds: number; readonly betweenClustersSeconds: number };
}

/** `weft lab --steps`. */
export const labStepsAnswer: Answer<'lab', Stepped> = {
  text: (it, { paint }) => printLabSteps(it, paint),
  json: ({ steps, added }) => ({
    steps: steps.map(({ name, flows, latenessSeconds, isSettled }) => ({
      name,
      settled: isSettled,
      latenessSeconds: rounded(latenessSeconds),
      flows: flows.map(flowDocument),
    })),
    added,
  }),
};

function printLabSteps({ steps, added }: Stepped, paint: Paint): string {
  const bad = steps.flatMap((it) => it.flows.filter(({ agrees }) => !agrees));
  const count = steps.flatMap((it) => it.flows).length;
  const result =
    bad.length === 0
      ? paint.good(`${countOf(count, 'flow')} lost no more than announced`)
      : paint.error(`${bad.length} of ${countOf(count, 'flow')} lost more than announced`);
  return [
    ...steps.flatMap((it) => [...measuredLines(it, paint), '']),
    `The longest silence of each flow. A pod starts in ${added.podStartSeconds} s here, and a cluster is applied ${added.betweenClustersSeconds} s after those that serve it: neither is in what is announced.`,
    result,
    '',
  ].join('\n');
}

const TITLES = ['FROM', 'TO', 'BY', 'PACKETS', 'CONNECTION', 'NEW CONNECTION', 'ANNOUNCED'] as const;

function measuredLines({ name, flows, isSettled, latenessSeconds }: JudgedStep, paint: Paint): readonly string[] {
  if (flows.length === 0) return [paint.strong(name), 'no flow has the same addresses before and after'];
  const rows = flows.map((it) => [
    it.flow.from,
    it.flow.to,
    it.flow.hub ?? 'direct',
    secondsText(it.packets),
    it.isCut ? 'ended' : secondsText(it.connection),
    it.waiting === 0 ? secondsText(it.newConnections) : `${it.waiting} still wait`,
    announcedText(it.announced),
  ]);
  const [head = '', ...lines] = alignRows([TITLES, ...rows]);
  return [
    paint.strong(name),
    paint.quiet(head),
    ...lines.map((it, index) => (flows[index]?.agrees === false ? paint.error(`${it}  MORE`) : it)),
    ...(isSettled ? [] : [paint.error('some flow was silent until the end')]),
    ...(latenessSeconds < BUSY_SECONDS
      ? []
      : [`this machine was busy: up to ${secondsText(latenessSeconds)} are its own`]),
  ];
}

/** A lateness that is worth a line. */
const BUSY_SECONDS = 0.3;

const secondsText = (seconds: number): string => `${seconds.toFixed(1)} s`;

function announcedText(announced: JudgedFlow['announced']): string {
  if (announced === null) return 'none';
  if (announced.seconds === null) return 'until it is made again';
  return announced.restarts
    ? `${announced.seconds} s and the start of a pod`
    : `${announced.seconds} s if begun in that moment`;
}

const flowDocument = (it: JudgedFlow): object => ({
  from: it.flow.from,
  to: it.flow.to,
  hub: it.flow.hub,
  packetsSeconds: rounded(it.packets),
  connectionSeconds: rounded(it.connection),
  connectionEnded: it.isCut,
  newConnectionsSeconds: rounded(it.newConnections),
  connectionsWaiting: it.waiting,
  announced: it.announced,
  allowedSeconds: it.allowedSeconds === null ? null : rounded(it.allowedSeconds),
  agrees: it.agrees,
});

const rounded = (seconds: number): number => Math.round(seconds * 100) / 100;

import { countOf } from '../../base/core/words.ts';
import type { MeasuredFlow, MeasuredStep } from '../../reach/lab/plan-steps.ts';
import type { Answer } from './answer.ts';
import { alignRows } from './layout.ts';
import type { Paint } from './paint.ts';

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

import { countOf } from '../../base/core/words.ts';
import type { Flow } from '../../reach/lab/lab-plan.ts';
import type { Answer } from './answer.ts';
import { alignRows } from './layout.ts';
import type { Paint } from './paint.ts';

/** The silences of a flow while a step was applied, in seconds, beside what its plan announces. */
interface FlowReport {
  readonly flow: Flow;
  readonly packets: number;
  readonly connection: number;
  readonly newConnections: number;
  readonly waiting: number;
  readonly isCut: boolean;
  /** `null` when no loss is announced; a loss without a bound has no seconds. */
  readonly announced: { readonly seconds: number | null; readonly restarts: boolean } | null;
  readonly allowedSeconds: number | null;
  readonly agrees: boolean;
}

interface StepReport {
  readonly name: string;
  readonly flows: readonly FlowReport[];
  readonly latenessSeconds: number;
  readonly isSettled: boolean;
}

interface Stepped {
  readonly steps: readonly StepReport[];
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

function measuredLines({ name, flows, isSettled, latenessSeconds }: StepReport, paint: Paint): readonly string[] {
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

function announcedText(announced: FlowReport['announced']): string {
  if (announced === null) return 'none';
  if (announced.seconds === null) return 'until it is made again';
  return announced.restarts
    ? `${announced.seconds} s and the start of a pod`
    : `${announced.seconds} s if begun in that moment`;
}

const flowDocument = (it: FlowReport): object => ({
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

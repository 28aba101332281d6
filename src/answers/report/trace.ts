import { visibleText } from '../../base/core/visible-text.ts';
import { countOf, listOf } from '../../base/core/words.ts';
import { printAddress } from '../../base/net/text.ts';
import type { AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import { faultText } from '../../live/problems/link-faults.ts';
import { printTraced, sameAddress } from '../../reach/trace/address.ts';
import { arrives, idleSentence } from '../../reach/trace/fates.ts';
import { type AppliedRule, type PacketHop, rulePlace, samePacket } from '../../reach/trace/packet.ts';
import type { NextHop, Trace } from '../../reach/trace/trace.ts';
import { drawWalk, printWalkSvg } from '../graph/walk/print-walk-svg.ts';
import { printWalkMermaid, walkPicture } from '../graph/walk/walk-picture.ts';
import type { Answer } from './answer.ts';
import { alignRows, printLines } from './layout.ts';
import { differsFromGit, type LookReport, lookKeys, withLook, withLookMarkdown } from './live-look.ts';
import { markdownText } from './markdown-text.ts';
import type { Paint } from './paint.ts';
import { traceDocument } from './trace-document.ts';

interface PrintedModel {
  readonly model: AddressedModel;
  /** The folder of the bundles, for the places of rules; `null` for live clusters, whose rules are in no file. */
  readonly out: string | null;
  /** True when the hops are only counted, because something else is the first thing to read. */
  readonly isFolded?: boolean;
}

interface Traced extends PrintedModel {
  readonly trace: Trace;
  readonly look: LookReport | null;
}

/** `weft trace FROM TO`. */
export const traceAnswer: Answer<'trace', Traced> = {
  text: ({ trace, look, ...printed }, { paint, verbose }) => {
    const isFolded = differsFromGit(look) && !verbose;
    return withLook(printTrace(trace, { ...printed, isFolded }, paint), withoutRepeats(look, trace), paint);
  },
  json: ({ trace, look, model }) => ({ trace: traceDocument(model, trace), ...lookKeys(look) }),
  markdown: ({ trace, look, ...printed }) => withLookMarkdown(printTraceMarkdown(trace, printed), look),
  mermaid: ({ trace, ...printed }) => printWalkMermaid(pictureOf(trace, printed)),
  svg: ({ trace, ...printed }) => printWalkSvg(pictureOf(trace, printed)),
};

/** The way there and back as a picture. */
const pictureOf = (trace: Trace, printed: PrintedModel) =>
  walkPicture(trace, {
    title: `${fromText(trace)} to ${toText(trace)}`,
    summary: `${VERDICTS[trace.fate.kind]}${routeText(trace.route)}`,
    ruleText: (it) => ruleName(it, printed),
  });

/** The picture for a page that shows the words itself. */
export const drawTrace = (trace: Trace, printed: PrintedModel) => drawWalk(pictureOf(trace, printed));

/** Without the faults that the sentence about the packet names. */
const withoutRepeats = (look: LookReport | null, { fate }: Trace): LookReport | null =>
  look && { ...look, faults: look.faults.filter((it) => !fate.why.includes(faultText(it))) };

/** `weft trace FROM TO`: the fate of a packet, then each hop of the packet and of its answer, one per line. */
export function printTrace(trace: Trace, printed: PrintedModel, paint: Paint): string {
  const isThere = arrives(trace.fate);
  const verdict = (isThere ? paint.good : paint.error)(VERDICTS[trace.fate.kind]);
  return printLines([
    `${paint.strong(fromText(trace))} to ${paint.strong(toText(trace))}: ${verdict}${routeText(trace.route)}`,
    ...[...remarks(trace, printed), ...trace.others].map((it) => `  ${visibleText(it)}`),
    ...(printed.isFolded
      ? foldedHops(trace)
      : [
          ...hopTable('There', hopRows(trace, trace.there, printed), paint),
          ...hopTable('Back', hopRows(trace, trace.back, printed), paint),
        ]),
  ]);
}

function foldedHops({ there, back }: Trace): readonly string[] {
  const hops = there.length + back.length;
  return hops === 0 ? [] : [`  ${countOf(hops, 'hop')}: -v shows them`];
}

/** The words of a trace, for a page that lays them out itself. */
export interface TraceWords {
  readonly from: string;
  readonly to: string;
  readonly arrives: boolean;
  /** `delivered, direct, by the shortcut`. */
  readonly verdict: string;
  readonly remarks: readonly string[];
  readonly there: readonly HopWords[];
  /** Empty unless the packet arrives. */
  readonly back: readonly HopWords[];
}

export const traceWords = (trace: Trace, printed: PrintedModel): TraceWords => ({
  from: fromText(trace),
  to: toText(trace),
  arrives: arrives(trace.fate),
  verdict: `${VERDICTS[trace.fate.kind]}${routeText(trace.route)}`,
  remarks: [...remarks(trace), ...trace.others],
  there: hopRows(trace, trace.there, printed),
  back: hopRows(trace, trace.back, printed),
});

/** Prints a trace for a pull request or a wiki. */
function printTraceMarkdown(trace: Trace, printed: PrintedModel): string {
  const table = (title: string, rows: readonly HopWords[]) =>
    rows.length === 0
      ? []
      : [
          '',
          `**${title}**`,
          '',
          '| | where | source | destination | by |',
          '| --- | --- | --- | --- | --- |',
          ...rows.map((it) => `| ${hopCells(it).map(markdownText).join(' | ')} |`),
        ];
  return printLines([
    `### ${markdownText(`${fromText(trace)} to ${toText(trace)}`)}`,
    '',
    `${capital(VERDICTS[trace.fate.kind])}${routeText(trace.route)}.`,
    ...[...remarks(trace), ...trace.others].flatMap((it) => ['', markdownText(it)]),
    ...table('There', hopRows(trace, trace.there, printed)),
    ...table('Back', hopRows(trace, trace.back, printed)),
  ]);
}

const VERDICTS: Readonly<Record<Trace['fate']['kind'], string>> = {
  delivered: 'delivered',
  self: 'delivered',
  'no-route': 'no route',
  'no-keys': 'no keys',
  'tunnel-down': 'the tunnel is down',
  'no-return': 'no way back',
  'not-a-pod-address': 'not a pod',
  ambiguous: 'ambiguous',
  'needs-run-time-address': 'known at run time only',
  'needs-offloading': 'needs offloading',
  refused: 'refused',
  'refused-by-policy': 'refused by a policy',
  retired: 'retired',
};

function fromText({ from }: Trace): string {
  const address = from.address.kind === 'node' ? '' : `/${printTraced(from.address)}`;
  return `${from.isNode ? 'a node of ' : ''}${from.cluster}${address}${portText(from.port)}`;
}

function toText({ to }: Trace): string {
  return `${to.cluster === null ? '' : `${to.cluster}/`}${printTraced(to.address)}${portText(to.port)}`;
}

const portText = (port: number | null): string => (port === null ? '' : `:${port}`);

function routeText(route: NextHop): string {
  switch (route.kind) {
    case 'direct':
      return {
        hub: ', direct, by the hub link',
        peering: ', direct, by a peering',
        shortcut: ', direct, by the shortcut',
      }[route.link.kind];
    case 'through': {
      const others = route.hubs.filter((it) => it !== route.hub);
      return `, through ${route.hub}${others.length === 0 ? '' : ` (or at other addresses through ${listOf(others)})`}`;
    }
    case 'local':
      return ', inside the cluster';
    case 'none':
      return '';
  }
}

/** The sentences below the first line. */
function remarks(
  { from, to, fate, idle, sent, received, mapping, policies }: Trace,
  { isFolded = false }: Pick<PrintedModel, 'isFolded'> = {},
): readonly string[] {
  if (!arrives(fate)) {
    // The hint about the cause is above.
    const change = isFolded && fate.kind === 'tunnel-down' ? null : fate.change;
    return [fate.why, ...(change === null ? [] : [`What would change it: ${change}`])];
  }
  if (fate.kind === 'self' || !sent || !received) return [fate.why];
  const symbolic = mapping?.external.kind === 'allocated';
  return [
    ...(idle ? [`${idleSentence(idle)}${idle.isOff ? '' : ', so the link of the two carries nothing'}.`] : []),
    `${from.cluster} dials ${printTraced(sent.destination)}; ${to.cluster ?? 'the pod'} sees the source as ${printTraced(received.source)}.`,
    ...(mapping
      ? [
          `${mapping.cluster} sees the pod as ${printAddress(mapping.real)} and maps that to ${printTraced(mapping.external)} once it has offloaded the pod${symbolic ? '; ? is the host that its IP resource gets' : ''}.`,
        ]
      : []),
    ...policies,
  ];
}

interface HopWords {
  readonly number: number;
  readonly where: string;
  readonly source: string;
  readonly destination: string;
  readonly by: string;
}

function hopRows(trace: Trace, steps: readonly PacketHop[], printed: PrintedModel): readonly HopWords[] {
  const isAnswer = steps === trace.back;
  const [sourcePort, destinationPort] = isAnswer ? [trace.to.port, trace.from.port] : [trace.from.port, trace.to.port];
  return steps.map((step, index) => ({
    number: index + 1,
    where: hopPlace(step),
    source: `${printTraced(step.source)}${portText(sourcePort)}`,
    destination: `${printTraced(step.destination)}${portText(destinationPort)}`,
    by: byText(step, steps[index - 1], printed),
  }));
}

function hopPlace({ cluster, did }: PacketHop): string {
  switch (did.kind) {
    case 'sent':
    case 'received':
      return `${cluster} ${did.by}`;
    case 'left-node':
      return `${cluster} node`;
    case 'overlay':
      return did.to === 'gateway' ? `${cluster} overlay to gateway for ${did.peer}` : `${cluster} overlay to node`;
    case 'prerouting':
    case 'postrouting':
      return `${cluster} gateway for ${did.peer}, ${did.kind}`;
    case 'mapped':
      return `${cluster} gateway for ${did.peer}, prerouting`;
    case 'tunnel':
      return `tunnel to ${did.to}`;
    case 'undone':
      return did.on === 'gateway' ? `${cluster} gateway for ${did.peer}` : `${cluster} node`;
  }
}

function byText(step: PacketHop, before: PacketHop | undefined, printed: PrintedModel): string {
  const { did } = step;
  switch (did.kind) {
    case 'sent':
    case 'received':
      return '';
    case 'left-node':
      if (did.rule === null) return "no rule: the node's own network replaces the source";
      return ruleText(
        did.rule,
        printed,
        before && sameAddress(step.source, before.source) ? 'keeps the source' : 'unknown source',
      );
    case 'overlay':
      return `Geneve, route ${did.route}`;
    case 'prerouting':
    case 'postrouting':
      return ruleText(did.rule, printed, `${did.rule?.table ?? ''}/${did.rule?.chain ?? ''}`);
    case 'mapped':
      return 'IP resource of the pod (at run time)';
    case 'tunnel':
      return `WireGuard, ${did.link.client.cluster.name} dials ${did.link.endpoint.address}:${did.link.endpoint.port}, MTU ${did.link.mtuBytes}, route ${did.route}`;
    case 'undone':
      return before && samePacket(step, before) ? 'nothing to undo' : 'connection tracking undoes it';
  }
}

function ruleText(applied: AppliedRule | null, printed: PrintedModel, what: string): string {
  return applied === null ? 'no rule: the address stays' : `${what}: ${ruleName(applied, printed)}`;
}

/** The name of a rule, with its file and line. */
function ruleName(applied: AppliedRule, { model, out }: PrintedModel): string {
  const place = out === null ? null : rulePlace(model, applied);
  return `${applied.rule.name}${place === null ? '' : ` (${out}/${place.file}:${place.line})`}`;
}

const hopCells = ({ number, where, source, destination, by }: HopWords): readonly string[] => [
  String(number),
  where,
  source,
  destination,
  by,
];

function hopTable(title: string, rows: readonly HopWords[], paint: Paint): readonly string[] {
  if (rows.length === 0) return [];
  const cells = rows.map((it) => [String(it.number).padStart(2), it.where, it.source, '->', it.destination, it.by]);
  return ['', paint.quiet(title), ...alignRows(cells, paint.columns)];
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

import { visibleText } from '../../base/core/visible-text.ts';
import { countOf, moreLine } from '../../base/core/words.ts';
import type { AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import { type EndpointPath, isDelivered } from '../../reach/services/endpoint-paths.ts';
import { printTraced } from '../../reach/trace/address.ts';
import type { Answer, PictureFormat } from './answer.ts';
import { printLines, printTable } from './layout.ts';
import { markdownTable, markdownText } from './markdown-text.ts';
import type { Paint } from './paint.ts';
import { printTrace } from './trace.ts';
import { traceDocument } from './trace-document.ts';

/** The paths from one cluster to the endpoints of a Service. */
interface ServiceTrace {
  /** `demo/web`. */
  readonly service: string;
  /** The cluster that offloads the namespace. */
  readonly of: string;
  readonly from: string;
  /** `null` when the cluster does not have the Service. */
  readonly paths: readonly EndpointPath[] | null;
}

interface ServiceLook {
  readonly model: AddressedModel;
  readonly out: string;
  /** False for several senders: then only the paths are printed. */
  readonly withHops: boolean;
}

/** The most paths whose hops are printed; the others have the command that prints them. */
const WALKED = 3;

/** Cells before the paths. */
const INDENT = 2;

interface TracedServices extends Omit<ServiceLook, 'withHops'> {
  readonly traces: readonly ServiceTrace[];
}

/** `weft trace --service`. */
export const serviceTraceAnswer: Omit<Answer<'trace', TracedServices>, PictureFormat> = {
  text: ({ traces, ...printed }, { paint }) =>
    traces.map((it) => printServiceTrace(it, { ...printed, withHops: traces.length === 1 }, paint)).join('\n'),
  json: ({ traces, model }) => ({ services: traces.map((it) => serviceTraceDocument(model, it)) }),
  markdown: ({ traces }) => traces.map(printServiceTraceMarkdown).join('\n'),
};

/** `weft trace --service`: the possible places of the pods, the path to each, or the reason for none; then the hops. */
function printServiceTrace(traced: ServiceTrace, printed: ServiceLook, paint: Paint): string {
  const { from, paths } = traced;
  if (paths === null)
    return printLines([`${paint.strong(from)} to ${nameOf(traced)}: no such Service`, `  ${absent(traced)}`]);
  const reached = paths.filter(isDelivered).length;
  const verdict = (reached === paths.length ? paint.good : paint.error)(verdictOf(reached, paths.length));
  const walks = printed.withHops ? paths.filter((it) => it.trace !== null) : [];
  const hops = walks
    .slice(0, WALKED)
    .flatMap((it) => (it.trace ? ['', printTrace(it.trace(), printed, paint).trimEnd()] : []));
  const inner = paint.columns === undefined ? paint : { ...paint, columns: paint.columns - INDENT };
  const titles = ['PODS IN', 'PATH', `${from.toUpperCase()} DIALS`];
  const rows = paths.map((it) => endpointCells(traced, it));
  return printLines([
    `${paint.strong(from)} to ${nameOf(traced)}: ${verdict}`,
    ...printTable(titles, rows, inner).map((it) => ' '.repeat(INDENT) + it),
    ...paths
      .filter((it) => it.way !== 'local' && it.way !== 'link')
      .flatMap((it) => reasonOf(it).map((one) => `  ${visibleText(one)}`)),
    ...hops,
    ...moreLine(walks.length - WALKED, '; "weft trace" with two clusters prints the hops'),
  ]);
}

/** Prints the paths for a pull request or a wiki. */
function printServiceTraceMarkdown(traced: ServiceTrace): string {
  const { from, paths } = traced;
  if (paths === null)
    return printLines([`### ${markdownText(`${from} to ${nameOf(traced)}`)}`, '', markdownText(absent(traced))]);
  const reached = paths.filter(isDelivered).length;
  return printLines([
    `### ${markdownText(`${from} to ${nameOf(traced)}`)}`,
    '',
    `It ${verdictOf(reached, paths.length)}.`,
    ...markdownTable(
      ['pods in', 'path', `${from} dials`, 'why'],
      paths.map((it) => [...endpointCells(traced, it), it.why].map(markdownText)),
    ),
  ]);
}

const nameOf = ({ service, of }: ServiceTrace): string => `Service ${service} of ${of}`;

const verdictOf = (reached: number, all: number): string =>
  `reaches the pods in ${reached === all ? (ALL[all] ?? `all ${all} clusters`) : `${reached} of ${countOf(all, 'cluster')}`}`;

const ALL: Readonly<Record<number, string>> = { 1: 'the only cluster', 2: 'both clusters' };

const absent = ({ from, of }: ServiceTrace): string => `"${of}" does not offload the namespace to "${from}".`;

function endpointCells({ of }: ServiceTrace, { cluster, way, fate, trace }: EndpointPath): readonly string[] {
  const path = {
    local: 'inside the cluster',
    link: 'the link of the two',
    hub: `through ${of}`,
    direct: 'directly, by the annotation',
    shortcut: 'by the shortcut of the fork',
    none: FATES[fate],
  }[way];
  const sent = fate === 'delivered' ? trace?.().sent : undefined;
  return [cluster, path, sent ? printTraced(sent.destination) : '-'];
}

const FATES: Readonly<Record<EndpointPath['fate'], string>> = {
  delivered: '',
  'black-hole': 'black hole: ready, but lost',
  'not-ready': 'not ready',
  withheld: 'no endpoints',
};

const reasonOf = ({ cluster, why, change }: EndpointPath): readonly string[] => [
  `${cluster}: ${why}`,
  ...(change === null ? [] : [`What would change it: ${change}`]),
];

/** The paths to a Service as data. Programs rely on it: keys are added, never removed or changed in meaning. */
interface ServiceTraceDocument {
  readonly service: string;
  /** The cluster that offloads the namespace. */
  readonly of: string;
  readonly from: string;
  /** False when the cluster does not have the Service. */
  readonly exists: boolean;
  readonly endpoints: readonly {
    readonly cluster: string;
    readonly way: string;
    readonly fate: string;
    readonly why: string;
    readonly change: string | null;
    readonly trace: ReturnType<typeof traceDocument> | null;
  }[];
}

export const serviceTraceDocument = (
  model: AddressedModel,
  { service, of, from, paths }: ServiceTrace,
): ServiceTraceDocument => ({
  service,
  of,
  from,
  exists: paths !== null,
  endpoints: (paths ?? []).map((it) => endpointRow(model, it)),
});

const endpointRow = (model: AddressedModel, { cluster, way, fate, why, change, trace }: EndpointPath) => ({
  cluster,
  way,
  fate,
  why,
  change,
  trace: trace && traceDocument(model, trace()),
});

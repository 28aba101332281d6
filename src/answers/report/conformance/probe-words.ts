import { quoted } from '../../../base/core/words.ts';
import type { Diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { printAddress } from '../../../base/net/text.ts';
import type { ClusterProblem } from '../../../live/drift/causes-first.ts';
import type { JudgedProbe, ProbeVerdict } from '../../../reach/probes/judge-answers.ts';
import type { ObservedAssertion } from '../../../reach/probes/observed-assertions.ts';
import type { PlannedProbe, ProbePath, Prober, UndialledPath } from '../../../reach/probes/plan-probes.ts';
import { REASON_TEXTS } from '../../../reach/trace/decide-assertions.ts';

/** The answer of `weft conformance`. */
export interface ConformanceReport {
  readonly fleet: string;
  readonly probes: readonly ReportedProbe[];
  readonly objects:
    | { readonly kind: 'compared'; readonly clusters: readonly string[] }
    | { readonly kind: 'not-needed' }
    | { readonly kind: 'unreadable'; readonly why: string };
  readonly undialled: readonly UndialledPath[];
  readonly assertions: readonly ObservedAssertion[];
  readonly probers: readonly Prober[];
  readonly withoutProber: readonly Diagnostic[];
  readonly others: readonly string[];
  readonly pairs: { readonly wanted: number; readonly dialled: number };
}

export interface ReportedProbe extends JudgedProbe {
  readonly cause: ClusterProblem | null;
}

export const isFailed = ({ verdict }: JudgedProbe): boolean => verdict.kind !== 'as-predicted';

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

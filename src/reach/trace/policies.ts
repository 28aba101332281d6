import { firstOf, quoted } from '../../base/core/words.ts';
import { placeAt, type Span } from '../../base/source/source.ts';
import { labelsText } from '../../bundle/enforcement/lower-policies.ts';
import { type Boundaries, boundedNamespaces, type Opening } from '../../fleet/boundaries/bounded-model.ts';
import { unknownSource } from '../../fleet/ipam/addressed-model.ts';
import { networkOf } from './address.ts';
import { type Fate, refusedByPolicy } from './fates.ts';
import { type FlowQuestion, findFlow } from './open-flows.ts';
import type { Transport } from './packet.ts';
import { flowQuestion, PROTOCOLS, type TraceRequest } from './trace-request.ts';
import type { Walk } from './walk.ts';

/** The answer of policies and entries about a packet that every fence on its way lets through. */
interface PolicyVerdict {
  /** The fate of a packet that a policy refuses; `null` when none does. */
  readonly fate: Fate | null;
  /** True when the policy is that of the sender. */
  readonly isAtSender: boolean;
  /** The entries that let it in, and the namespaces whose policy would refuse it, as sentences. */
  readonly sentences: readonly string[];
}

const SILENT: PolicyVerdict = { fate: null, isAtSender: false, sentences: [] };

/**
 * Decides a packet that reached its pod against the policies of the namespaces that the request names. The sender's policy limits
 * what it sends to pods over a link of its own; what it sends to a hub is an address of an external CIDR.
 */
export function judgePolicies(
  boundaries: Boundaries | undefined,
  request: TraceRequest,
  { crossings, end }: Walk,
  { protocol, port }: Transport,
): PolicyVerdict {
  const last = crossings.at(-1);
  if (boundaries === undefined || last === undefined || end.how.kind !== 'in-pod') return SILENT;
  const { here, far } = last;
  const isDirect = crossings.length === 1;
  const fromNamespace = isDirect && !request.fromNode ? (request.fromNamespace ?? null) : null;
  const [source, destination] = [networkOf(last.gateway.after.source), networkOf(end.packet.destination)];
  const asked = flowQuestion({ sender: here, receiver: far }, request);
  const isMasqueraded = source?.base === unknownSource(here);
  const its = { source, destination, port, protocol: protocol === null ? null : PROTOCOLS[protocol] };
  const question: FlowQuestion = { ...asked, ...its, fromNamespace, isMasqueraded };
  const found = findFlow(boundaries, question);
  const limits = { from: here.name, to: far.name };
  if (found.refusedBy === 'policy') {
    const isAtReceiver = findFlow(boundaries, { ...question, fromNamespace: null }).refusedBy === 'policy';
    const namespace = (isAtReceiver ? question.toNamespace : fromNamespace) ?? '';
    return { fate: refusedByPolicy({ ...limits, namespace, isAtReceiver }), isAtSender: !isAtReceiver, sentences: [] };
  }
  const some = { ...asked, fromNamespace, isMasqueraded, ...(isDirect ? {} : { source: null }) };
  return {
    ...SILENT,
    sentences: [...entrySentences(found.entries, far.name, question), ...refusingNamespaces(boundaries, some, request)],
  };
}

/** The entries that let a connection in. */
function entrySentences(
  [ofFence = null, ofReceiver = null, ofSender = null]: readonly (Opening | null)[],
  receiver: string,
  { toNamespace, fromNamespace }: FlowQuestion,
): readonly string[] {
  const entries = [
    ...(ofFence === null ? [] : [[ofFence, `the fence of ${quoted(receiver)}`] as const]),
    ...(ofReceiver === null ? [] : [[ofReceiver, `the policy of namespace ${quoted(toNamespace ?? '')}`] as const]),
    ...(ofSender === null ? [] : [[ofSender, `the policy of namespace ${quoted(fromNamespace ?? '')}`] as const]),
  ];
  const places = [...new Set(entries.map(([it]) => placeText(it.at)))];
  const pods = ofReceiver?.toPods ?? null;
  return [
    ...places.map((place) => {
      const by = entries.filter(([it]) => placeText(it.at) === place).map(([, it]) => it);
      return `An entry of \`boundaries\` lets it in, ${place}${places.length === 1 ? '' : `: by ${by.join(' and ')}`}.`;
    }),
    ...(pods === null ? [] : [`Only pods with ${labelsText(pods)} get it there.`]),
  ];
}

const placeText = ({ source, start }: Span): string => `${source.path}:${placeAt(source, start).line}`;

/** The namespaces, where the request names none, whose policy refuses every connection that it may be about. */
function refusingNamespaces(
  boundaries: Boundaries,
  question: FlowQuestion,
  { fromNamespace = null, toNamespace = null, fromNode = false }: TraceRequest,
): readonly string[] {
  const refuses = (its: Partial<FlowQuestion>): boolean =>
    findFlow(boundaries, { ...question, ...its }).refusedBy === 'policy';
  const namesIn = (cluster: FlowQuestion['to']) => boundedNamespaces({ boundaries }, cluster.name);
  const into = namesIn(question.to).filter((it) => it.limitsIngress && refuses({ toNamespace: it.name }));
  const out = namesIn(question.from).filter((it) => it.limitsEgress && refuses({ fromNamespace: it.name }));
  return [
    ...(toNamespace !== null || into.length === 0 ? [] : [sentence('into', into, question.to.name)]),
    ...(fromNamespace !== null || fromNode || question.isMasqueraded || out.length === 0
      ? []
      : [sentence('from', out, question.from.name)]),
  ];
}

function sentence(way: 'into' | 'from', them: readonly { readonly name: string }[], cluster: string): string {
  const names = firstOf(
    them.map((it) => quoted(it.name)),
    3,
  );
  const flag = way === 'into' ? '--to-namespace' : '--from-namespace';
  return `A policy refuses it ${way} namespace ${names} of ${quoted(cluster)}: ${flag} decides for one.`;
}

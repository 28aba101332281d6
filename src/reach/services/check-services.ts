import { andMore, countOf, quoted } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic, inSourceOrder } from '../../base/diagnostics/diagnostic.ts';
import { type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { samePrefix } from '../../base/net/prefix.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import type { OffloadedNamespace, SharedModel } from '../../fleet/sharing/shared-model.ts';
import type { ServiceAssertion } from '../../fleet/topology/declaration.ts';
import { selectClusters } from '../../fleet/topology/selector.ts';
import { isAboutAllParts } from '../trace/decide-assertions.ts';
import { type PairFates, pairFatesOf } from '../trace/pair-fates.ts';
import {
  directConnection,
  type EndpointPath,
  endpointPaths,
  isDelivered,
  isVia,
  type ProviderPair,
} from './endpoint-paths.ts';
import { findNamespace } from './find-namespace.ts';

/**
 * Checks Services of offloaded namespaces, and every assertion about them. With `null` it yields only notes, for a
 * trace that shows why a Service does not work.
 */
export function checkServices<T extends SharedModel>(
  model: T,
  assertions: readonly ServiceAssertion[] | null,
): Outcome<T> {
  return outcome(
    model,
    inSourceOrder([
      ...(assertions === null ? [] : directConnectionsNeedLinks(model)),
      ...providersTalkDirectly(model),
      ...assertionDiagnostics(model, assertions ?? []),
    ]),
  );
}

function assertionDiagnostics(model: SharedModel, assertions: readonly ServiceAssertion[]): readonly Diagnostic[] {
  if (assertions.length === 0) return [];
  const fates = pairFatesOf(model);
  return assertions.filter(isAboutAllParts).flatMap((it) => [...decideServiceAssertion(model, it, fates)]);
}

/** Largest number of pairs that are counted; then the search ends. */
const MOST_PAIRS_COUNTED = 100;

/**
 * Notes about pairs of providers whose pods reach each other through the consumer, over two tunnels, although Liqo
 * supports a direct path over a link between the two. The traffic loads the gateways of the consumer.
 */
function* providersTalkDirectly(model: SharedModel): Iterable<Diagnostic> {
  for (const it of model.offloadings) if (!it.directConnections) yield* checkPathOfProviders(model, it);
}

function* checkPathOfProviders(model: SharedModel, offloaded: OffloadedNamespace): Iterable<Diagnostic> {
  const { at, cluster, namespace } = offloaded;
  const pairs: ProviderPair[] = [];
  for (const pair of providerPairs(offloaded)) {
    if (pair.from.name > pair.to.name) continue;
    const couldBe = couldBeDirect(model, pair);
    // A pair that can have no direct path would leave a provider without endpoints; another rule reports it.
    if (!couldBe && !model.fleet.shortcutOperator) return;
    if (couldBe) pairs.push(pair);
    if (pairs.length === MOST_PAIRS_COUNTED) break;
  }
  const unlinked = pairs.filter(({ from, to }) => !from.peers.has(to.name));
  const isPartial = unlinked.length > 0 && unlinked.length < pairs.length;
  const [first] = pairs;
  if (first === undefined || isPartial) return;
  const names = `${quoted(first.from.name)} and ${quoted(first.to.name)}`;
  const left = pairs.length - 1;
  const others =
    left === 0 ? '' : `; ${countOf(left, 'more pair of providers does', 'more pairs of providers do')}, too`;
  const message = `pods of namespace ${quoted(namespace)} in ${names} reach each other through ${quoted(cluster.name)}, over two tunnels${others}`;
  yield diagnostic('sharing/through-the-consumer', at, message, {
    about: [[cluster.name]],
    hint: shortcutHint(model, unlinked),
  });
}

function shortcutHint({ fleet }: SharedModel, unlinked: readonly ProviderPair[]): string {
  const [first] = unlinked;
  const add =
    first &&
    `add ${unlinked.length === 1 ? 'a shortcut' : countOf(unlinked.length, 'shortcut')}, like [${first.from.name}, ${first.to.name}]`;
  if (fleet.shortcutOperator) return add ?? '';
  const annotate =
    'annotate the Services with `liqo.io/use-direct-connections: "true"` and set `directConnections: true`';
  return add === undefined ? annotate : `if they talk much, ${add}, then ${annotate}`;
}

/** True when the path through the consumer and a direct path both exist, or would exist with a link between the two. */
function couldBeDirect({ fleet }: SharedModel, { hub, from, to }: ProviderPair): boolean {
  const [one, other] = [hub.peers.get(from.name), hub.peers.get(to.name)];
  if (one === undefined || other === undefined) return false;
  if (fleet.shortcutOperator) return !from.peers.has(to.name) && !hub.traits.hasDirectConnections;
  const isRemapped = [one, other].some((it) => it.podViews.some((view) => !samePrefix(view.cidr, view.seenAs)));
  return [hub, from, to].every((it) => it.traits.hasDirectConnections) && !isRemapped;
}

/** Largest number of refused pairs that are counted; then the search ends. */
const MOST_PAIRS_REFUSED = 20;

/**
 * Diagnostics about namespaces with direct connections in which a provider cannot map the pods of another provider. A
 * provider that cannot map one endpoint gets no endpoints at all.
 */
function* directConnectionsNeedLinks({ offloadings }: SharedModel): Iterable<Diagnostic> {
  for (const it of offloadings) if (it.directConnections) yield* checkDirectConnections(it);
}

function* checkDirectConnections(offloaded: OffloadedNamespace): Iterable<Diagnostic> {
  const { at, cluster, namespace } = offloaded;
  const refused: { readonly from: string; readonly why: string; readonly change: string }[] = [];
  for (const pair of providerPairs(offloaded)) {
    const connection = directConnection(pair);
    if (connection.kind === 'absent') {
      const message = `\`directConnections\` of namespace ${quoted(namespace)} has no effect: ${connection.why}`;
      yield diagnostic('topology/unused-setting', at, message, {
        about: [[cluster.name]],
        hint: 'upgrade, or remove it',
      });
      return;
    }
    if (connection.kind !== 'refused') continue;
    refused.push({ from: pair.from.name, ...connection });
    if (refused.length === MOST_PAIRS_REFUSED) break;
  }
  const [first] = refused;
  if (first === undefined) return;
  const others = andMore(new Set(refused.map((it) => it.from)).size - 1);
  const message = `Services of namespace ${quoted(namespace)} get no endpoints of other clusters in ${quoted(first.from)}${others}: with direct connections ${quoted(first.from)} must map every pod, and ${first.why}`;
  const hint = `${first.change.charAt(0).toLowerCase()}${first.change.slice(1).replace(/\.$/, '')}; or remove the annotation from the Services, and \`directConnections\``;
  yield diagnostic('sharing/direct-connections-without-links', at, message, { hint });
}

/** Every ordered pair of different providers of a namespace in which its pods may run, in order of name. */
function* providerPairs({ cluster: hub, providers, pods }: OffloadedNamespace): Iterable<ProviderPair> {
  if (pods === 'Local') return;
  for (const from of providers) for (const to of providers) if (from !== to) yield { hub, from, to };
}

/**
 * Decides an assertion about a Service. `reachable` holds when every selected cluster reaches the pods in every cluster
 * in which they may run; `unreachable` holds when no selected cluster reaches any of them. With `via`, pods in the
 * sender's own cluster are ignored.
 */
function* decideServiceAssertion(
  model: SharedModel,
  assertion: ServiceAssertion,
  fates: PairFates,
): Iterable<Diagnostic> {
  const { to } = assertion;
  const found = findNamespace(model, { namespace: to.namespace, of: to.of?.value ?? null });
  if (!found.ok) {
    yield diagnostic('assertion/matches-nothing', to.of?.at ?? to.at, found.problem, { hint: found.hint });
    return;
  }
  const senders = selectClusters(model.clusters, assertion.from);
  if (senders.length === 0) {
    const hint = 'correct the labels, or remove the assertion';
    yield diagnostic('assertion/matches-nothing', assertion.from.at, 'no cluster is selected as a sender', { hint });
    return;
  }
  const broken = senders.flatMap((it) => brokenPaths(endpointPaths(model, found.namespace, it, fates), assertion, it));
  const [first] = broken;
  if (first) yield brokenService(assertion, found.namespace, first, broken.length - 1);
}

interface BrokenPath {
  readonly from: AddressedCluster;
  /** `null` when the sender does not have the Service. */
  readonly path: EndpointPath | null;
}

function brokenPaths(
  paths: readonly EndpointPath[] | undefined,
  { expect, via }: ServiceAssertion,
  from: AddressedCluster,
): readonly BrokenPath[] {
  if (paths === undefined) return expect === 'reachable' ? [{ from, path: null }] : [];
  const considered = paths.filter((it) => via === null || it.way !== 'local');
  const reaches = (it: EndpointPath): boolean => isDelivered(it) && isVia(it, via);
  return considered.filter((it) => reaches(it) !== (expect === 'reachable')).map((path) => ({ from, path }));
}

function brokenService(
  { at, to, expect, via }: ServiceAssertion,
  { cluster }: OffloadedNamespace,
  { from, path }: BrokenPath,
  others: number,
): Diagnostic {
  const service = `Service ${to.namespace}/${to.service} of ${quoted(cluster.name)}`;
  const more = others === 0 ? '' : `; ${countOf(others, 'other path breaks', 'other paths break')} it, too`;
  if (path === null) {
    const message = `${quoted(from.name)} has no ${service}, since its namespace is not offloaded there${more}`;
    const hint = `offload the namespace to ${quoted(from.name)}, or correct the assertion`;
    return diagnostic('assertion/broken', at, message, { hint });
  }
  const pods = path.way === 'local' ? 'in the cluster itself' : `in ${quoted(path.cluster)}`;
  if (isDelivered(path)) {
    const how = expect === 'unreachable' ? '' : ', in another way than required';
    const message = `${quoted(from.name)} reaches the pods of ${service} ${pods}${how}: ${sentencePart(path.why)}${more}`;
    return diagnostic('assertion/broken', at, message, {
      hint: `${serviceChange(path, via)}, or correct the assertion`,
    });
  }
  const message = `${quoted(from.name)} does not reach the pods of ${service} ${pods}: ${sentencePart(path.why)}${more}`;
  return diagnostic('assertion/broken', at, message, {
    hint: `${sentencePart(path.change ?? '')}, or correct the assertion`,
  });
}

function serviceChange({ way }: EndpointPath, via: ServiceAssertion['via']): string {
  return way === 'hub' && via === 'shortcut'
    ? 'add a shortcut of the two, annotate the Service, and set `directConnections: true` for its namespace'
    : 'change the links of the two, or where the pods run';
}

/** A sentence turned into the end of another sentence. */
const sentencePart = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1).replace(/\.$/, '')}`;

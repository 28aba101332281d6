import { countOf, quoted } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import { selectClusters } from '../../fleet/model/select-clusters.ts';
import type { OffloadedNamespace, SharedModel } from '../../fleet/sharing/shared-model.ts';
import type { ServiceAssertion } from '../../fleet/topology/declaration.ts';
import type { PairFates } from '../trace/pair-fates.ts';
import { type EndpointPath, isDelivered } from './endpoint-path.ts';
import { endpointPaths } from './endpoint-paths.ts';
import { findNamespace } from './find-namespace.ts';

/**
 * Decides an assertion about a Service. `reachable` holds when every selected cluster reaches the pods in every cluster
 * in which they may run; `unreachable` holds when no selected cluster reaches any of them. With `via`, pods in the
 * sender's own cluster are ignored.
 */
export function* decideServiceAssertion(
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
  const reaches = (it: EndpointPath): boolean => isDelivered(it) && (via === null || viaOf(it) === via);
  return considered.filter((it) => reaches(it) !== (expect === 'reachable')).map((path) => ({ from, path }));
}

const viaOf = ({ way }: EndpointPath): 'hub' | 'shortcut' => (way === 'hub' ? 'hub' : 'shortcut');

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

import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { inSourceOrder } from '../../base/diagnostics/in-source-order.ts';
import { type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import type { AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import type { Paths } from '../../fleet/model/find-paths.ts';
import type { Assertion, Selector } from '../../fleet/model/network-model.ts';
import { pathsOf } from '../../fleet/model/paths-of.ts';
import { selectClusters } from '../../fleet/model/select-clusters.ts';
import { brokenAssertion } from './broken-assertion.ts';
import { brokenPairs } from './broken-pairs.ts';
import { type PairFates, pairFatesOf } from './pair-fates.ts';

/** Checks every assertion of the topology by tracing packets. A broken assertion is an error with its place. */
export function decideAssertions(model: AddressedModel, assertions: readonly Assertion[]): Outcome<AddressedModel> {
  if (assertions.length === 0) return outcome(model);
  const network = { pairFates: pairFatesOf(model), paths: pathsOf(model.links) };
  return outcome(model, inSourceOrder(assertions.flatMap((it) => decide(model, network, it))));
}

function decide(
  model: AddressedModel,
  network: { readonly pairFates: PairFates; readonly paths: Paths },
  assertion: Assertion,
): readonly Diagnostic[] {
  const from = selectClusters(model.clusters, assertion.from);
  const to = selectClusters(model.clusters, assertion.to);
  const empty = [...(from.length === 0 ? [assertion.from] : []), ...(to.length === 0 ? [assertion.to] : [])];
  if (empty.length > 0) return empty.map(selectsNothing);
  const [only] = from;
  if (from.length === 1 && to.length === 1 && only === to[0]) return [joinsNothing(assertion, only?.name ?? '')];
  const broken = brokenPairs(network, { assertion, from, to });
  const [first, ...others] = broken;
  if (!first) return [];
  const { from: sender, to: receiver } = first;
  const any = network.pairFates.between(sender, receiver);
  const through = network.pairFates.between(sender, receiver, 'hub');
  return [brokenAssertion(assertion, { ...first, any, through, others: others.length })];
}

function selectsNothing(selector: Selector): Diagnostic {
  const labels =
    selector.kind === 'labels' ? Object.entries(selector.labels).map(([key, value]) => `${key}: ${value}`) : [];
  const what = labels.length === 0 ? 'is a cluster that is not retired' : `has the labels ${labels.join(', ')}`;
  return diagnostic('assertion/matches-nothing', selector.at, `no cluster ${what}`, {
    hint: 'correct the labels, or remove the assertion',
  });
}

const joinsNothing = ({ at }: Assertion, name: string): Diagnostic =>
  diagnostic('assertion/matches-nothing', at, `the assertion selects only "${name}", and it needs two clusters`, {
    hint: 'name two different clusters',
  });

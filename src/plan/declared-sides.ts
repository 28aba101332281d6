import { type Acceptance, clustersOf, type Diagnostic, isOpen, placeKey } from '../base/diagnostics/diagnostic.ts';
import type { Assertion, Declaration, ServiceAssertion } from '../fleet/topology/declaration.ts';
import { clustersWithLabels, type Selector } from '../fleet/topology/selector.ts';
import type { Demand } from './demand.ts';
import { NO_ACCEPTANCES, type PlannedAcceptances } from './plan-changes.ts';

interface Accepting {
  readonly acceptances: readonly Acceptance[];
  /** All of the topology, accepted or not. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The diagnostics that a topology accepts, and the entries among them that were not accepted before. */
export function plannedAcceptances(
  before: readonly Acceptance[],
  { acceptances, diagnostics }: Accepting,
): PlannedAcceptances {
  if (acceptances.length === 0) return NO_ACCEPTANCES;
  const accepted = diagnostics.filter((it) => !isOpen(it));
  const counts = new Map<Acceptance, number>();
  for (const it of accepted.flatMap((one) => one.accepted ?? [])) counts.set(it, (counts.get(it) ?? 0) + 1);
  const known = new Set(before.map(acceptanceId));
  return {
    warnings: accepted.filter((it) => it.severity === 'warning').length,
    notes: accepted.filter((it) => it.severity === 'note').length,
    added: acceptances
      .filter((it) => !known.has(acceptanceId(it)))
      .map((it) => ({
        code: it.code.value,
        clusters: clustersOf(it.where).map(({ value }) => value),
        reason: it.reason,
        count: counts.get(it) ?? 0,
      })),
  };
}

/** Identifies an acceptance without its reason, so that a reworded reason is not a new acceptance. */
const acceptanceId = ({ code, where }: Acceptance): string => `${code.value} ${placeKey(where)}`;

type Clusters = ReadonlyMap<string, Declaration['clusters'][number]>;

/** The assertions of a topology. */
export function demandsOf({ assertions, serviceAssertions, clusters: all }: Declaration): readonly Demand[] {
  const clusters = new Map(all.map((it) => [it.name, it]));
  return [
    ...assertions.map((it) => demandOf(it, clusters, demandEnd(it.to, clusters))),
    ...serviceAssertions.map((it) => demandOf(it, clusters, serviceEnd(it))),
  ];
}

interface End {
  readonly text: string;
  readonly named: readonly string[];
  readonly applies: readonly string[];
}

function demandOf(
  { from, expect, via, by: refusing, flow, without }: Omit<Assertion, 'at' | 'to'>,
  clusters: Clusters,
  to: End,
): Demand {
  const sender = demandEnd(from, clusters);
  return {
    from: sender.text,
    to: to.text,
    expect,
    via,
    by: refusing,
    flow: flow === undefined ? null : flowText(flow),
    without: without?.text.value ?? null,
    named: [...sender.named, ...to.named],
    applies: [sender.applies, to.applies],
  };
}

const flowText = ({ fromNamespace, toNamespace, protocol, port }: NonNullable<Assertion['flow']>): string =>
  [
    fromNamespace && `from namespace ${fromNamespace}`,
    toNamespace && `to namespace ${toNamespace}`,
    protocol && `on ${protocol}${port === null ? '' : ` ${port}`}`,
  ]
    .filter((it) => it !== null)
    .join(', ');

function demandEnd(selector: Selector, clusters: Clusters): End {
  if (selector.kind === 'cluster') return { text: selector.name, named: [selector.name], applies: [selector.name] };
  const labels = Object.entries(selector.labels).map(([key, value]) => `${key}=${value}`);
  return {
    text: labels.sort().join(', ') || '*',
    named: [],
    applies: clustersWithLabels(clusters, selector.labels).map((it) => it.name),
  };
}

function serviceEnd({ to: { namespace, service, of } }: ServiceAssertion): End {
  const name = `${namespace}/${service}`;
  return of === null
    ? { text: name, named: [], applies: [] }
    : { text: `${name} of ${of.value}`, named: [of.value], applies: [] };
}

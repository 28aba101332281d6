import { placeKey } from '../../base/diagnostics/accept-diagnostics.ts';
import { type Acceptance, clustersOf } from '../../base/diagnostics/acceptance.ts';
import { isOpen } from '../../base/diagnostics/diagnostic.ts';
import { readAcceptances } from '../../fleet/topology/read-acceptances.ts';
import type { TopologyDocument } from '../../fleet/topology/topology-document.ts';
import { NO_ACCEPTANCES, type PlannedAcceptances } from '../../plan/planned-acceptances.ts';
import type { ReadyTopology } from './compile-topology.ts';

/**
 * What a topology accepts, and which of that the topology of the base did not.
 *
 * @param then `null` for a base without a topology, or where it has errors: it accepted nothing; `undefined` without a base
 */
export function planAcceptances(
  then: TopologyDocument | null | undefined,
  { compiled, diagnostics }: ReadyTopology,
): PlannedAcceptances {
  const { acceptances } = compiled.inputs.declaration;
  if (acceptances.length === 0) return NO_ACCEPTANCES;
  const accepted = diagnostics.filter((it) => !isOpen(it));
  const counts = new Map<Acceptance, number>();
  for (const it of accepted.flatMap((one) => one.accepted ?? [])) counts.set(it, (counts.get(it) ?? 0) + 1);
  const acceptedThen = then === undefined ? acceptances : then === null ? [] : readAcceptances(then.reading);
  const before = new Set(acceptedThen.map(identityOf));
  return {
    warnings: accepted.filter((it) => it.severity === 'warning').length,
    notes: accepted.filter((it) => it.severity === 'note').length,
    added: acceptances
      .filter((it) => !before.has(identityOf(it)))
      .map((it) => ({
        code: it.code.value,
        clusters: clustersOf(it.where).map(({ value }) => value),
        reason: it.reason,
        count: counts.get(it) ?? 0,
      })),
  };
}

/** Another reason is no other acceptance. */
const identityOf = ({ code, where }: Acceptance): string => `${code.value} ${placeKey(where)}`;

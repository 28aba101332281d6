import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { inSourceOrder } from '../../base/diagnostics/in-source-order.ts';
import { type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import type { SharedModel } from '../../fleet/sharing/shared-model.ts';
import type { ServiceAssertion } from '../../fleet/topology/declaration.ts';
import { pairFatesOf } from '../trace/pair-fates.ts';
import { decideServiceAssertion } from './decide-service-assertion.ts';
import { directConnectionsNeedLinks } from './direct-connections-need-links.ts';
import { providersTalkDirectly } from './providers-talk-directly.ts';

/**
 * Checks Services of offloaded namespaces, and every assertion about them. `null` for notes alone: a trace shows why a
 * Service does not work.
 */
export function checkServices(
  model: SharedModel,
  assertions: readonly ServiceAssertion[] | null,
): Outcome<SharedModel> {
  return outcome(
    model,
    inSourceOrder([
      ...(assertions === null ? [] : directConnectionsNeedLinks(model)),
      ...providersTalkDirectly(model),
      ...decided(model, assertions ?? []),
    ]),
  );
}

function decided(model: SharedModel, assertions: readonly ServiceAssertion[]): readonly Diagnostic[] {
  if (assertions.length === 0) return [];
  const fates = pairFatesOf(model);
  return assertions.flatMap((it) => [...decideServiceAssertion(model, it, fates)]);
}

import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { bug } from '../../base/diagnostics/outcome.ts';
import { type Compiled, compile, type Sources } from '../../compile.ts';
import { demandsOf, plannedAcceptances } from '../../plan/declared-sides.ts';
import { pickedDecisions } from '../../plan/picked-decisions.ts';
import { type Plan, planOfSides } from '../../plan/plan-changes.ts';
import { type PlanState, readPlanState, topologyFacts } from '../../plan/plan-state.ts';
import { readBothSides } from '../../plan/read-both-sides.ts';

export interface CompiledSources {
  readonly sources: Sources;
  readonly compiled: Compiled;
  readonly diagnostics: readonly Diagnostic[];
}

/** The plan between two topologies, as `weft plan` makes it for a base without bundles; `null` for no topology before. */
export function planBetween(before: Compiled | null, after: CompiledSources): Plan {
  const { compiled, diagnostics } = after;
  const [old, is] = [before?.inputs.declaration, compiled.inputs.declaration];
  const was = before === null ? sideOf({ files: new Map(), lock: null, known: null }) : compiledSide(before);
  return planOfSides(readBothSides(was, compiledSide(compiled)), {
    acceptances: plannedAcceptances(old?.acceptances ?? [], { ...is, diagnostics }),
    demands: { before: old === undefined ? [] : demandsOf(old), after: demandsOf(is) },
    picked: handPicked(before, after),
  });
}

const compiledSide = ({ bundle, lock, model }: Compiled): PlanState =>
  sideOf({ files: bundle, lock, known: topologyFacts(model) });

const sideOf = (given: Parameters<typeof readPlanState>[0]): PlanState =>
  readPlanState(given) ?? bug('the plan cannot read what compile emits');

/** The decisions of the given lock that a compile would not make. */
function handPicked(before: Compiled | null, { sources }: CompiledSources) {
  const { lock } = sources;
  if (lock === undefined) return [];
  return pickedDecisions(lock.text, before?.lock ?? null, (text) => {
    const again = { ...sources, lock: text === null ? undefined : { ...lock, text } };
    const compiled = compile(again, { relock: [], only: [] });
    return compiled.ok ? compiled.value.lock : null;
  });
}

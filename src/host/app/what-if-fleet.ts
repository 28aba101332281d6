import type { SharedModel } from '../../fleet/sharing/shared-model.ts';
import { findParts, type Part, withAllKeys } from '../../reach/whatif/parts.ts';
import { type SingleFailures, singleFailures } from '../../reach/whatif/single-failures.ts';
import { type WhatIf, whatIf } from '../../reach/whatif/what-if.ts';
import { type Answered, compileTopology, type TopologyRequest, type Unanswered } from './compile-topology.ts';
import type { FileReader } from './ports.ts';
import type { Refusal } from './refusal.ts';

interface WhatIfRequest extends TopologyRequest {
  /** The parts that fail at the same time, as the user writes them; empty to try every part alone. */
  readonly without: readonly string[];
}

type WhatIfResult =
  | (Answered<'tried'> & { readonly asked: 'each'; readonly found: SingleFailures })
  | (Answered<'tried'> & { readonly asked: 'some'; readonly found: WhatIf });

/** The consequences when parts of a fleet fail. */
export async function whatIfFleet(files: FileReader, request: WhatIfRequest): Promise<Unanswered | WhatIfResult> {
  const topology = await compileTopology(files, request, { only: [], withoutAssertions: true });
  if (topology.kind !== 'compiled') return topology;
  const { diagnostics, compiled } = topology;
  const { inputs } = compiled;
  const model = withAllKeys(compiled.model);
  if (request.without.length === 0)
    return { kind: 'tried', diagnostics, asked: 'each', found: singleFailures(model, inputs.declaration) };
  const parts = namedParts(model, request.without);
  if (!parts.ok) return { kind: 'refused', refusal: parts.refusal };
  return { kind: 'tried', diagnostics, asked: 'some', found: whatIf(model, parts.parts, inputs.declaration) };
}

/** The parts of a fleet with these names, or the refusal of one that no part has. */
export function namedParts(
  model: SharedModel,
  names: readonly string[],
): { readonly ok: true; readonly parts: readonly Part[] } | { readonly ok: false; readonly refusal: Refusal } {
  const reading = findParts(model, names);
  return reading.ok
    ? reading
    : { ok: false, refusal: { kind: 'unknown-part', problem: reading.problem, advice: reading.hint } };
}

import { quoted } from '../../base/core/words.ts';
import { acceptDiagnostics } from '../../base/diagnostics/accept-diagnostics.ts';
import type { Acceptance, AcceptedPlace } from '../../base/diagnostics/acceptance.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Outcome } from '../../base/diagnostics/outcome.ts';

interface Acceptances {
  readonly acceptances: readonly Acceptance[];
  /** Every rule that can report what they accept was asked. */
  readonly isComplete: boolean;
}

/** Marks what the topology accepts, and reports the acceptances that match nothing. */
export function applyAcceptances<T>(outcome: Outcome<T>, { acceptances, isComplete }: Acceptances): Outcome<T> {
  const { diagnostics, unused } = acceptDiagnostics(outcome.diagnostics, acceptances);
  // Behind an error are rules that were not asked.
  if (!outcome.ok) return { ...outcome, diagnostics };
  return { ...outcome, diagnostics: isComplete ? [...diagnostics, ...unused.map(describeUnused)] : diagnostics };
}

const describeUnused = ({ at, code, where }: Acceptance): Diagnostic =>
  diagnostic('topology/acceptance-unused', at, `no "${code.value}" is reported ${placeInWords(where)}`, {
    hint: 'remove the entry: it would accept what comes later',
  });

function placeInWords(where: AcceptedPlace): string {
  switch (where.kind) {
    case 'fleet':
      return 'in this fleet';
    case 'cluster':
      return `about ${quoted(where.cluster.value)}`;
    case 'link':
      return `about the link of ${quoted(where.between[0].value)} and ${quoted(where.between[1].value)}`;
  }
}

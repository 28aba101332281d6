import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Source } from '../../base/source/source.ts';
import type { Finding } from './finding.ts';

interface Printed {
  readonly source: Source;
  readonly places: ReadonlyMap<string, { readonly start: number; readonly end: number }>;
}

/** Findings at the lines of the topology that describe their clusters. */
export function placeFindings(findings: readonly Finding[], { source, places }: Printed): readonly Diagnostic[] {
  const top = places.get('clusters') ?? { start: 0, end: 0 };
  return findings.map(({ code, cluster, message, hint }) =>
    diagnostic(code, { source, ...(places.get(`clusters.${cluster}`) ?? top) }, message, { hint }),
  );
}

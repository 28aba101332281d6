import type { Diagnostic } from '../../../src/base/diagnostics/diagnostic.ts';
import type { Span } from '../../../src/base/source/source.ts';

/** A span drawn into its text: `a: «b»`. */
export function drawn(text: string, path = 'topologies/topology.yaml'): Span {
  const start = text.indexOf('«');
  const end = text.indexOf('»') - 1;
  if (start < 0 || end < start) throw new Error('draw the place as «place»');
  return { source: { path, text: text.replace('«', '').replace('»', '') }, start, end };
}

/** A diagnostic accepted by an entry of the topology. */
export const acceptedBy = (it: Diagnostic, reason: string): Diagnostic => {
  const at = drawn('accept:\n  - «x»\n');
  return { ...it, accepted: [{ at, code: { value: it.code, at }, where: { kind: 'fleet' }, reason }] };
};

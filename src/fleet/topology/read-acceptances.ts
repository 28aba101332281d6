import type { Acceptance, AcceptedPlace } from '../../base/diagnostics/acceptance.ts';
import { isCode } from '../../base/diagnostics/codes.ts';
import { isAcceptable } from '../../base/diagnostics/is-acceptable.ts';
import type { Topology, Acceptance as WrittenAcceptance } from '../../base/schema-types/topology.ts';
import type { Reading } from '../../base/source/reading.ts';

/** The entries of `accept`. One with a code that cannot be accepted is left out, which is an error of its own. */
export const readAcceptances = (topology: Reading<Topology>): readonly Acceptance[] =>
  topology
    .at('accept')
    .items()
    .flatMap((it) => readAcceptance(it) ?? []);

function readAcceptance(entry: Reading<WrittenAcceptance>): Acceptance | undefined {
  const { value: code, at } = entry.at('code').orDefault('');
  if (!isCode(code) || !isAcceptable(code)) return undefined;
  const reason = entry.at('reason').orDefault('').value;
  return { at: entry.span, code: { value: code, at }, where: readPlace(entry), reason };
}

function readPlace(entry: Reading<WrittenAcceptance>): AcceptedPlace {
  const [one, other] = entry.at('link').texts() ?? [];
  if (one && other) return { kind: 'link', between: [one, other] };
  const cluster = entry.at('cluster').scalar();
  return cluster ? { kind: 'cluster', cluster } : { kind: 'fleet' };
}

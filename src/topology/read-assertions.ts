import type { Topology, Assertion as WrittenAssertion } from '../schema-types/topology.ts';
import type { Reading } from '../source/reading.ts';
import type { Assertion, Selector } from './declaration.ts';

/** The entries of `assertions`, in source order. */
export function readAssertions(topology: Reading<Topology>): readonly Assertion[] {
  return topology.at('assertions').items().map(readAssertion);
}

function readAssertion(written: Reading<WrittenAssertion>): Assertion {
  return {
    at: written.span,
    from: readSelector(written.at('from')),
    to: readSelector(written.at('to')),
    expect: written.at('expect').orDefault('reachable').value,
    via: written.at('via').scalar()?.value ?? null,
  };
}

function readSelector(written: Reading<WrittenAssertion['from']>): Selector {
  const name = written.scalar();
  if (name) return { kind: 'cluster', name: name.value, at: name.at };
  return { kind: 'labels', labels: written.textMap(), at: written.span };
}

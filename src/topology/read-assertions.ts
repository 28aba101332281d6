import type { Topology, Assertion as WrittenAssertion } from '../schema-types/topology.ts';
import type { Reading } from '../source/reading.ts';
import type { Assertion } from './declaration.ts';
import { readSelector } from './read-selector.ts';

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

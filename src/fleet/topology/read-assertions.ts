import type { Topology, Assertion as WrittenAssertion } from '../../base/schema-types/topology.ts';
import type { Reading } from '../../base/source/reading.ts';
import type { Assertion, Declaration, ServiceAssertion } from './declaration.ts';
import { readSelector } from './selector.ts';

/** The entries of `assertions`, each kind in source order. */
export function readAssertions(topology: Reading<Topology>): Pick<Declaration, 'assertions' | 'serviceAssertions'> {
  const written = topology.at('assertions').items();
  return {
    assertions: written.filter((it) => !isAboutService(it)).map(readAssertion),
    serviceAssertions: written.filter(isAboutService).flatMap(readServiceAssertion),
  };
}

/** A label's value has no slash in it, so `service: demo/web` is no label. */
export const isAboutService = (written: Reading<WrittenAssertion>): boolean =>
  written.at('to').textMap()['service']?.includes('/') === true;

function readAssertion(written: Reading<WrittenAssertion>): Assertion {
  return { ...requirementOf(written), to: readSelector(written.at('to')) };
}

/** Nothing for a name that is no Service's, which is reported by itself. */
function readServiceAssertion(written: Reading<WrittenAssertion>): readonly ServiceAssertion[] {
  const to = written.at('to');
  const texts = new Map([...to.scalars()].map(({ name, value }) => [name.value, value]));
  const name = readServiceName(texts.get('service')?.value ?? '');
  if (name === undefined) return [];
  return [{ ...requirementOf(written), to: { ...name, of: texts.get('of') ?? null, at: to.span } }];
}

const requirementOf = (written: Reading<WrittenAssertion>): Omit<Assertion, 'to'> => ({
  at: written.span,
  from: readSelector(written.at('from')),
  expect: written.at('expect').orDefault('reachable').value,
  via: written.at('via').scalar()?.value ?? null,
});

/** `demo/web` as a namespace and a Service; `undefined` for a text of another form. */
export function readServiceName(text: string): { readonly namespace: string; readonly service: string } | undefined {
  const [, namespace, service] =
    /^([a-z0-9](?:[-a-z0-9]*[a-z0-9])?)\/([a-z0-9](?:[-a-z0-9]*[a-z0-9])?)$/.exec(text) ?? [];
  if (namespace === undefined || service === undefined) return undefined;
  return namespace.length > 63 || service.length > 63 ? undefined : { namespace, service };
}

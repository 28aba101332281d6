import type { Source } from '../../../src/base/source/source.ts';
import type { AddressedModel } from '../../../src/fleet/ipam/addressed-model.ts';
import { parseInput } from '../../../src/reach/translate/parse-input.ts';
import { translateEndpoints } from '../../../src/reach/translate/translate-endpoints.ts';
import type { Translation } from '../../../src/reach/translate/translation.ts';
import { type Reflection, reflectionOf } from '../../../src/reach/translate/ways.ts';

export function reflectionIn(model: AddressedModel, hub: string, receiver: string): Reflection {
  const [a, b] = [model.clusters.get(hub), model.clusters.get(receiver)];
  const reflection = a && b && reflectionOf(model, { hub: a, receiver: b });
  if (!reflection) throw new Error(`${hub} and ${receiver} have no link`);
  return reflection;
}

export function translated(reflection: Reflection, text: string): Translation {
  const input = parseInput(sourceOf(text));
  if (!input.ok) throw new Error(input.diagnostics.map((it) => it.message).join('; '));
  const outcome = translateEndpoints(reflection, input.value);
  if (!outcome.ok) throw new Error(outcome.diagnostics.map((it) => it.message).join('; '));
  return outcome.value;
}

export const sourceOf = (text: string): Source => ({ path: 'stdin', text });

/** A slice as `kubectl get -o yaml` prints it, with one endpoint per list of addresses. */
export const sliceOf = (name: string, ...endpoints: readonly (readonly string[])[]): string =>
  [
    'apiVersion: discovery.k8s.io/v1',
    'kind: EndpointSlice',
    'metadata:',
    `  name: ${name}`,
    '  namespace: liqo-demo',
    '  labels:',
    '    endpointslice.kubernetes.io/managed-by: endpointslice-controller.k8s.io',
    '    kubernetes.io/service-name: nginx',
    'addressType: IPv4',
    'endpoints:',
    ...endpoints.flatMap((addresses, index) => [
      `- addresses: [${addresses.join(', ')}]`,
      '  conditions: { ready: true, serving: true, terminating: false }',
      `  targetRef: { kind: Pod, name: nginx-${index}, namespace: liqo-demo }`,
    ]),
    'ports:',
    '- { name: http, port: 80, protocol: TCP }',
    '',
  ].join('\n');

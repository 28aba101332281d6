import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { andThen, type Outcome } from '../../base/diagnostics/outcome.ts';
import type { Source } from '../../base/source/source.ts';
import { clusterNamed } from '../../fleet/ipam/addressed-model.ts';
import { parseInput } from '../../reach/translate/parse-input.ts';
import { translateEndpoints } from '../../reach/translate/translate-endpoints.ts';
import type { Translation } from '../../reach/translate/translation.ts';
import { reflectionOf } from '../../reach/translate/ways.ts';
import { compileTopology, type TopologyRequest, type Unanswered } from './compile-topology.ts';
import type { FileReader } from './ports.ts';

interface TranslateRequest extends TopologyRequest {
  /** The cluster that has the endpoints. */
  readonly hub: string;
  /** The cluster that receives them. */
  readonly receiver: string;
}

type TranslateResult =
  /** Errors may also be in the endpoints. */
  | Unanswered
  | { readonly kind: 'translated'; readonly diagnostics: readonly Diagnostic[]; readonly translation: Translation };

interface TranslatePorts {
  readonly files: FileReader;
  /** Reads the endpoints; called after the topology was found valid. */
  readonly readEndpoints: () => Promise<Outcome<Source>>;
}

/** Translates the endpoints of a cluster into those that another cluster receives. */
export async function translateForCluster(ports: TranslatePorts, request: TranslateRequest): Promise<TranslateResult> {
  const { hub, receiver } = request;
  const topology = await compileTopology(ports.files, request, { only: [], clusters: [hub, receiver] });
  if (topology.kind !== 'compiled') return topology;
  const endpoints = await ports.readEndpoints();
  if (!endpoints.ok) return { kind: 'errors', diagnostics: endpoints.diagnostics };
  const { model } = topology.compiled;
  const reflection = reflectionOf(model, { hub: clusterNamed(model, hub), receiver: clusterNamed(model, receiver) });
  if (reflection === undefined) return { kind: 'refused', refusal: { kind: 'nothing-reflected', hub, receiver } };
  const translation = andThen(parseInput(endpoints.value), (it) => translateEndpoints(reflection, it));
  const diagnostics = [...endpoints.diagnostics, ...translation.diagnostics];
  return translation.ok
    ? { kind: 'translated', diagnostics, translation: translation.value }
    : { kind: 'errors', diagnostics };
}

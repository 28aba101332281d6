import { Environment, type ParseResult, parse } from '@marcbachmann/cel-js';
import type { HealthCheckExpr } from '../../../src/bundle/gitops/flux-health.ts';

export type LiveObject = Readonly<Record<string, unknown>>;

/** The result of a CEL expression: a value, or an error, after which Flux evaluates it again later. */
export type Answer = boolean | 'error';

/** Evaluates an expression over the fields of an object, as Flux evaluates health checks: only parsed, so every name is dynamic. */
export function evaluateCel(expression: string, fields: LiveObject): Answer {
  const known = parsed.get(expression) ?? parse(expression);
  parsed.set(expression, known);
  try {
    const answer: unknown = known(fields as Record<string, unknown>);
    return typeof answer === 'boolean' ? answer : 'error';
  } catch {
    return 'error';
  }
}

const parsed = new Map<string, ParseResult>();

type Verdict = 'InProgress' | 'Failed' | 'Current';

/**
 * The status of an object in Flux: a status of an older generation first, then the expressions, and an error is asked
 * again. Source: fluxcd/pkg runtime/cel/status_evaluator.go (Evaluate).
 */
export function verdictOf(expression: HealthCheckExpr, object: LiveObject): Verdict {
  const known = verdicts.get(object);
  if (known?.expression === expression) return known.verdict;
  const verdict = evaluate(expression, object);
  verdicts.set(object, { expression, verdict });
  return verdict;
}

/** Tools look again and again at objects that have not changed. */
const verdicts = new WeakMap<LiveObject, { readonly expression: HealthCheckExpr; readonly verdict: Verdict }>();

function evaluate({ failed, current }: HealthCheckExpr, object: LiveObject): Verdict {
  const { status = {}, metadata = {} } = object as { status?: LiveObject; metadata?: LiveObject };
  const observed = status['observedGeneration'];
  if (observed !== undefined && observed !== metadata['generation']) return 'InProgress';
  const fields = { ...object, metadata };
  if (typeof failed === 'string') {
    const answer = evaluateCel(failed, fields);
    if (answer === true) return 'Failed';
    if (answer === 'error') return 'InProgress';
  }
  return evaluateCel(current, fields) === true ? 'Current' : 'InProgress';
}

/** The health that Argo CD reports for the same state. */
export const HEALTH_OF: Readonly<Record<Verdict, 'Progressing' | 'Degraded' | 'Healthy'>> = {
  InProgress: 'Progressing',
  Failed: 'Degraded',
  Current: 'Healthy',
};

/** The state of a Kustomization that others ask for. */
export interface KustomizationStatus {
  readonly ready?: 'True' | 'False' | 'Unknown' | undefined;
  readonly lastAppliedRevision?: string | undefined;
  readonly generation?: number | undefined;
  /** The generation that was last ready. */
  readonly observedGeneration?: number | undefined;
}

/**
 * True if a dependency is ready by an expression, which Flux compiles, with `dep` and `self` as maps: one that does not
 * pass as a boolean would stall the Kustomization for good. Source: fluxcd/kustomize-controller
 * internal/controller/kustomization_controller.go (evalReadyExpr).
 */
export function isReadyBy(expression: string, dep: KustomizationStatus, self: KustomizationStatus): boolean {
  const known = types.get(expression) ?? KUSTOMIZATIONS.check(expression);
  types.set(expression, known);
  if (!known.valid || known.type !== 'bool') throw new Error(`"${expression}" is no boolean: ${known.error?.message}`);
  return evaluateCel(expression, { dep: kustomizationOf(dep), self: kustomizationOf(self) }) === true;
}

const KUSTOMIZATIONS = new Environment().registerVariable('dep', 'map').registerVariable('self', 'map');
const types = new Map<string, ReturnType<Environment['check']>>();

/** The API server has a status for each; what was never set is not in it. */
const kustomizationOf = ({
  ready,
  lastAppliedRevision,
  generation = 1,
  observedGeneration,
}: KustomizationStatus): LiveObject => ({
  apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
  kind: 'Kustomization',
  metadata: { generation },
  status: {
    ...(ready === undefined
      ? {}
      : {
          conditions: [
            { type: 'Reconciling', status: ready === 'Unknown' ? 'True' : 'False' },
            { type: 'Ready', status: ready },
          ],
        }),
    ...(lastAppliedRevision === undefined ? {} : { lastAppliedRevision }),
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
  },
});

import { withLf } from '../../base/core/encodings.ts';
import { explainFailure, type KubectlFailure } from './explain-failure.ts';
import { type KubectlLimits, type KubectlPlace, runKubectl } from './run-kubectl.ts';

/** Objects of one kind in all namespaces. */
export interface ListRequest {
  /** Name of the context in the user's kubeconfig. */
  readonly context: string;
  /** `configurations.networking.liqo.io`. */
  readonly resource: string;
  /** Only objects with these labels. */
  readonly selector?: string | undefined;
  /** Only objects of this name. */
  readonly name?: string | undefined;
  /** Of each Secret only its namespace, name and labels, so that no value of it leaves the API server. */
  readonly namesOnly?: boolean | undefined;
}

export type ListResult =
  /** What kubectl printed. */
  { readonly kind: 'listed'; readonly text: string } | ({ readonly failure: true } & KubectlFailure);

/** A cluster with thousands of peers answers in seconds; a login in a browser would take longer. */
const LIMITS: KubectlLimits = { milliseconds: 120_000, bytes: 256 * 1024 * 1024 };
const REQUEST_SECONDS = 60;

/** Reads with `kubectl get`, and never does anything else. */
export async function listObjects(
  place: KubectlPlace,
  { context, resource, selector, name, namesOnly = false }: ListRequest,
  limits = LIMITS,
): Promise<ListResult> {
  const run = await runKubectl(
    place,
    [
      'get',
      resource,
      // In one word: a name that begins with a dash is no option.
      `--context=${context}`,
      '--all-namespaces',
      ...(namesOnly ? ['--no-headers', '--show-labels'] : ['--output=json']),
      `--request-timeout=${REQUEST_SECONDS}s`,
      ...(selector === undefined ? [] : [`--selector=${selector}`]),
      ...(name === undefined ? [] : [`--field-selector=metadata.name=${name}`]),
    ],
    limits,
  );
  switch (run.kind) {
    case 'done': {
      const printed = withLf(new TextDecoder().decode(run.stdout));
      const text = namesOnly ? listOfNames(printed) : printed;
      return text === undefined
        ? failed({ kind: 'failed', message: 'it printed another table than expected' })
        : { kind: 'listed', text };
    }
    case 'failed':
      return failed(explainFailure(run.stderr));
    case 'not-installed':
      return failed({ kind: 'not-installed', message: 'kubectl is not installed' });
    case 'timed-out':
      return failed({ kind: 'timed-out', message: `no answer in ${limits.milliseconds / 1000} seconds` });
    case 'too-large':
      return failed({ kind: 'too-large', message: `more than ${limits.bytes} bytes` });
  }
}

const failed = (it: KubectlFailure): ListResult => ({ failure: true, ...it });

/**
 * Secrets as a list in JSON, with namespace, name and labels of each, from the table that `kubectl get secrets -A --no-headers
 * --show-labels` prints, each with what was read of it. For a table the API server sends no value of a Secret. `undefined` for any other text.
 */
function listOfNames(table: string): string | undefined {
  const rows = table
    .split('\n')
    .filter((it) => it !== '')
    .map((it) => it.trim().split(/\s+/));
  if (rows.some((it) => it.length < 3)) return undefined;
  const items = rows.map(([namespace, name, ...more]) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, name, labels: labelsIn(more.at(-1) ?? NONE) },
    partsRead: ['metadata.labels'],
  }));
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

/** What kubectl prints instead of no labels. */
const NONE = '<none>';

/** `a=b,c=`; neither part of a label has one of these marks in it. */
const labelsIn = (text: string): Readonly<Record<string, string>> =>
  text === NONE ? {} : Object.fromEntries(text.split(',').map((it) => it.split('=', 2) as [string, string]));

import { type FailedKubectl, failedKubectl, type KubectlLimits, type KubectlPlace, runKubectl } from './run-kubectl.ts';

/** A request for objects of one kind, or of several with commas between them. */
export interface ListRequest {
  /** The name of a context in the user's kubeconfig. */
  readonly context: string;
  /** The resource with its group: `configurations.networking.liqo.io`. */
  readonly resource: string;
  /** Lists only objects of this namespace; by default those of all. */
  readonly namespace?: string | undefined;
  /** Lists only objects that match this label selector. */
  readonly selector?: string | undefined;
  /** Lists only the object with this name. */
  readonly name?: string | undefined;
  /** True for Secrets: only the namespace, name and labels of each are read, so that no value leaves the API server. */
  readonly namesOnly?: boolean | undefined;
  /** The Go template with which kubectl prints the objects, so that it withholds the rest; by default all of them. */
  readonly template?: string | undefined;
}

export type ListResult =
  /** The output of kubectl. */
  { readonly kind: 'listed'; readonly text: string } | FailedKubectl;

/** The limits of one command. A cluster with thousands of peers answers in seconds; a browser login takes longer. */
const LIMITS: KubectlLimits = { milliseconds: 120_000, bytes: 256 * 1024 * 1024 };
const REQUEST_SECONDS = 60;

/** Lists objects with `kubectl get`. */
export async function listObjects(
  place: KubectlPlace,
  { context, resource, namespace, selector, name, namesOnly = false, template }: ListRequest,
  limits = LIMITS,
): Promise<ListResult> {
  const run = await runKubectl(
    place,
    {
      args: [
        'get',
        resource,
        // One argument, so that a name that begins with a dash is not read as an option.
        `--context=${context}`,
        namespace === undefined ? '--all-namespaces' : `--namespace=${namespace}`,
        ...(namesOnly
          ? ['--no-headers', '--show-labels']
          : [`--output=${template === undefined ? 'json' : `go-template=${template}`}`]),
        `--request-timeout=${REQUEST_SECONDS}s`,
        ...(selector === undefined ? [] : [`--selector=${selector}`]),
        ...(name === undefined ? [] : [`--field-selector=metadata.name=${name}`]),
      ],
    },
    limits,
  );
  if (run.kind !== 'printed') return run;
  const text = namesOnly ? listOfNames(run.text) : run.text;
  return text === undefined
    ? failedKubectl({ kind: 'failed', message: 'it printed another table than expected' })
    : { kind: 'listed', text };
}

/**
 * Converts the table of `kubectl get secrets -A --no-headers --show-labels` into a JSON list of Secrets with namespace,
 * name and labels; `partsRead` in each item names the fields that were read. For a table the API server sends no value
 * of a Secret. `undefined` for any other text.
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

/** The text that kubectl prints when there are no labels. */
const NONE = '<none>';

/** Parses labels of the form `a=b,c=`; neither keys nor values contain a comma or an equals sign. */
const labelsIn = (text: string): Readonly<Record<string, string>> =>
  text === NONE ? {} : Object.fromEntries(text.split(',').map((it) => it.split('=', 2) as [string, string]));

/**
 * Secrets as a list in JSON, with namespace, name and labels of each, from the table that `kubectl get secrets -A --no-headers
 * --show-labels` prints, each with what was read of it. For a table the API server sends no value of a Secret. `undefined` for any other text.
 */
export function listOfNames(table: string): string | undefined {
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

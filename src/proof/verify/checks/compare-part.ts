import { byCodeUnit } from '../../../base/core/order.ts';
import type { Code } from '../../../base/diagnostics/codes.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { type DocumentNode, type DocumentPath, nodeAt, plainOf } from '../../../base/source/document-node.ts';
import { nearestKey } from '../kube-object.ts';

/** The required value of a part of a file; `undefined` for one that must not be set. Order matters in lists only. */
export type Part =
  | string
  | number
  | boolean
  | readonly Part[]
  | { readonly [key: string]: Part | undefined }
  | undefined;

/** A map of parts; `undefined` when none of them is set. */
export const someOf = (members: Readonly<Record<string, Part>>): Part =>
  Object.values(members).some((it) => it !== undefined) ? members : undefined;

interface PartComparison {
  readonly code: Code;
  /** Names the object and its owner. */
  readonly what: string;
  readonly node: DocumentNode;
  readonly path: DocumentPath;
  readonly wanted: Part;
}

/** An error unless a part of an object is the wanted one. */
export function* comparePart({ code, what, node, path, wanted }: PartComparison): Iterable<Diagnostic> {
  const found = nodeAt(node, path);
  if (found === undefined ? wanted === undefined : found.kind === 'scalar' && found.value === wanted) return;
  const [is, should] = [canonical(found && plainOf(found)), canonical(wanted)];
  if (is === should) return;
  const place = found?.kind === 'scalar' ? found.span : nearestKey(node, path);
  const message = `\`${path.join('.')}\` of ${what} is ${is ?? 'missing'}, but ${should === undefined ? 'must not be set' : `the topology requires ${should}`}`;
  yield diagnostic(code, place, message);
}

/** Several parts of one object, by their path. */
export function* compareParts(
  object: Omit<PartComparison, 'path' | 'wanted'>,
  parts: Iterable<readonly [path: DocumentPath, wanted: Part]>,
): Iterable<Diagnostic> {
  for (const [path, wanted] of parts) yield* comparePart({ ...object, path, wanted });
}

/** JSON with sorted keys. `undefined` stays `undefined`; as a member it is left out. */
function canonical(value: unknown): string | undefined {
  if (Array.isArray(value)) return `[${value.map((it) => canonical(it) ?? 'null').join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).flatMap(([key, it]) => {
    const text = canonical(it);
    return text === undefined ? [] : [`${JSON.stringify(key)}: ${text}`];
  });
  return `{${members.sort(byCodeUnit).join(', ')}}`;
}

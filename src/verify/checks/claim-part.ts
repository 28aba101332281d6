import type { Code } from '../../diagnostics/codes.ts';
import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import { type DocumentNode, type DocumentPath, nodeAt, plainOf } from '../../source/document-node.ts';
import { nearestKey } from '../kube-object.ts';

/** What a part of a file has to be; `undefined` for one that must not be there. Order counts in lists only. */
export type Part =
  | string
  | number
  | boolean
  | readonly Part[]
  | { readonly [key: string]: Part | undefined }
  | undefined;

export interface PartClaim {
  readonly code: Code;
  /** Names the object and whose it is. */
  readonly what: string;
  readonly node: DocumentNode;
  readonly path: DocumentPath;
  readonly wanted: Part;
}

/** Nothing when a part of an object is what it should be, whatever the part is made of. */
export function* claimPart({ code, what, node, path, wanted }: PartClaim): Iterable<Diagnostic> {
  const found = nodeAt(node, path);
  const [is, should] = [canonical(found && plainOf(found)), canonical(wanted)];
  if (is === should) return;
  const place = found?.kind === 'scalar' ? found.span : nearestKey(node, path);
  const message = `${path.join('.')} of ${what} is ${is ?? 'missing'}, and ${should === undefined ? 'there should be none' : `the topology asks for ${should}`}`;
  yield diagnostic(code, place, message);
}

/** Several parts of one object, by their path. */
export function* claimParts(
  claim: Omit<PartClaim, 'path' | 'wanted'>,
  parts: readonly (readonly [path: DocumentPath, wanted: Part])[],
): Iterable<Diagnostic> {
  for (const [path, wanted] of parts) yield* claimPart({ ...claim, path, wanted });
}

/** JSON with keys in order; `undefined` stays what it is, and as a member it is left out. */
function canonical(value: unknown): string | undefined {
  if (Array.isArray(value)) return `[${value.map((it) => canonical(it) ?? 'null').join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).flatMap(([key, it]) => {
    const text = canonical(it);
    return text === undefined ? [] : [`${JSON.stringify(key)}: ${text}`];
  });
  return `{${members.sort().join(', ')}}`;
}

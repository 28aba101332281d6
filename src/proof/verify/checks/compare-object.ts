import type { Code } from '../../../base/diagnostics/codes.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { type DocumentNode, type DocumentPath, keySpanAt, nodeAt } from '../../../base/source/document-node.ts';
import { nearestKey, textAt } from '../kube-object.ts';
import { compareText, type Part } from './bundle-check.ts';

/** An object that is compared as a whole. */
interface ComparedObject {
  /** Text for the object and its owner, such as `the Tenant "rome" of "milan"`. */
  readonly what: string;
  readonly node: DocumentNode;
  /** True for members that are not wanted here, but that another check reads. */
  readonly isOthers: (path: DocumentPath) => boolean;
  /** The code of an error at a path. */
  readonly codeOf: (path: DocumentPath) => Code;
}

/** Yields an error at each value of an object that differs, is missing, or is not wanted. */
export function* compareObject(object: ComparedObject, wanted: Part, path: DocumentPath = []): Iterable<Diagnostic> {
  if (isList(wanted)) yield* compareList(object, wanted, path);
  else if (typeof wanted === 'object') yield* compareMap(object, wanted, path);
  else yield* compareScalar(object, wanted, path);
}

const isList = (part: Part): part is readonly Part[] => Array.isArray(part);

function* compareMap(
  object: ComparedObject,
  wanted: { readonly [key: string]: Part | undefined },
  path: DocumentPath,
): Iterable<Diagnostic> {
  const found = nodeAt(object.node, path);
  if (found !== undefined && found.kind !== 'map') {
    yield diagnostic(object.codeOf(path), found.span, `${fieldText(object, path)} is not a map of keys`);
    return;
  }
  const members = Object.entries(wanted).filter(([, part]) => part !== undefined);
  if (found === undefined && members.length === 0) {
    yield diagnostic(object.codeOf(path), nearestKey(object.node, path), `${fieldText(object, path)} is missing`);
  }
  for (const [key, part] of members) yield* compareObject(object, part, [...path, key]);
  for (const key of found?.entries.keys() ?? []) {
    if ((Object.hasOwn(wanted, key) && wanted[key] !== undefined) || isEmptied(object, [...path, key])) continue;
    const unwanted = [...path, key];
    const message = `${fieldText(object, unwanted)} is set, but the topology requires no such field`;
    yield diagnostic(object.codeOf(unwanted), keySpanAt(object.node, unwanted), message);
  }
}

/** True when another check reads the whole value. */
function isEmptied({ node, isOthers }: ComparedObject, path: DocumentPath): boolean {
  if (isOthers(path)) return true;
  const found = nodeAt(node, path);
  return (
    found?.kind === 'map' && found.entries.size > 0 && [...found.entries.keys()].every((it) => isOthers([...path, it]))
  );
}

function* compareList(object: ComparedObject, wanted: readonly Part[], path: DocumentPath): Iterable<Diagnostic> {
  const found = nodeAt(object.node, path);
  if (found === undefined && wanted.length === 0)
    yield diagnostic(object.codeOf(path), nearestKey(object.node, path), `${fieldText(object, path)} is missing`);
  const count = found?.kind === 'list' ? found.items.length : 0;
  if (count !== wanted.length) {
    const message = `${fieldText(object, path)} has ${count} items, but the topology requires ${wanted.length}`;
    yield diagnostic(object.codeOf(path), nearestKey(object.node, path), message);
    return;
  }
  for (const [i, part] of wanted.entries()) yield* compareObject(object, part, [...path, i]);
}

function* compareScalar(
  object: ComparedObject,
  wanted: string | number | boolean | undefined,
  path: DocumentPath,
): Iterable<Diagnostic> {
  const type = typeof wanted;
  yield* compareText({
    code: object.codeOf(path),
    what: fieldText(object, path),
    found: textAt(object.node, path),
    wanted: wanted === undefined ? null : String(wanted),
    ...(type === 'number' || type === 'boolean' ? { type } : {}),
  });
}

/**
 * True for annotations for GitOps tools: other checks prove the waves, and the comparison with the compiled file proves
 * the rest.
 */
export const isOfTools = ([first, second, third]: DocumentPath): boolean =>
  first === 'metadata' &&
  second === 'annotations' &&
  /^(argocd\.argoproj\.io|kustomize\.toolkit\.fluxcd\.io)\//.test(String(third));

const fieldText = ({ what }: ComparedObject, path: DocumentPath): string =>
  path.length === 0 ? what : `\`${path.join('.')}\` of ${what}`;

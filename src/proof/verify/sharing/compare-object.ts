import type { Code } from '../../../base/diagnostics/codes.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { type DocumentNode, type DocumentPath, keySpanAt, nodeAt } from '../../../base/source/document-node.ts';
import { compareText } from '../checks/bundle-check.ts';
import type { Part } from '../checks/compare-part.ts';
import { nearestKey, textAt } from '../kube-object.ts';

interface Compared {
  /** Names the object and its owner: `the Tenant "rome" of "milan"`. */
  readonly what: string;
  readonly node: DocumentNode;
  /** Members that are not wanted, but that another check reads. */
  readonly isOthers: (path: DocumentPath) => boolean;
}

/** An error at each value of an object that is not the wanted one, is missing, or is not wanted. */
export function* compareObject(object: Compared, wanted: Part, path: DocumentPath = []): Iterable<Diagnostic> {
  if (isList(wanted)) yield* compareList(object, wanted, path);
  else if (typeof wanted === 'object') yield* compareMap(object, wanted, path);
  else yield* compareScalar(object, wanted, path);
}

const isList = (part: Part): part is readonly Part[] => Array.isArray(part);

function* compareMap(
  object: Compared,
  wanted: { readonly [key: string]: Part | undefined },
  path: DocumentPath,
): Iterable<Diagnostic> {
  const found = nodeAt(object.node, path);
  if (found !== undefined && found.kind !== 'map') {
    yield diagnostic(codeOf(path), found.span, `${nameOf(object, path)} is not a map of keys`);
    return;
  }
  const members = Object.entries(wanted).filter(([, part]) => part !== undefined);
  if (found === undefined && members.length === 0) {
    yield diagnostic(codeOf(path), nearestKey(object.node, path), `${nameOf(object, path)} is missing`);
  }
  for (const [key, part] of members) yield* compareObject(object, part, [...path, key]);
  for (const key of found?.entries.keys() ?? []) {
    if (wanted[key] !== undefined || isEmptied(object, [...path, key])) continue;
    const unwanted = [...path, key];
    const message = `${nameOf(object, unwanted)} is set, but the topology requires no such field`;
    yield diagnostic(codeOf(unwanted), keySpanAt(object.node, unwanted), message);
  }
}

/** Whether another check reads everything that is there. */
function isEmptied({ node, isOthers }: Compared, path: DocumentPath): boolean {
  if (isOthers(path)) return true;
  const found = nodeAt(node, path);
  return (
    found?.kind === 'map' && found.entries.size > 0 && [...found.entries.keys()].every((it) => isOthers([...path, it]))
  );
}

function* compareList(object: Compared, wanted: readonly Part[], path: DocumentPath): Iterable<Diagnostic> {
  const found = nodeAt(object.node, path);
  const count = found?.kind === 'list' ? found.items.length : 0;
  if (count !== wanted.length) {
    const message = `${nameOf(object, path)} has ${count} items, but the topology requires ${wanted.length}`;
    yield diagnostic(codeOf(path), nearestKey(object.node, path), message);
    return;
  }
  for (const [i, part] of wanted.entries()) yield* compareObject(object, part, [...path, i]);
}

function* compareScalar(
  object: Compared,
  wanted: string | number | boolean | undefined,
  path: DocumentPath,
): Iterable<Diagnostic> {
  const type = typeof wanted;
  yield* compareText({
    code: codeOf(path),
    what: nameOf(object, path),
    found: textAt(object.node, path),
    wanted: wanted === undefined ? null : String(wanted),
    ...(type === 'number' || type === 'boolean' ? { type } : {}),
  });
}

/** By its type, name and labels Liqo finds an object; the rest is what it does. */
const codeOf = ([first]: DocumentPath): Code =>
  first === 'apiVersion' || first === 'metadata' ? 'verify/identity' : 'verify/sharing';

const nameOf = ({ what }: Compared, path: DocumentPath): string =>
  path.length === 0 ? what : `\`${path.join('.')}\` of ${what}`;

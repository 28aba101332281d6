import type { Code } from '../../../base/diagnostics/codes.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { type DocumentNode, type DocumentPath, keySpanAt, nodeAt } from '../../../base/source/document-node.ts';
import { type KubeObject, nearestKey, textAt } from '../kube-object.ts';
import { sharedAndResultFiles } from '../sharing/shared-files.ts';
import type { WantedObject } from '../sharing/wanted-object.ts';
import { compareText, type FleetCheck, type Part } from './bundle-check.ts';

/**
 * Every object of authentication and offloading exists once, with the fields that the topology requires and no others.
 */
export const sharedObjectsMatchTopology: FleetCheck = function* ({ expected, bundle }) {
  for (const { path, cluster, wanted } of sharedAndResultFiles(expected)) {
    const [source, objects] = [bundle.sources.get(path), bundle.objects.get(path)];
    if (!source || !objects) continue;
    const left = new Map(wanted.map((it) => [objectKey(it.kind, it.metadata), it]));
    for (const object of objects) {
      const key = objectKey(object.kind, { name: object.name, namespace: loanNamespace(object) });
      const it = left.get(key) ?? onlyOfItsKind(object, { left: [...left.values()], objects });
      const what = `the ${object.kind} "${object.name}" of "${cluster}"`;
      if (it === undefined) yield* extra(object, what);
      else yield* compareObject({ what, node: object.node, isOthers }, it);
      if (it) left.delete(objectKey(it.kind, it.metadata));
    }
    for (const { kind, metadata } of left.values()) {
      const at = objects[0]?.at ?? { source, start: 0, end: 0 };
      yield diagnostic('verify/missing-object', at, `"${cluster}" is missing the ${kind} "${metadata.name}"`);
    }
  }
};

/**
 * True for annotations for GitOps tools: other checks prove the waves, and the comparison with the compiled file proves
 * the rest.
 */
const isOthers = ([first, second, third]: DocumentPath): boolean =>
  first === 'metadata' &&
  second === 'annotations' &&
  /^(argocd\.argoproj\.io|kustomize\.toolkit\.fluxcd\.io)\//.test(String(third));

/**
 * The wanted object of a kind for an object with a wrong name, if there is one of each: one error is clearer than two.
 */
function onlyOfItsKind(
  { kind }: KubeObject,
  { left, objects }: { readonly left: readonly WantedObject[]; readonly objects: readonly KubeObject[] },
): WantedObject | undefined {
  const [it, ...more] = left.filter((one) => one.kind === kind);
  return more.length === 0 && objects.filter((one) => one.kind === kind).length === 1 ? it : undefined;
}

function* extra({ kind, at }: KubeObject, what: string): Iterable<Diagnostic> {
  // `objectsMatchTopology` reports Secrets in more detail.
  if (kind === 'Secret') return;
  yield diagnostic('verify/extra-object', at, `${what} is not required by the topology, or is there twice`, {
    hint: 'run "weft compile" to write the file again',
  });
}

const objectKey = (
  kind: string,
  { name, namespace }: { readonly name: string; readonly namespace?: string | undefined },
) => `${kind} ${namespace ?? ''}/${name}`;

const loanNamespace = ({ node }: KubeObject): string | undefined => textAt(node, ['metadata', 'namespace']).text;

interface ComparedLoan {
  /** Text for the object and its owner, such as `the Tenant "rome" of "milan"`. */
  readonly what: string;
  readonly node: DocumentNode;
  /** True for members that are not wanted here, but that another check reads. */
  readonly isOthers: (path: DocumentPath) => boolean;
}

/** Yields an error at each value of an object that differs, is missing, or is not wanted. */
function* compareObject(object: ComparedLoan, wanted: Part, path: DocumentPath = []): Iterable<Diagnostic> {
  if (isList(wanted)) yield* compareList(object, wanted, path);
  else if (typeof wanted === 'object') yield* compareMap(object, wanted, path);
  else yield* compareScalar(object, wanted, path);
}

const isList = (part: Part): part is readonly Part[] => Array.isArray(part);

function* compareMap(
  object: ComparedLoan,
  wanted: { readonly [key: string]: Part | undefined },
  path: DocumentPath,
): Iterable<Diagnostic> {
  const found = nodeAt(object.node, path);
  if (found !== undefined && found.kind !== 'map') {
    yield diagnostic(codeOf(path), found.span, `${fieldText(object, path)} is not a map of keys`);
    return;
  }
  const members = Object.entries(wanted).filter(([, part]) => part !== undefined);
  if (found === undefined && members.length === 0) {
    yield diagnostic(codeOf(path), nearestKey(object.node, path), `${fieldText(object, path)} is missing`);
  }
  for (const [key, part] of members) yield* compareObject(object, part, [...path, key]);
  for (const key of found?.entries.keys() ?? []) {
    if (wanted[key] !== undefined || isEmptied(object, [...path, key])) continue;
    const unwanted = [...path, key];
    const message = `${fieldText(object, unwanted)} is set, but the topology requires no such field`;
    yield diagnostic(codeOf(unwanted), keySpanAt(object.node, unwanted), message);
  }
}

/** True when another check reads the whole value. */
function isEmptied({ node, isOthers }: ComparedLoan, path: DocumentPath): boolean {
  if (isOthers(path)) return true;
  const found = nodeAt(node, path);
  return (
    found?.kind === 'map' && found.entries.size > 0 && [...found.entries.keys()].every((it) => isOthers([...path, it]))
  );
}

function* compareList(object: ComparedLoan, wanted: readonly Part[], path: DocumentPath): Iterable<Diagnostic> {
  const found = nodeAt(object.node, path);
  const count = found?.kind === 'list' ? found.items.length : 0;
  if (count !== wanted.length) {
    const message = `${fieldText(object, path)} has ${count} items, but the topology requires ${wanted.length}`;
    yield diagnostic(codeOf(path), nearestKey(object.node, path), message);
    return;
  }
  for (const [i, part] of wanted.entries()) yield* compareObject(object, part, [...path, i]);
}

function* compareScalar(
  object: ComparedLoan,
  wanted: string | number | boolean | undefined,
  path: DocumentPath,
): Iterable<Diagnostic> {
  const type = typeof wanted;
  yield* compareText({
    code: codeOf(path),
    what: fieldText(object, path),
    found: textAt(object.node, path),
    wanted: wanted === undefined ? null : String(wanted),
    ...(type === 'number' || type === 'boolean' ? { type } : {}),
  });
}

/** The code of an error: Liqo finds an object by its type, name and labels; the other fields are settings. */
const codeOf = ([first]: DocumentPath): Code =>
  first === 'apiVersion' || first === 'metadata' ? 'verify/identity' : 'verify/sharing';

const fieldText = ({ what }: ComparedLoan, path: DocumentPath): string =>
  path.length === 0 ? what : `\`${path.join('.')}\` of ${what}`;

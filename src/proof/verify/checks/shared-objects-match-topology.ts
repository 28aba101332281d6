import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { DocumentPath } from '../../../base/source/document-node.ts';
import { type KubeObject, textAt } from '../kube-object.ts';
import { compareObject } from '../sharing/compare-object.ts';
import { sharedAndResultFiles } from '../sharing/result-files.ts';
import type { WantedObject } from '../sharing/wanted-object.ts';
import type { FleetCheck } from './bundle-check.ts';

/** Every object of authentication and offloading is there once, with the fields that the topology requires and no other. */
export const sharedObjectsMatchTopology: FleetCheck = function* ({ expected, bundle }) {
  for (const { path, cluster, wanted } of sharedAndResultFiles(expected)) {
    const [source, objects] = [bundle.sources.get(path), bundle.objects.get(path)];
    if (!source || !objects) continue;
    const left = new Map(wanted.map((it) => [keyOf(it.kind, it.metadata), it]));
    for (const object of objects) {
      const key = keyOf(object.kind, { name: object.name, namespace: namespaceOf(object) });
      const it = left.get(key) ?? onlyOfItsKind(object, { left: [...left.values()], objects });
      const what = `the ${object.kind} "${object.name}" of "${cluster}"`;
      if (it === undefined) yield* extra(object, what);
      else yield* compareObject({ what, node: object.node, isOthers }, it);
      if (it) left.delete(keyOf(it.kind, it.metadata));
    }
    for (const { kind, metadata } of left.values()) {
      const at = objects[0]?.at ?? { source, start: 0, end: 0 };
      yield diagnostic('verify/missing-object', at, `"${cluster}" is missing the ${kind} "${metadata.name}"`);
    }
  }
};

/** Annotations for GitOps tools: waves are proven by their order, and the others by the compiled file. */
const isOthers = ([first, second, third]: DocumentPath): boolean =>
  first === 'metadata' &&
  second === 'annotations' &&
  /^(argocd\.argoproj\.io|kustomize\.toolkit\.fluxcd\.io)\//.test(String(third));

/** An object with a wrong name is the wanted one of its kind, if there is one of each: one error says more than two. */
function onlyOfItsKind(
  { kind }: KubeObject,
  { left, objects }: { readonly left: readonly WantedObject[]; readonly objects: readonly KubeObject[] },
): WantedObject | undefined {
  const [it, ...more] = left.filter((one) => one.kind === kind);
  return more.length === 0 && objects.filter((one) => one.kind === kind).length === 1 ? it : undefined;
}

function* extra({ kind, at }: KubeObject, what: string): Iterable<Diagnostic> {
  // Of a Secret `secretsAreNowhere` says more.
  if (kind === 'Secret') return;
  yield diagnostic('verify/extra-object', at, `${what} is not required by the topology, or is there twice`, {
    hint: 'run "weft compile" to write the file again',
  });
}

const keyOf = (kind: string, { name, namespace }: { readonly name: string; readonly namespace?: string | undefined }) =>
  `${kind} ${namespace ?? ''}/${name}`;

const namespaceOf = ({ node }: KubeObject): string | undefined => textAt(node, ['metadata', 'namespace']).text;

import type { Finding } from './judge-file.ts';
import { pathsNamedIn } from './objects-in.ts';

/** Names that kustomize reads. Source: kubernetes-sigs/kustomize `api/konfig/general.go`. */
const KUSTOMIZATION = /(^|\/)(kustomization\.ya?ml|Kustomization)$/;

/** For a path, the edited kustomization that names it or a folder above it, below `out/`; `undefined` if there is none. */
export function listedBy(findings: readonly Finding[]): (path: string) => string | undefined {
  const named = new Map<string, string>();
  for (const { path, head } of findings) {
    if (!KUSTOMIZATION.test(path) || head?.text == null) continue;
    for (const it of pathsNamedIn(head.text)) {
      const target = resolved(path, it);
      if (target !== undefined && !named.has(target)) named.set(target, path);
    }
  }
  return (path) => {
    for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
      const list = named.get(at);
      if (list !== undefined && list !== path) return list;
    }
    return undefined;
  };
}

/** A path in a kustomization, below `out/`; `undefined` for one that leaves it. */
function resolved(kustomization: string, path: string): string | undefined {
  const parts = kustomization.split('/').slice(0, -1);
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

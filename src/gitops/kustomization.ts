import { render } from '../text/render.ts';

/**
 * The text of a kustomization.yaml. It has resources and nothing else, so that `kubectl apply -R`, a plain directory
 * source and kustomize give the same objects. Order means nothing to kustomize, so resources are sorted; none at all is
 * written as `[]`, since kustomize refuses a file that has no such key.
 */
export function kustomization(topologyFile: string, resources: readonly string[]): string {
  const items = [...resources].sort((a, b) => (a < b ? -1 : 1)).map((it) => `\n- ${scalar(it)}`);
  return render('gitops/kustomization', {
    topologyFile: commentText(topologyFile),
    resources: items.length === 0 ? ' []' : items.join(''),
  });
}

/** A file name may hold line breaks; a comment ends at one. */
export const commentText = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]/gu, '?');

/** Paths of ours hold a slash, a dash or a file ending, or are words of ours: none is a number or a boolean in YAML. */
const scalar = (text: string): string => (/^[A-Za-z][A-Za-z0-9._/-]*$/.test(text) ? text : JSON.stringify(text));

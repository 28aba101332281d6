import { templateHint } from './template-hint.ts';
import type { TextFormat } from './text-format.ts';

/**
 * The name of one cluster in Argo CD. It may be any text, but the project of the applications reads it as a pattern, and a
 * leading `!` as its opposite.
 * Source: argoproj/argo-cd@v3.1.0 docs/user-guide/projects.md.
 */
export const ARGO_CLUSTER_NAME: TextFormat = {
  code: 'topology/wrong-value',
  noun: 'the name of one cluster in Argo CD',
  hintFor: (text) => {
    if (templateHint(text) !== undefined) return templateHint(text);
    if (text.trim() === '' || text.trim() !== text) return 'write the name as "argocd cluster list" shows it';
    return /^!|[*?[\]{}\\]/.test(text)
      ? 'write the whole name: Argo CD would read a pattern that other clusters match, too'
      : undefined;
  },
};

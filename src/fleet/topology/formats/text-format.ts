import type { Code } from '../../../base/diagnostics/codes.ts';

export interface TextFormat {
  /** The code of the diagnostic for other texts. */
  readonly code: Code;
  /** The expected text, after "is not": `a DNS label`. */
  readonly noun: string;
  /** Returns a correction; `undefined` when the text has the format. */
  readonly hintFor: (text: string) => string | undefined;
}

/**
 * Returns a hint for text that tools would replace: Argo CD expands braces in an ApplicationSet, Flux expands variables
 * if `postBuild` is used. `undefined` for any other text. Source: argoproj/argo-cd@v3.1.0
 * docs/operator-manual/applicationset/GoTemplate.md, fluxcd/kustomize-controller@v1.6.0 docs/spec/v1/kustomizations.md.
 */
export const templateHint = (text: string): string | undefined =>
  /\{\{|\}\}|\$\{/.test(text)
    ? 'write the value itself: Argo CD fills in text between braces, and Flux fills in variables with a dollar sign'
    : undefined;

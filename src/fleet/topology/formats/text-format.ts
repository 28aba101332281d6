import type { Code } from '../../../base/diagnostics/codes.ts';

/** What a text must be, beyond being a text. */
export interface TextFormat {
  /** The code of a text that does not have it. */
  readonly code: Code;
  /** What the text is then, as it follows "is not": `a DNS label`. */
  readonly noun: string;
  /** What to write instead of this text; `undefined` when the text has the format. */
  readonly hintFor: (text: string) => string | undefined;
}

/**
 * How to write a text that the tools would not copy: Argo CD fills in braces in an ApplicationSet, Flux fills in variables
 * where its `postBuild` is used. `undefined` for any other text.
 * Source: argoproj/argo-cd@v3.1.0 docs/operator-manual/applicationset/GoTemplate.md, fluxcd/kustomize-controller@v1.6.0
 * docs/spec/v1/kustomizations.md.
 */
export const templateHint = (text: string): string | undefined =>
  /\{\{|\}\}|\$\{/.test(text)
    ? 'write the value itself: Argo CD fills in text between braces, and Flux fills in variables with a dollar sign'
    : undefined;

import type { TextFormat } from './text-format.ts';

/** A release of Flux as `gitops.flux.version` names it: major and minor version. */
export const FLUX_RELEASE: TextFormat = {
  code: 'topology/wrong-value',
  noun: 'a release of Flux 2',
  hintFor: (text) =>
    /^2\.\d+$/.test(text) ? undefined : 'write the major and the minor version in quotes, like "2.7"',
};

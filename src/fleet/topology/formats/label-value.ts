import type { TextFormat } from './text-format.ts';

/** Longest value of a label in characters. */
const LONGEST = 63;

/**
 * The value of a label or of a taint; it may be empty.
 * Source: kubernetes/kubernetes@v1.32.0 staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go (IsValidLabelValue).
 */
export const LABEL_VALUE: TextFormat = {
  code: 'topology/wrong-value',
  noun: 'the value of a label',
  hintFor: (text) => {
    if (text.length > LONGEST) return `use at most ${LONGEST} characters`;
    if (/^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/.test(text)) return undefined;
    return 'use letters, digits, dashes, dots and underscores, with a letter or digit at both ends';
  },
};

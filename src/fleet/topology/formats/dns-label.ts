import { labelHint } from './label-hint.ts';
import type { TextFormat } from './text-format.ts';

/** Longest DNS label in characters. Source: RFC 1123. */
const LONGEST = 63;

/**
 * The name of a namespace.
 * Source: kubernetes/kubernetes@v1.32.0 staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go (IsDNS1123Label).
 */
export const DNS_LABEL: TextFormat = {
  code: 'topology/bad-name',
  noun: 'a DNS label',
  hintFor: (text) => {
    if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text)) return labelHint(text);
    return text.length > LONGEST ? `use at most ${LONGEST} characters` : undefined;
  },
};

import { parseQuantity } from '../../../base/core/quantity.ts';
import type { TextFormat } from './text-format.ts';

/** A quantity of Kubernetes. Source: kubernetes/apimachinery@v0.35.0 pkg/api/resource/quantity.go. */
export const QUANTITY: TextFormat = {
  code: 'topology/wrong-value',
  noun: 'a quantity',
  hintFor: (text) => {
    if (parseQuantity(text) !== undefined) return undefined;
    if (text.startsWith('-')) return 'write 0 or more';
    return 'write a number with one of the suffixes m, k, M, G, T, Ki, Mi, Gi, Ti, or none: 4, 2500m, 8Gi';
  },
};

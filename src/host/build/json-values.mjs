// Kinds of JSON values, and their handwritten form.
import { stringify } from 'yaml';

/** A value as YAML on one line, in the usual handwritten form: `{ cpu: 4, memory: 8Gi }`, `[rome, milan]`. */
export const asWritten = (value) =>
  stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim().replaceAll('[ ', '[').replaceAll(' ]', ']');

export const isMap = (it) => typeof it === 'object' && it !== null && !Array.isArray(it);
export const isScalar = (it) => typeof it !== 'object' || it === null;

/** True for a list or a map without entries. */
export const isEmpty = (it) => !isScalar(it) && Object.keys(it).length === 0;

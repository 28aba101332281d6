import { stringify } from 'yaml';

/** A value as YAML on one line, in the usual handwritten form: `{ cpu: 4, memory: 8Gi }`, `[rome, milan]`. */
export const asWritten = (value) =>
  stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim().replaceAll('[ ', '[').replaceAll(' ]', ']');

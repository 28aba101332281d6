import { shortened } from '../../base/core/words.ts';
import type { ObjectName } from '../../live/drift/drift.ts';
import type { Json } from '../../live/dumps/json.ts';

/** `Configuration liqo-tenant-milan/milan`. */
export const objectText = ({ kind, namespace, name }: ObjectName): string =>
  `${kind} ${namespace === null ? '' : `${namespace}/`}${name}`;

/** `spec.endpoint.addresses[0]`, `metadata.labels["liqo.io/remote-cluster-id"]`. */
export function pathText(path: readonly string[]): string {
  return path
    .map((it, index) => {
      if (/^\d+$/.test(it)) return `[${it}]`;
      if (!/^[\w-]+$/.test(it)) return `["${it}"]`;
      return index === 0 ? it : `.${it}`;
    })
    .join('');
}

/** UTF-16 code units of a value that are shown. */
const LONGEST = 80;

/** A part of an object on one line. */
export const valueText = (value: Json | undefined): string =>
  value === undefined ? 'nothing' : shortened(typeof value === 'string' ? value : JSON.stringify(value), LONGEST);

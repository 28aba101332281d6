import { isMap, isScalar, parseDocument } from 'yaml';

/**
 * A topology in which every cluster without a gateway has one, at an address of its own. A text that is no YAML, or has no
 * clusters, stays as it is.
 */
export function withGateways(text: string): string {
  const document = parseDocument(text);
  const clusters: unknown = document.errors.length > 0 ? undefined : document.get('clusters');
  if (!isMap(clusters)) return text;
  for (const [i, { key, value }] of clusters.items.entries()) {
    if (isMap(value) && !value.has('gateway')) value.set('gateway', `203.0.113.${100 + i}`);
    else if (isScalar(value) && value.value === null) clusters.set(key, { gateway: `203.0.113.${100 + i}` });
  }
  return document.toString({ lineWidth: 0 });
}

import { sortedRecord } from '../../base/core/collections.ts';
import { withFewestEscapes } from '../../base/core/words.ts';

/**
 * A string as a quoted YAML scalar on one line, for templates. It has the same meaning in YAML 1.1 and 1.2: characters
 * that JSON leaves unescaped but a YAML reader refuses or reads as a line break are escaped, too.
 */
export function yamlScalar(text: string): string {
  const quoted = JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return withFewestEscapes(quoted);
}

/**
 * Text escaped so that Go's text/template prints it unchanged. Liqo renders every string of a gateway template, also
 * those from the topology.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/external-network/utils/template.go.
 */
export const goText = (text: string): string => text.replaceAll('{{', '{{ "{{" }}');

/**
 * `key: "value"` lines sorted by key, escaped for YAML and for Go's templates; members that are `undefined` are left
 * out.
 */
export function yamlEntries(record: Readonly<Record<string, string | undefined>>): readonly string[] {
  const known = Object.entries(record).filter((it): it is [string, string] => it[1] !== undefined);
  return Object.entries(sortedRecord(Object.fromEntries(known))).map(
    ([key, value]) => `${yamlScalar(key)}: ${yamlScalar(goText(value))}`,
  );
}

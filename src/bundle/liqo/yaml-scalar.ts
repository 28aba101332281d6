import { withFewestEscapes } from '../../base/core/fewest-escapes.ts';

/**
 * A string as a quoted YAML scalar on one line, for templates. It reads back equal in YAML 1.1 and 1.2:
 * characters that JSON leaves unescaped but a YAML reader refuses or reads as a line break are escaped, too.
 */
export function yamlScalar(text: string): string {
  const quoted = JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return withFewestEscapes(quoted);
}

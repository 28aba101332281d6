import type { Prefix } from '../../base/net/prefix.ts';
import { printPrefix } from '../../base/net/text.ts';

/**
 * The name of a rule: its words joined with `-`, networks in the form that Liqo uses in names, `10-200-0-0-16`.
 * Source: liqotech/liqo@v1.2.0 pkg/utils/cidr/cidr.go (EscapeForNameStr).
 */
export function ruleName(...parts: readonly (string | Prefix)[]): string {
  return parts.map((it) => (typeof it === 'string' ? it : printPrefix(it).replace(/[./]/g, '-'))).join('-');
}

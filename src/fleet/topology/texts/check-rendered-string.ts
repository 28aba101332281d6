import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Located } from '../../../base/source/located.ts';
import type { Report } from '../report.ts';

/**
 * Reports a text that looks like an integer: the operator turns every such rendered string into one, outside labels and
 * annotations, and Kubernetes then refuses the object. `what` is what is rendered: `the gateway of "rome"`.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/external-network/utils/template.go.
 */
export function checkRenderedString(
  text: Located<string> | undefined,
  what: string,
  hint: string,
  report: Report,
): void {
  if (!text || !/^[-+]?\d+$/.test(text.value)) return;
  const message = `Liqo turns "${text.value}" into a number when it renders ${what}, which Kubernetes rejects`;
  report(diagnostic('topology/integer-like-value', text.at, message, { hint }));
}

import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { quotedPiece } from '../../base/source/document-problem.ts';
import type { Located } from '../../base/source/source.ts';
import type { TextFormat } from './formats/text-format.ts';

/** Collects a diagnostic while texts are read. Reading continues, so that one run reports all of them. */
export type Report = (found: Diagnostic) => void;

/** Returns a `Report` that adds the cluster to each diagnostic. */
export const reportAbout =
  (cluster: string, report: Report): Report =>
  (it) =>
    report({ ...it, about: [[cluster]] });

/** Reports a text that does not have the format of its key. `what` names the key: `` `liqo.namespace` of "rome" ``. */
export function checkText(text: Located<string> | undefined, format: TextFormat, what: string, report: Report): void {
  const hint = text && format.hintFor(text.value);
  if (!text || hint === undefined) return;
  report(diagnostic(format.code, text.at, `${what} is not ${format.noun}: ${quotedPiece(text.value)}`, { hint }));
}

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

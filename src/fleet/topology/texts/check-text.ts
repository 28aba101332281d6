import { utf8Bytes } from '../../../base/core/encodings.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Resources } from '../../../base/schema-types/topology.ts';
import { quotedPiece } from '../../../base/source/document-problem.ts';
import type { Reading } from '../../../base/source/reading.ts';
import type { Located } from '../../../base/source/source.ts';
import { ANNOTATION_KEY, LABEL_KEY, LABEL_VALUE, QUANTITY, RESOURCE_NAME } from '../formats/labels-and-resources.ts';
import type { TextFormat } from '../formats/text-format.ts';
import type { Report } from '../report.ts';

/** Reports a text that does not have the format of its key. `what` names the key: `` `liqo.namespace` of "rome" ``. */
export function checkText(text: Located<string> | undefined, format: TextFormat, what: string, report: Report): void {
  const hint = text && format.hintFor(text.value);
  if (!text || hint === undefined) return;
  report(diagnostic(format.code, text.at, `${what} is not ${format.noun}: ${quotedPiece(text.value)}`, { hint }));
}

/** Keys and values of labels. `what` names the map: `` `nodeSelector` of "rome"``. */
export function checkLabels(labels: Reading<{ readonly [key: string]: string }>, what: string, report: Report): void {
  for (const { name, value } of labels.scalars()) {
    checkText(name, LABEL_KEY, `a key of ${what}`, report);
    checkText(value, LABEL_VALUE, `a value of ${what}`, report);
  }
}

/**
 * Most bytes of all annotations of an object.
 * Source: kubernetes/kubernetes@v1.32.0 staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go.
 */
const MOST_ANNOTATION_BYTES = 256 * 1024;

/** `what` names the map in messages: `` `serviceAnnotations` of "rome"``. */
export function checkAnnotations(
  annotations: Reading<{ readonly [key: string]: string }>,
  what: string,
  report: Report,
): void {
  let bytes = 0;
  for (const { name, value } of annotations.scalars()) {
    checkText(name, ANNOTATION_KEY, `a key of ${what}`, report);
    bytes += utf8Bytes(name.value).length + utf8Bytes(value.value).length;
  }
  if (bytes <= MOST_ANNOTATION_BYTES) return;
  const message = `${what} have ${bytes} bytes, and Kubernetes accepts at most ${MOST_ANNOTATION_BYTES}`;
  report(diagnostic('topology/wrong-value', annotations.keySpan, message, { hint: 'shorten or remove some of them' }));
}

/** Names and quantities of resources. `what` is their key: `` `capacity` of "rome" ``. */
export function checkResources(resources: Reading<Resources>, what: string, report: Report): void {
  for (const { name, value } of resources.scalars()) {
    checkText(name, RESOURCE_NAME, `a name in ${what}`, report);
    checkText({ value: String(value.value), at: value.at }, QUANTITY, `${name.value} in ${what}`, report);
  }
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

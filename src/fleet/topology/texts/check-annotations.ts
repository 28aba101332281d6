import { utf8Bytes } from '../../../base/core/utf8.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Reading } from '../../../base/source/reading.ts';
import { ANNOTATION_KEY } from '../formats/qualified-name.ts';
import type { Report } from '../report.ts';
import { checkText } from './check-text.ts';

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

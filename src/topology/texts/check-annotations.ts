import { utf8Bytes } from '../../core/utf8.ts';
import { diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Reading } from '../../source/reading.ts';
import { ANNOTATION_KEY } from '../formats/qualified-name.ts';
import type { Report } from '../report.ts';
import { checkText } from './check-text.ts';

/** The texts of `serviceAnnotations`, of a gateway or of a link. */
interface ServiceAnnotations {
  readonly [key: string]: string;
}

/**
 * Most bytes of all annotations of an object.
 * Source: kubernetes/kubernetes@v1.32.0 staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go.
 */
const MOST_ANNOTATION_BYTES = 256 * 1024;

/** `owner` follows the key in messages: `` of "rome"``, or nothing for a link. */
export function checkAnnotations(annotations: Reading<ServiceAnnotations>, owner: string, report: Report): void {
  let bytes = 0;
  for (const { name, value } of annotations.scalars()) {
    checkText(name, ANNOTATION_KEY, `a key of \`serviceAnnotations\`${owner}`, report);
    bytes += utf8Bytes(name.value).length + utf8Bytes(value.value).length;
  }
  if (bytes <= MOST_ANNOTATION_BYTES) return;
  const message = `\`serviceAnnotations\`${owner} have ${bytes} bytes, and Kubernetes accepts at most ${MOST_ANNOTATION_BYTES}`;
  report(diagnostic('topology/wrong-value', annotations.keySpan, message, { hint: 'shorten or remove some of them' }));
}

import { utf8Bytes } from '../../core/utf8.ts';
import { diagnostic } from '../../diagnostics/diagnostic.ts';
import type { GatewaySpec } from '../../schema-types/topology.ts';
import type { Reading } from '../../source/reading.ts';
import { GO_DURATION } from '../formats/go-duration.ts';
import { LABEL_VALUE } from '../formats/label-value.ts';
import { ANNOTATION_KEY, LABEL_KEY } from '../formats/qualified-name.ts';
import type { Report } from '../report.ts';
import { checkText } from './check-text.ts';
import { checkToleration } from './check-toleration.ts';

/** `owner` follows the key in messages: `` of "rome"``, or `` in `defaults` ``. */
export function checkGatewayTexts(gateway: Reading<GatewaySpec>, owner: string, report: Report): void {
  for (const { name, value } of gateway.at('nodeSelector').scalars()) {
    checkText(name, LABEL_KEY, `a key of \`nodeSelector\`${owner}`, report);
    checkText(value, LABEL_VALUE, `a value of \`nodeSelector\`${owner}`, report);
  }
  for (const it of gateway.at('tolerations').items()) checkToleration(it, owner, report);
  checkAnnotations(gateway, owner, report);
  const ping = gateway.at('ping');
  checkText(ping.at('interval').scalar(), GO_DURATION, `\`ping.interval\`${owner}`, report);
  checkText(ping.at('updateStatusInterval').scalar(), GO_DURATION, `\`ping.updateStatusInterval\`${owner}`, report);
}

/**
 * Most bytes of all annotations of an object.
 * Source: kubernetes/kubernetes@v1.32.0 staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go.
 */
const MOST_ANNOTATION_BYTES = 256 * 1024;

function checkAnnotations(gateway: Reading<GatewaySpec>, owner: string, report: Report): void {
  const annotations = gateway.at('serviceAnnotations');
  let bytes = 0;
  for (const { name, value } of annotations.scalars()) {
    checkText(name, ANNOTATION_KEY, `a key of \`serviceAnnotations\`${owner}`, report);
    bytes += utf8Bytes(name.value).length + utf8Bytes(value.value).length;
  }
  if (bytes <= MOST_ANNOTATION_BYTES) return;
  const message = `\`serviceAnnotations\`${owner} have ${bytes} bytes, and Kubernetes accepts at most ${MOST_ANNOTATION_BYTES}`;
  report(diagnostic('topology/wrong-value', annotations.keySpan, message, { hint: 'shorten or remove some of them' }));
}

import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Reading } from '../../../base/source/reading.ts';
import type { Toleration } from '../declaration.ts';
import { LABEL_VALUE } from '../formats/label-value.ts';
import { LABEL_KEY } from '../formats/qualified-name.ts';
import type { Report } from '../report.ts';
import { checkText } from './check-text.ts';

/**
 * Reports a toleration that an API server refuses, with the whole Deployment of the gateway.
 * Source: kubernetes/kubernetes@v1.32.0 pkg/apis/core/validation/validation.go (ValidateTolerations).
 */
export function checkToleration(toleration: Reading<Toleration>, owner: string, report: Report): void {
  const key = toleration.at('key').scalar();
  const value = toleration.at('value').scalar();
  const exists = toleration.at('operator').scalar()?.value === 'Exists';
  const what = `of a toleration${owner}`;
  const wrong = (at: Diagnostic['span'], message: string, hint: string): void =>
    report(diagnostic('topology/wrong-value', at, message, { hint }));
  if (key && key.value !== '') checkText(key, LABEL_KEY, `\`key\` ${what}`, report);
  if (value && !exists) checkText(value, LABEL_VALUE, `\`value\` ${what}`, report);
  if ((!key || key.value === '') && !exists) {
    const message = `a toleration${owner} has no \`key\`, which Kubernetes accepts only with \`operator: Exists\``;
    wrong(toleration.span, message, 'add the `key` of the taint, or `operator: Exists` for every taint');
  }
  if (exists && value && value.value !== '') {
    const message = `a toleration${owner} has a \`value\`, which Kubernetes does not accept with \`operator: Exists\``;
    wrong(value.at, message, 'remove the `value`, or write `operator: Equal`');
  }
  const seconds = toleration.at('tolerationSeconds');
  if (seconds.isPresent && toleration.at('effect').scalar()?.value !== 'NoExecute') {
    const message = `\`tolerationSeconds\` ${what} needs \`effect: NoExecute\``;
    wrong(seconds.keySpan, message, 'set `effect: NoExecute`, or remove `tolerationSeconds`');
  }
}

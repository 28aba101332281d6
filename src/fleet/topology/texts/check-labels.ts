import type { Reading } from '../../../base/source/reading.ts';
import { LABEL_VALUE } from '../formats/label-value.ts';
import { LABEL_KEY } from '../formats/qualified-name.ts';
import type { Report } from '../report.ts';
import { checkText } from './check-text.ts';

/** Keys and values of labels. `what` names the map: `` `nodeSelector` of "rome"``. */
export function checkLabels(labels: Reading<{ readonly [key: string]: string }>, what: string, report: Report): void {
  for (const { name, value } of labels.scalars()) {
    checkText(name, LABEL_KEY, `a key of ${what}`, report);
    checkText(value, LABEL_VALUE, `a value of ${what}`, report);
  }
}

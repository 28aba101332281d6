import type { Resources } from '../../schema-types/topology.ts';
import type { Reading } from '../../source/reading.ts';
import { LABEL_KEY } from '../formats/qualified-name.ts';
import { QUANTITY } from '../formats/quantity.ts';
import type { Report } from '../report.ts';
import { checkText } from './check-text.ts';

/** Names and quantities of resources. `what` is their key: `` `capacity` of "rome" ``. */
export function checkResources(resources: Reading<Resources>, what: string, report: Report): void {
  for (const { name, value } of resources.scalars()) {
    checkText(name, LABEL_KEY, 'a resource', report);
    checkText({ value: String(value.value), at: value.at }, QUANTITY, `${name.value} in ${what}`, report);
  }
}

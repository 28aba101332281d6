import type { Resources } from '../../../base/schema-types/topology.ts';
import type { Reading } from '../../../base/source/reading.ts';
import { QUANTITY } from '../formats/quantity.ts';
import { RESOURCE_NAME } from '../formats/resource-name.ts';
import type { Report } from '../report.ts';
import { checkText } from './check-text.ts';

/** Names and quantities of resources. `what` is their key: `` `capacity` of "rome" ``. */
export function checkResources(resources: Reading<Resources>, what: string, report: Report): void {
  for (const { name, value } of resources.scalars()) {
    checkText(name, RESOURCE_NAME, `a name in ${what}`, report);
    checkText({ value: String(value.value), at: value.at }, QUANTITY, `${name.value} in ${what}`, report);
  }
}

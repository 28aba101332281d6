import { by } from '../../base/core/order.ts';
import { canonicalQuantity } from '../../base/core/quantity.ts';
import type { Resources } from '../../base/schema-types/topology.ts';
import type { Reading } from '../../base/source/reading.ts';
import type { ResourceQuantities } from './sharing-declaration.ts';

/** YAML may have numbers, which Kubernetes would write back as texts. */
export const readResources = (resources: Reading<Resources>): ResourceQuantities =>
  [...resources.scalars()]
    .map(({ name, value }) => [name.value, { value: canonicalQuantity(String(value.value)), at: value.at }] as const)
    .sort(by(([name]) => name));

import { countOf } from '../../core/words.ts';
import { diagnostic } from '../../diagnostics/diagnostic.ts';
import { sharingOf } from '../shared-model.ts';
import { pairsInWords } from './pairs-in-words.ts';
import type { SharingRule } from './sharing-rule.ts';

/**
 * A provider that also borrows from its consumer lends to it actively. Liqo cordons or drains every slice in the provider
 * that has the label of that consumer, and those which the provider borrows have it too: it deletes them, and git makes
 * them again.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/tenant-controller/tenant_controller.go
 * (handleTenantCordoned, handleTenantDrained).
 */
export const conditionsHitOneDirection: SharingRule = function* ({ model }) {
  const hit = model.shares.filter(
    ({ consumer, provider, condition }) =>
      condition !== 'Active' && sharingOf(model, consumer.name).lends.some((it) => it.consumer === provider),
  );
  const [first] = hit;
  if (first === undefined) return;
  const does = hit.length === 1 ? 'cordons or drains' : 'cordon or drain';
  yield diagnostic(
    'sharing/condition-both-ways',
    first.at,
    `${countOf(hit.length, 'loan')} that ${hit.length === 1 ? 'is' : 'are'} not active ${does} what the provider borrows from its consumer as well: ${pairsInWords(hit)}`,
    { hint: 'remove the entry of the other direction first, or keep `condition: Active`' },
  );
};

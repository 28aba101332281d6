import { groupBy } from '../../../base/core/group-by.ts';
import { parseQuantity, printQuantity, type Quantity } from '../../../base/core/quantity.ts';
import { countOf, firstLines, firstOf, listOf, quoted } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { SLICE_DEFAULTS } from '../../../base/releases/slice-defaults.ts';
import type { Share } from '../shared-model.ts';
import type { SharingRule } from './sharing-rule.ts';

/** How many providers, and how many consumers of each, the warning names. */
const SHOWN = 3;

/**
 * What a provider lends in all is not more than the topology declares that it has. Liqo accepts every slice as it is asked for.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/remoteresourceslice-controller.
 */
export const providersHaveTheCapacity: SharingRule = function* ({ model }) {
  const lent = groupBy(
    model.shares.filter((it) => it.condition !== 'Drained'),
    (it) => [it.provider.name],
  );
  const over = [...lent.values()].flatMap((shares) => exceeded(shares) ?? []);
  const [first] = over;
  if (first === undefined) return;
  const lines = firstLines(
    over.map((it) => it.words),
    SHOWN,
    (left) => `and ${countOf(left, 'more provider')}`,
  );
  yield diagnostic(
    'sharing/over-capacity',
    first.at,
    `${countOf(over.length, 'provider')} ${over.length === 1 ? 'lends' : 'lend'} more than the declared capacity: ${lines.join('; ')}`,
    {
      about: over.map((it) => [it.provider]),
      hint: 'lend less, or correct `capacity`: Liqo accepts every slice, and pods stay pending once the nodes are full',
    },
  );
};

/** Where and in what the loans of one provider exceed its capacity. */
function exceeded(shares: readonly Share[]) {
  const provider = shares[0]?.provider;
  const declared = provider?.capacity ?? [];
  const excess = declared.flatMap(([resource, { value, at }]) => {
    const [sum, most] = [sumOf(shares, resource), parseQuantity(value)];
    return most !== undefined && sum.nanos > most.nanos
      ? [{ at, words: `${printQuantity(sum)} of ${value} ${resource}` }]
      : [];
  });
  const [first] = excess;
  if (provider === undefined || first === undefined) return undefined;
  const to = firstOf(
    shares.map((it) => quoted(it.consumer.name)),
    SHOWN,
  );
  return {
    at: first.at,
    provider: provider.name,
    words: `${quoted(provider.name)} lends ${listOf(excess.map((it) => it.words))} to ${to}`,
  };
}

/** The loans of one provider. What a slice does not ask for, it gets as the provider gives it to all. */
function sumOf(shares: readonly Share[], resource: string): Quantity {
  const own = shares[0]?.provider.chart.lending.defaultResources.find(([name]) => name === resource);
  const given = own?.[1].value ?? SLICE_DEFAULTS[resource];
  const asked = shares.flatMap((it) => it.slices).map((it) => it.resources[resource] ?? given ?? '0');
  return asked
    .map((it) => parseQuantity(it) ?? NOTHING)
    .reduce((sum, it) => ({ nanos: sum.nanos + it.nanos, format: it.nanos === 0n ? sum.format : it.format }), NOTHING);
}

const NOTHING: Quantity = { nanos: 0n, format: 'decimal' };

import { groupBy } from '../../../base/core/group-by.ts';
import { countOf, firstLines, firstOf, quoted } from '../../../base/core/words.ts';

/** How many consumers, and how many providers of each, a message names. */
const SHOWN = 3;

/** A consumer with its provider. */
export interface Pair {
  readonly consumer: { readonly name: string };
  readonly provider: { readonly name: string };
}

/** The pairs of many loans, for one message about all of them: `"rome" from milan, turin; "paris" from milan`. */
export function pairsInWords(shares: readonly Pair[]): string {
  const byConsumer = [...groupBy(shares, (it) => [it.consumer.name])].map(([consumer, loans]) => {
    const providers = loans.map((it) => it.provider.name);
    return `${quoted(consumer)} from ${firstOf(providers, SHOWN)}`;
  });
  return firstLines(byConsumer, SHOWN, (left) => `and ${countOf(left, 'more consumer')}`).join('; ');
}

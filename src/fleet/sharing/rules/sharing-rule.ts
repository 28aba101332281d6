import { groupBy } from '../../../base/core/collections.ts';
import { countOf, firstLines, firstOf, quoted } from '../../../base/core/words.ts';
import type { Diagnostic, Subject } from '../../../base/diagnostics/diagnostic.ts';
import type { SharingInputs } from '../recorded-inputs.ts';
import type { SharedModel } from '../shared-model.ts';

/** A rule about shared resources. Its diagnostics have the place of the text that declares them. */
export type SharingRule = (sharing: SharingToCheck) => Iterable<Diagnostic>;

interface SharingToCheck {
  readonly model: SharedModel;
  readonly inputs: SharingInputs;
}

/** Largest number of providers, and of consumers of each, in a message. */
export const SHOWN_PROVIDERS = 3;

/** Largest number of consumers in a message. */
export const SHOWN_CONSUMERS = 3;

/** Longest text in a message: names of clusters, and those that Liqo creates, are short. */
export const SHOWN_CHARACTERS = 120;

/** A consumer with its provider. */
export interface LoanPair {
  readonly consumer: { readonly name: string };
  readonly provider: { readonly name: string };
}

/**
 * The pairs of many loans, for one message about all of them, such as `"rome" from milan, turin; "paris" from milan`.
 */
export function pairsInWords(shares: readonly LoanPair[]): string {
  const byConsumer = [...groupBy(shares, (it) => [it.consumer.name])].map(([consumer, loans]) => {
    const providers = loans.map((it) => it.provider.name);
    return `${quoted(consumer)} from ${firstOf(providers, SHOWN_PROVIDERS)}`;
  });
  return firstLines(byConsumer, SHOWN_PROVIDERS, (left) => `and ${countOf(left, 'more consumer')}`).join('; ');
}

/** The subjects of a diagnostic about these loans. */
export const subjectsOf = (loans: readonly LoanPair[]): readonly Subject[] =>
  loans.map(({ consumer, provider }) => [consumer.name, provider.name]);

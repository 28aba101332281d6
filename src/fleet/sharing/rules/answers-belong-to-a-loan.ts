import { countOf, quoted } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Span } from '../../../base/source/source.ts';
import { type Pair, pairsInWords } from './pairs-in-words.ts';
import type { SharingRule } from './sharing-rule.ts';
import { subjectsOf } from './subjects-of.ts';

/** Every recorded answer is of a provider that lends to that consumer by a handshake: no other is written as an Identity. */
export const answersBelongToALoan: SharingRule = function* ({ model, inputs }) {
  const loans = new Set(model.shares.filter((it) => it.auth === 'handshake').map(idOf));
  const stale: Answer[] = [];
  for (const { name: consumer, value } of inputs.identities?.reading.at('identities').entries() ?? []) {
    for (const { name: provider } of value.entries()) {
      const answer = { consumer: { name: consumer.value }, provider: { name: provider.value }, at: provider.at };
      if (!loans.has(idOf(answer))) stale.push(answer);
    }
  }
  const [first] = stale;
  if (first === undefined) return;
  const [belong, them] = stale.length === 1 ? ['belongs', 'it'] : ['belong', 'them'];
  yield diagnostic(
    'sharing/answer-of-no-loan',
    first.at,
    `${countOf(stale.length, 'recorded answer')} ${belong} to no loan with a handshake: ${pairsInWords(stale)}`,
    {
      about: subjectsOf(stale),
      hint: `remove ${them}, or add the loan to \`sharing\` if ${quoted(first.consumer.name)} still borrows there`,
    },
  );
};

interface Answer extends Pair {
  readonly at: Span;
}

const idOf = ({ consumer, provider }: Pair): string => `${consumer.name}/${provider.name}`;

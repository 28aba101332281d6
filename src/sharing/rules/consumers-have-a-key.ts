import { diagnostic } from '../../diagnostics/diagnostic.ts';
import { pairsInWords } from './pairs-in-words.ts';
import type { SharingRule } from './sharing-rule.ts';

/**
 * Every consumer that shakes hands has an authentication key in the keys file. With credentials none is needed: Liqo makes
 * one for the slices itself. One warning for all of them: a fleet without keys is one state.
 */
export const consumersHaveAKey: SharingRule = function* ({ model }) {
  const loans = model.shares.filter((it) => it.auth === 'handshake');
  const keyless = loans.filter((it) => it.key === null);
  const [first] = keyless;
  if (first === undefined) return;
  const count = consumersOf(keyless);
  const [have, them] = count === 1 ? ['has', 'it'] : ['have', 'them'];
  yield diagnostic(
    'sharing/key-missing',
    first.at,
    `${count} of ${consumersOf(loans)} consumers ${have} no authentication key, so no provider gets a Tenant for ${them}: ${pairsInWords(keyless)}`,
    { hint: 'run "weft keys generate" to make the keys and record what is public of them' },
  );
};

const consumersOf = (shares: readonly { readonly consumer: { readonly name: string } }[]): number =>
  new Set(shares.map((it) => it.consumer.name)).size;

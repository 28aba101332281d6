import { quoted } from '../../core/words.ts';
import { diagnostic } from '../../diagnostics/diagnostic.ts';
import { recordedEntries } from '../recorded-entries.ts';
import type { Share } from '../shared-model.ts';
import type { SharingInputs } from '../sharing-inputs.ts';
import { pairsInWords } from './pairs-in-words.ts';
import type { SharingRule } from './sharing-rule.ts';
import { subjectsOf } from './subjects-of.ts';

/**
 * Every consumer that shakes hands has an authentication key in the keys file. With credentials none is needed: Liqo makes
 * one for the slices itself. One warning for all of them: a fleet without keys is one state.
 */
export const consumersHaveAKey: SharingRule = function* ({ model, inputs }) {
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
    {
      about: subjectsOf(keyless),
      hint: 'run "weft keys generate" to make the keys and record what is public of them',
      related: formerEntries(inputs, keyless).map(({ cluster }) => ({
        message: `the requests of ${quoted(cluster.value)} contain this former name, and cannot be used under another one`,
        span: cluster.at,
      })),
    },
  );
};

const consumersOf = (shares: readonly { readonly consumer: { readonly name: string } }[]): number =>
  new Set(shares.map((it) => it.consumer.name)).size;

/** What is recorded of consumers under their former names. */
function formerEntries(inputs: SharingInputs, keyless: readonly Share[]) {
  const former = new Set(keyless.map((it) => it.consumer.renamedFrom?.value));
  return recordedEntries(inputs).filter(({ cluster }) => former.has(cluster.value));
}

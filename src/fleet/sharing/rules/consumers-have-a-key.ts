import { readUnknownAuthentication } from '../../../base/core/unknown-key.ts';
import { quoted } from '../../../base/core/words.ts';
import { type Diagnostic, diagnostic, type Related } from '../../../base/diagnostics/diagnostic.ts';
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
  yield* warning(loans, {
    keyless: loans.filter((it) => it.key === null && !it.hasUnknownKey),
    state: (one) => `${one ? 'has' : 'have'} no authentication key`,
    hint: () => 'run "weft keys generate" to make the keys and record what is public of them',
    related: (keyless) =>
      formerEntries(inputs, keyless).map(({ cluster }) => ({
        message: `the requests of ${quoted(cluster.value)} contain this former name, and cannot be used under another one`,
        span: cluster.at,
      })),
  });
  yield* warning(loans, {
    keyless: loans.filter((it) => it.hasUnknownKey),
    state: (one) =>
      one ? 'has an authentication key that git does not know' : 'have authentication keys that git does not know',
    hint: (keyless) => readUnknownAuthentication(keyless.map((it) => it.provider.name)),
    related: () => [],
  });
};

interface Keyless {
  readonly keyless: readonly Share[];
  readonly state: (one: boolean) => string;
  readonly hint: (keyless: readonly Share[]) => string;
  readonly related: (keyless: readonly Share[]) => readonly Related[];
}

function* warning(loans: readonly Share[], { keyless, state, hint, related }: Keyless): Iterable<Diagnostic> {
  const [first] = keyless;
  if (first === undefined) return;
  const count = consumersOf(keyless);
  const message = `${count} of ${consumersOf(loans)} consumers ${state(count === 1)}, so no provider gets a Tenant for ${count === 1 ? 'it' : 'them'}: ${pairsInWords(keyless)}`;
  yield diagnostic('sharing/key-missing', first.at, message, {
    about: subjectsOf(keyless),
    hint: hint(keyless),
    related: related(keyless),
  });
}

const consumersOf = (shares: readonly { readonly consumer: { readonly name: string } }[]): number =>
  new Set(shares.map((it) => it.consumer.name)).size;

/** What is recorded of consumers under their former names. */
function formerEntries(inputs: SharingInputs, keyless: readonly Share[]) {
  const former = new Set(keyless.map((it) => it.consumer.renamedFrom?.value));
  return recordedEntries(inputs).filter(({ cluster }) => former.has(cluster.value));
}

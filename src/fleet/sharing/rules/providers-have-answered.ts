import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { pairsInWords } from './pairs-in-words.ts';
import type { SharingRule } from './sharing-rule.ts';
import { subjectsOf } from './subjects-of.ts';

/**
 * The answer of every provider is in the identities file. A provider cannot answer a consumer without a key, which is
 * reported by itself, and need not answer one that it has drained. One warning for all of them: between the two halves of
 * the handshake every fleet is in this state.
 */
export const providersHaveAnswered: SharingRule = function* ({ model }) {
  const asked = model.shares.filter((it) => it.auth === 'handshake' && it.key !== null && it.condition !== 'Drained');
  const open = asked.filter((it) => it.identity === null);
  const [first] = open;
  if (first === undefined) return;
  const more = open.some((it) => it.provider !== first.provider) ? ' with a --context for each provider' : '';
  const [are, them] = open.length === 1 ? ['is', 'it'] : ['are', 'them'];
  yield diagnostic(
    'sharing/answer-missing',
    first.at,
    `${open.length} of ${asked.length} answers of providers ${are} not recorded, so no Identity is written for ${them}: ${pairsInWords(open)}`,
    {
      about: subjectsOf(open),
      hint: `once the bundles of the providers are applied, run "weft identities collect --context ${first.provider.name}"${more}, or give it what "kubectl get tenants -A -o yaml" prints there`,
    },
  );
};

import { countOf } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { areEqual } from '../../certificates/bytes.ts';
import { valuesOf } from '../../certificates/distinguished-name.ts';
import { recordedAnswers } from '../recorded-answers.ts';
import { recordedEntries } from '../recorded-entries.ts';
import { pairsInWords } from './pairs-in-words.ts';
import type { SharingRule } from './sharing-rule.ts';
import { subjectsOf } from './subjects-of.ts';

/**
 * A recorded certificate is for the recorded key of its consumer. It is a warning: between a new key and the new answers to it
 * every fleet is in this state. The Identity stays as it is, since Liqo would stop all that it carries without one.
 */
export const answersAreForTheRecordedKey: SharingRule = function* ({ model, inputs }) {
  const keys = new Map(recordedEntries(inputs).map((it) => [it.cluster.value, it.key]));
  const certificates = new Map(recordedAnswers(inputs).map((it) => [`${it.consumer}/${it.provider}`, it]));
  const former = model.shares.flatMap((share) => {
    const key = keys.get(share.consumer.name);
    const answer = certificates.get(`${share.consumer.name}/${share.provider.name}`);
    if (share.auth !== 'handshake' || key === undefined || answer?.certificate === undefined) return [];
    const { subject, publicKey: found } = answer.certificate;
    // One of another cluster is reported as such.
    if (valuesOf(subject, 'CN')[0] !== share.consumer.name) return [];
    return found !== undefined && areEqual(found.spki, key.spki) ? [] : [{ share, at: answer.text.at }];
  });
  const [first] = former;
  if (first === undefined) return;
  const [is, it] = former.length === 1 ? ['is', 'it'] : ['are', 'they'];
  yield diagnostic(
    'sharing/answer-to-former-key',
    first.at,
    `${countOf(former.length, 'recorded answer')} ${is} for another key than the recorded one of the consumer, so ${it} cannot be used any more: ${pairsInWords(former.map((one) => one.share))}`,
    {
      about: subjectsOf(former.map((one) => one.share)),
      hint: 'apply the bundles of the providers, delete the certificates that they stored, and run "weft identities collect"',
    },
  );
};

import { decodeBase64, textOfBytes } from '../../../base/core/encodings.ts';
import { countOf, quoted, shortened } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Span } from '../../../base/source/source.ts';
import { areEqual, withoutNulls } from '../../certificates/bytes.ts';
import { issuerAmong } from '../../certificates/certificate.ts';
import { controlPlaneSubject } from '../../certificates/certificate-request.ts';
import { valuesOf } from '../../certificates/distinguished-name.ts';
import { recordedAnswers, recordedEntries } from '../recorded-inputs.ts';
import type { Share } from '../shared-model.ts';
import { type LoanPair, pairsInWords, SHOWN_CHARACTERS, type SharingRule, subjectsOf } from './sharing-rule.ts';

/**
 * The answer of every provider is in the identities file. A provider cannot answer a consumer without a key, which
 * another rule reports, and need not answer one that it has drained. There is one warning for all providers: between
 * the two halves of the handshake every fleet is in this state.
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

/**
 * Every recorded answer belongs to a provider that lends to that consumer by a handshake; only these are written as an
 * Identity.
 */
export const answersBelongToALoan: SharingRule = function* ({ model, inputs }) {
  const loans = new Set(model.shares.filter((it) => it.auth === 'handshake').map(pairId));
  const stale: Answer[] = [];
  for (const { name: consumer, value } of inputs.identities?.reading.at('identities').entries() ?? []) {
    for (const { name: provider } of value.entries()) {
      const answer = { consumer: { name: consumer.value }, provider: { name: provider.value }, at: provider.at };
      if (!loans.has(pairId(answer))) stale.push(answer);
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

interface Answer extends LoanPair {
  readonly at: Span;
}

const pairId = ({ consumer, provider }: LoanPair): string => `${consumer.name}/${provider.name}`;

/**
 * A recorded certificate is a client certificate for its consumer, and no recorded CA contradicts it. Another issuer is
 * no mistake: the CA of an API server need not be the one that signs for clients. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/authentication/csr.go.
 */
export const answersAreForTheirConsumer: SharingRule = function* ({ inputs }) {
  for (const answer of recordedAnswers(inputs)) {
    const why = certificateFault(answer);
    if (why === undefined) continue;
    yield diagnostic(
      'identities/wrong-certificate',
      answer.text.at,
      `the recorded answer of ${quoted(answer.provider)} to ${quoted(answer.consumer)} cannot be used: ${why}`,
      { hint: 'restore it from git, or remove it and run "weft identities collect"' },
    );
  }
};

function certificateFault({ consumer, certificate, authorities }: ReturnType<typeof recordedAnswers>[number]) {
  if (certificate === undefined) return '`certificate` is no certificate in PEM, encoded as base64';
  const wanted = controlPlaneSubject(consumer);
  const names = certificate.subject.map(({ type, value }) => `${type}=${value}`).join(', ');
  const expected = `O=${wanted.organization}, CN=${wanted.commonName}`;
  if (names !== expected)
    return `the certificate is for ${shortened(names, SHOWN_CHARACTERS)}; it must be for ${expected}`;
  if (!certificate.isForClients) return 'the certificate is not for clients';
  if (authorities?.length === 0) return '`ca` contains no certificate in PEM, encoded as base64';
  return issuerAmong(certificate, authorities ?? []) === 'wrong-signature'
    ? 'the certificate names an authority of `ca` as its issuer, which has not signed it'
    : undefined;
}

/**
 * A recorded certificate is for the recorded key of its consumer. This is a warning: between a new key and the new
 * answers every fleet is in this state. The Identity stays unchanged, because without one Liqo would stop everything
 * that depends on it.
 */
export const answersAreForTheRecordedKey: SharingRule = function* ({ model, inputs }) {
  const keys = new Map(recordedEntries(inputs).map((it) => [it.cluster.value, it.key]));
  const certificates = new Map(recordedAnswers(inputs).map((it) => [`${it.consumer}/${it.provider}`, it]));
  const former = model.shares.flatMap((share) => {
    const key = keys.get(share.consumer.name);
    const answer = certificates.get(`${share.consumer.name}/${share.provider.name}`);
    if (share.auth !== 'handshake' || key === undefined || answer?.certificate === undefined) return [];
    const { subject, publicKey: found } = answer.certificate;
    // Another rule reports a certificate for another cluster.
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

/**
 * A recorded answer contains the API server and the CA that the topology sets for its provider. This is a warning:
 * after a change in the topology the provider can answer differently only after its Helm values are applied.
 */
export const answersNameTheApiServer: SharingRule = function* ({ model }) {
  const former = model.shares.filter((it) => it.auth === 'handshake' && namesFormerServer(it));
  const [first] = former;
  if (first === undefined) return;
  const [is, answer] = former.length === 1 ? ['is', 'recorded answer'] : ['are', 'recorded answers'];
  yield diagnostic(
    'sharing/answer-of-former-api-server',
    first.provider.apiServer?.address.at ?? first.at,
    `${former.length} ${answer} ${is} for another API server or authority than the topology has: ${pairsInWords(former)}`,
    {
      about: subjectsOf(former),
      hint: 'upgrade Liqo in these providers with the compiled Helm values, then run "weft identities collect"',
    },
  );
};

function namesFormerServer({ identity, provider: { apiServer } }: Share): boolean {
  if (identity === null || apiServer === null) return false;
  if (identity.apiServer !== apiServer.url) return true;
  const wanted = apiServer.trustedCA ? '' : apiServer.ca;
  return wanted !== null && pemText(wanted) !== pemText(identity.ca ?? '');
}

/** Without what may follow a PEM: Liqo pads the one that it is given with NUL bytes. */
const pemText = (base64: string): string => withoutNulls(textOfBytes(decodeBase64(base64).bytes)).trim();

import { decodeBase64, encodeBase64, textOfBytes } from '../../base/core/encodings.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Span } from '../../base/source/source.ts';
import { type PublicKey, readPublicKey } from '../../fleet/certificates/authentication-key.ts';
import { certificatesIn, issuerAmong } from '../../fleet/certificates/certificate.ts';
import { controlPlaneSubject } from '../../fleet/certificates/certificate-request.ts';
import { secondsOf } from '../../fleet/certificates/der.ts';
import { type Attribute, isAttribute } from '../../fleet/certificates/distinguished-name.ts';
import {
  type AuthenticationKey,
  type Identity,
  namespaceOfConsumer,
  type Share,
} from '../../fleet/sharing/shared-model.ts';
import { kindKeyOf, type LiveObject } from '../dumps/kubernetes-object.ts';
import { type ObservedAnswer, type ObservedTenant, observeTenant } from '../facts/sharing.ts';
import {
  type AnsweredPair,
  expired,
  otherApiServer,
  otherAuthority,
  otherKey,
  wrongCertificate,
} from './identity-diagnostics.ts';

export const TENANT_KIND = 'Tenant.authentication.liqo.io';

/** A consumer's Tenant in a provider, with the provider's answer. */
export interface TenantAnswer extends Pick<ObservedTenant, 'consumer' | 'publicKey'> {
  readonly at: () => Span;
  /** `null` until the provider has signed. */
  readonly params: ObservedAnswer | null;
}

/** Returns the Tenants among the objects of a provider, in order. */
export const tenantAnswers = (objects: readonly LiveObject[]): readonly TenantAnswer[] =>
  objects.flatMap(({ object, at }) => {
    if (kindKeyOf(object) !== TENANT_KIND) return [];
    return observeTenant(object).map(({ consumer, publicKey, answer }) => ({
      consumer,
      publicKey,
      params: answer,
      at,
    }));
  });

/** Returns the public fields of an answer as an Identity. */
export const identityOf = ({ apiServer, ca, certificate, proxyURL }: ObservedAnswer): Identity => ({
  apiServer,
  ca: ca === '' ? null : withoutNulls(ca),
  certificate: withoutNulls(certificate),
  proxyURL: proxyURL === '' ? null : proxyURL,
});

/** Liqo may append NUL bytes to a PEM. Source: liqotech/liqo@v1.2.0 cmd/liqo-controller-manager/modules/authentication.go. */
function withoutNulls(base64: string): string {
  const { bytes } = decodeBase64(base64);
  const last = bytes.findLastIndex((it) => it !== 0);
  return last === bytes.length - 1 ? base64 : encodeBase64(bytes.slice(0, last + 1));
}

/** Returns the only provider that these answers can come from; `undefined` when there is none, or more than one. */
type FindProvider = (answers: readonly TenantAnswer[]) => string | undefined;

/**
 * Finds the provider of a dump that does not name its cluster: by the API server that the topology declares, else by a
 * recorded answer, else because no other provider lends to all of these consumers.
 */
export function providerFinder(shares: readonly Share[]): FindProvider {
  const byServer = namesBy(shares, (it) => it.provider.apiServer?.url);
  const byAnswer = namesBy(
    shares,
    ({ consumer, identity }) => identity && answerKey(consumer.name, identity.apiServer, identity.ca),
  );
  const byConsumer = namesBy(shares, (it) => it.consumer.name);
  return (answers) => {
    const declared = new Set(
      answers.flatMap(({ params }) => (params ? [...(byServer.get(params.apiServer) ?? [])] : [])),
    );
    if (declared.size > 0) return onlyName(declared);
    const recorded = new Set(
      answers.flatMap(({ consumer, params }) =>
        params ? [...(byAnswer.get(answerKey(consumer, params.apiServer, params.ca)) ?? [])] : [],
      ),
    );
    if (recorded.size > 0) return onlyName(recorded);
    const lenders = [...new Set(answers.map((it) => it.consumer))].map((it) => byConsumer.get(it) ?? new Set<string>());
    const [fewest, ...others] = lenders.sort((a, b) => a.size - b.size);
    return onlyName(new Set([...(fewest ?? [])].filter((it) => others.every((some) => some.has(it)))));
  };
}

const answerKey = (consumer: string, apiServer: string, ca: string | null): string =>
  JSON.stringify([consumer, apiServer, ca]);

/** Groups the providers of shares by a text of each share; shares without that text are left out. */
function namesBy(
  shares: readonly Share[],
  textOf: (share: Share) => string | null | undefined,
): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  for (const it of shares) {
    const text = textOf(it);
    if (text === null || text === undefined) continue;
    const known = names.get(text);
    if (known === undefined) names.set(text, new Set([it.provider.name]));
    else known.add(it.provider.name);
  }
  return names;
}

const onlyName = (names: ReadonlySet<string>): string | undefined => (names.size === 1 ? [...names][0] : undefined);

/** An answer of a provider that has signed. */
interface SignedAnswer extends TenantAnswer {
  readonly params: ObservedAnswer;
}

/** Yields everything that makes an answer unusable for its consumer. */
export function* checkAnswer(share: Share, answer: SignedAnswer, nowSeconds: number): Iterable<Diagnostic> {
  const pair: AnsweredPair = { consumer: share.consumer.name, provider: share.provider.name };
  const at = answer.at();
  if (!isKeyOf(share.key, publicKeyIn(answer.publicKey))) yield otherKey(at, pair, 'the Tenant that');
  const [certificate] = certificatesIn(answer.params.certificate);
  const why = certificateFault(answer.params, pair.consumer);
  if (why !== undefined) yield wrongCertificate(at, pair, why);
  if (certificate !== undefined) {
    if (!isKeyOf(share.key, certificate.publicKey)) yield otherKey(at, pair, 'the certificate that');
    if (secondsOf(certificate.notAfter) <= nowSeconds) {
      yield expired(at, pair, { notAfter: certificate.notAfter, namespace: namespaceOfConsumer(share) });
    }
  }
  yield* checkApiServer(share, answer, pair);
}

function* checkApiServer({ provider }: Share, { params, at }: SignedAnswer, pair: AnsweredPair): Iterable<Diagnostic> {
  const { apiServer } = params;
  for (const why of urlFaults(params)) yield wrongCertificate(at(), pair, why);
  const declared = provider.apiServer;
  if (declared === null) return;
  if (declared.url !== apiServer) yield otherApiServer(at(), pair, apiServer, declared.url);
  const wanted = declared.trustedCA ? '' : declared.ca;
  if (wanted !== null && !isSameText(wanted, params.ca)) yield otherAuthority(at(), pair);
}

/** Decodes base64 without trailing NULs; `undefined` for text that is not base64. PEM has only ASCII characters. */
function answerText(base64: string): string | undefined {
  const { kind, bytes } = decodeBase64(withoutNulls(base64));
  return kind === 'not-base64' ? undefined : textOfBytes(bytes);
}

const isSameText = (a: string, b: string): boolean => answerText(a)?.trim() === answerText(b)?.trim();

function publicKeyIn(base64: string | null): PublicKey | undefined {
  return base64 === null ? undefined : readPublicKey(decodeBase64(base64).bytes);
}

/** True when a key is the recorded one of the consumer. */
export function isKeyOf(recorded: AuthenticationKey | null, found: PublicKey | undefined): boolean {
  const key = publicKeyIn(recorded?.publicKey ?? null);
  return found !== undefined && key !== undefined && found.spki.join() === key.spki.join();
}

/** Returns the reasons why a consumer cannot use an answer. */
export function answerFaults(params: ObservedAnswer, consumer: string): readonly string[] {
  const fault = certificateFault(params, consumer);
  return [...(fault === undefined ? [] : [fault]), ...urlFaults(params)];
}

/** Returns the reason why a certificate was not issued to this consumer, if there is one. */
function certificateFault({ certificate: text, ca }: ObservedAnswer, consumer: string): string | undefined {
  const [certificate] = certificatesIn(text);
  if (certificate === undefined) return 'signedCRT is no certificate';
  const { organization, commonName } = controlPlaneSubject(consumer);
  const [first, second, ...more] = certificate.subject;
  if (!isAttribute(first, 'O', organization) || !isAttribute(second, 'CN', commonName) || more.length > 0)
    return `the certificate is for ${nameText(certificate.subject)}, and not for O=${organization}, CN=${commonName}`;
  if (!certificate.isForClients) return 'the certificate is not for clients';
  const authorities = certificatesIn(ca);
  if (ca !== '' && authorities.length === 0) return 'ca has no certificates';
  // The authority for clients may differ from that of the API server, so only a wrong signature is a mistake.
  return issuerAmong(certificate, authorities) === 'wrong-signature'
    ? 'the certificate names an authority of ca as its issuer, which has not signed it'
    : undefined;
}

/** Returns the reasons why the URLs of an answer cannot be used. */
const urlFaults = ({ apiServer, proxyURL }: ObservedAnswer): readonly string[] => [
  ...(isURL(apiServer, /^https:$/) ? [] : ['apiServer is no URL with https']),
  ...(proxyURL === '' || isURL(proxyURL, /^https?:$/) ? [] : ['proxyURL is no URL']),
];

const nameText = (subject: readonly Attribute[]): string =>
  subject.length === 0 ? 'no name' : subject.map((it) => `${it.type}=${it.value}`).join(', ');

/** True for a URL without a password, which would be a secret: `scheme://host[:port][/path]`. */
const isURL = (text: string, scheme: RegExp): boolean => {
  const [, found = ''] = /^([a-z]+:)\/\/[^\s/@?#]+(?:\/[^\s@?#]*)?$/.exec(text) ?? [];
  return scheme.test(found);
};

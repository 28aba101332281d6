import type { Attribute } from '../../fleet/certificates/distinguished-name.ts';
import { issuerAmong } from '../../fleet/certificates/issuer-among.ts';
import { controlPlaneSubject } from '../../fleet/certificates/request-body.ts';
import { certificatesIn } from './certificates-in.ts';
import type { AnswerParams } from './tenant-answer.ts';

/** Why a consumer cannot use an answer; nothing for one that it can use. */
export function answerFaults(params: AnswerParams, consumer: string): readonly string[] {
  const fault = certificateFault(params, consumer);
  return [...(fault === undefined ? [] : [fault]), ...urlFaults(params)];
}

/** Why the certificate of an answer is not one that the provider gave to this consumer. */
export function certificateFault({ certificate: text, ca }: AnswerParams, consumer: string): string | undefined {
  const [certificate] = certificatesIn(text);
  if (certificate === undefined) return 'signedCRT is no certificate';
  const { organization, commonName } = controlPlaneSubject(consumer);
  const [first, second, ...more] = certificate.subject;
  if (!isAttribute(first, 'O', organization) || !isAttribute(second, 'CN', commonName) || more.length > 0)
    return `the certificate is for ${nameText(certificate.subject)}, and not for O=${organization}, CN=${commonName}`;
  if (!certificate.isForClients) return 'the certificate is not for clients';
  const authorities = certificatesIn(ca);
  if (ca !== '' && authorities.length === 0) return 'ca has no certificates';
  // The authority for clients may be another one than that of the API server, so only a wrong signature is a mistake.
  return issuerAmong(certificate, authorities) === 'wrong-signature'
    ? 'the certificate names an authority of ca as its issuer, which has not signed it'
    : undefined;
}

/** Why the URLs of an answer cannot be used. */
export const urlFaults = ({ apiServer, proxyURL }: AnswerParams): readonly string[] => [
  ...(isURL(apiServer, /^https:$/) ? [] : ['apiServer is no URL with https']),
  ...(proxyURL === '' || isURL(proxyURL, /^https?:$/) ? [] : ['proxyURL is no URL']),
];

const isAttribute = (found: Attribute | undefined, type: string, value: string): boolean =>
  found?.type === type && found.value === value;

const nameText = (subject: readonly Attribute[]): string =>
  subject.length === 0 ? 'no name' : subject.map((it) => `${it.type}=${it.value}`).join(', ');

/** Without a password, which would be a secret: `scheme://host[:port][/path]`. */
const isURL = (text: string, scheme: RegExp): boolean => {
  const [, found = ''] = /^([a-z]+:)\/\/[^\s/@?#]+(?:\/[^\s@?#]*)?$/.exec(text) ?? [];
  return scheme.test(found);
};

import { decodeBase64 } from './encodings.ts';

/**
 * A text in which no secret can be read: a password in a URL, tokens of GitHub and GitLab, and whatever has the form of a
 * WireGuard key, whose private and public halves look alike. Each character becomes an asterisk, so that places in the
 * text stay the same.
 */
export function maskSecrets(text: string): string {
  return maskPasswords(text)
    .replace(PASSWORD_OF_HOST, (found) => stars(found, 0))
    .replace(WIREGUARD_KEY, (found) => stars(found, RECOGNISABLE));
}

/** Whether a text contains a password in a URL, or a token. */
export const hasPassword = (text: string): boolean => MAY_HAVE_PASSWORD.test(text) && maskPasswords(text) !== text;

/** What a user name, a query or a token begins or ends with. Most texts have none of it. */
const MAY_HAVE_PASSWORD = /[@?&_]|glpat-/;

const maskPasswords = (text: string): string =>
  text
    .replace(SECRET_IN_QUERY, (found) => stars(found, 0))
    .replace(USER_INFO, (found, scheme: string) => stars(found, secretStart(scheme, found)))
    .replace(FORGE_TOKEN, (found) => stars(found, 0));

/** `name:password@host` without a scheme; not the tag of an image before its digest. */
const PASSWORD_OF_HOST = /(?<=[\w.-]:)[^\s/@:"']+(?=@(?!sha\d))/g;

/** The part of a URL between its scheme and the last @ before a slash. Source: RFC 3986, 3.2.1. */
const USER_INFO = /(?<=([a-z0-9+.-]{1,20}):\/\/)[^\s/]+(?=@)/gi;

/** A part of the query of a URL that has the name of a secret: `?token=...`, `&private_token=...`. */
const SECRET_IN_QUERY = /(?<=[?&][\w-]{0,20}(?:token|password|secret)=)[^\s&#"'`]+/gi;

/** Source: docs.github.com, "About authentication to GitHub", and docs.gitlab.com, "Token prefixes". */
const FORGE_TOKEN = /\b(?:gh[pousr]_\w{20,}(?:\.[\w-]+)*|github_pat_\w{20,}|glpat-[\w-]{20,})/g;

/** 32 bytes in base64. Source: RFC 4648, 4. */
const WIREGUARD_KEY = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{43}=(?![A-Za-z0-9+/=])/g;

/** Characters of a key that stay, so that a reader recognises it. */
const RECOGNISABLE = 4;

const stars = (text: string, from: number): string => text.slice(0, from) + '*'.repeat(text.length - from);

/** Over HTTP a user name alone may be a token; for other schemes, such as ssh://git@host, it is a name. */
function secretStart(scheme: string, userInfo: string): number {
  const colon = userInfo.indexOf(':');
  // By its end: before it there may be the letter of an escape, as in "\nhttps://".
  if (/https?$/i.test(scheme)) return 0;
  return colon === -1 ? userInfo.length : colon + 1;
}

/** A private key in PEM, and one of Ed25519 as base64 of its PKCS#8. Source: RFC 7468, section 10; RFC 8410, section 10.3. */
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY|MC4CAQAwBQYDK2VwBCIEI/;

/** What base64 makes of the first line of PEM, as far as it may name a private key. */
const ENCODED_PEM = /LS0tLS1CRUdJTi[A-Za-z0-9+/]{1,60}/g;

/** Whether a text contains a private key in one of the forms that Kubernetes and Liqo have them in, also as base64. */
export function hasPrivateKey(text: string): boolean {
  if (PRIVATE_KEY.test(text)) return true;
  return (text.match(ENCODED_PEM) ?? []).some((it) => PRIVATE_KEY.test(String.fromCharCode(...decodeBase64(it).bytes)));
}

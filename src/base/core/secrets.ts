import { decodeBase64, textOfBytes } from './encodings.ts';

/**
 * Masks the secrets in a text: passwords in URLs, tokens of GitHub and GitLab, and every text in the form of a
 * WireGuard key, because private and public keys look alike. Each character becomes an asterisk, so that positions in
 * the text stay the same.
 */
export function maskSecrets(text: string): string {
  return maskPasswords(text)
    .replace(PASSWORD_OF_HOST, (found) => stars(found, 0))
    .replace(WIREGUARD_KEY, (found) => stars(found, RECOGNISABLE));
}

/** True when a text contains a password in a URL, or a token. */
export const hasPassword = (text: string): boolean => MAY_HAVE_PASSWORD.test(text) && maskPasswords(text) !== text;

/** Characters at the start or end of user names, queries and tokens. Most texts contain none of them. */
const MAY_HAVE_PASSWORD = /[@?&_]|glpat-/;

const maskPasswords = (text: string): string =>
  text
    .replace(SECRET_IN_QUERY, (found) => stars(found, 0))
    .replace(USER_INFO, (found, scheme: string) => stars(found, secretStart(scheme, found)))
    .replace(FORGE_TOKEN, (found) => stars(found, 0));

/** Matches the password in `name:password@host` without a scheme; not the tag of an image before its digest. */
const PASSWORD_OF_HOST = /(?<=[\w.-]:)[^\s/@:"']+(?=@(?!sha\d))/g;

/** Matches the part of a URL between its scheme and the last @ before a slash. Source: RFC 3986, 3.2.1. */
const USER_INFO = /(?<=([a-z0-9+.-]{1,20}):\/\/)[^\s/]+(?=@)/gi;

/** Matches a value in the query of a URL whose key is that of a secret: `?token=...`, `&private_token=...`. */
const SECRET_IN_QUERY = /(?<=[?&][\w-]{0,20}(?:token|password|secret)=)[^\s&#"'`]+/gi;

/**
 * Matches tokens.
 * Source: docs.github.com, "About authentication to GitHub", and docs.gitlab.com, "Token prefixes".
 */
const FORGE_TOKEN = /\b(?:gh[pousr]_\w{20,}(?:\.[\w-]+)*|github_pat_\w{20,}|glpat-[\w-]{20,})/g;

/** Matches 32 bytes in base64. Source: RFC 4648, 4. */
const WIREGUARD_KEY = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{43}=(?![A-Za-z0-9+/=])/g;

/** The number of characters of a key that are kept, so that a reader recognises it. */
const RECOGNISABLE = 4;

const stars = (text: string, from: number): string => text.slice(0, from) + '*'.repeat(text.length - from);

/**
 * The index at which the secret begins. Over HTTP a user name alone may be a token; for other schemes, such as
 * ssh://git@host, it is only a name.
 */
function secretStart(scheme: string, userInfo: string): number {
  const colon = userInfo.indexOf(':');
  // Only the end of the scheme is tested: before it there may be the letter of an escape, as in "
  // https://".
  if (/https?$/i.test(scheme)) return 0;
  return colon === -1 ? userInfo.length : colon + 1;
}

/**
 * Matches a private key in PEM, and one of Ed25519 as base64 of its PKCS#8.
 * Source: RFC 7468, section 10; RFC 8410, section 10.3.
 */
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY|MC4CAQAwBQYDK2VwBCIEI/;

/** Matches the base64 form of the first line of PEM, up to the part that may name a private key. */
const ENCODED_PEM = /LS0tLS1CRUdJTi[A-Za-z0-9+/]{1,60}/g;

/** True when a text contains a private key in one of the forms of Kubernetes and Liqo, also in base64. */
export function hasPrivateKey(text: string): boolean {
  if (PRIVATE_KEY.test(text)) return true;
  return (text.match(ENCODED_PEM) ?? []).some((it) => PRIVATE_KEY.test(textOfBytes(decodeBase64(it).bytes)));
}

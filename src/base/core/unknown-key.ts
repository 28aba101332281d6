import { firstOf, quoted } from './words.ts';

/** In place of a key that exists in its cluster and is not known here. A new one would end a tunnel or a loan that is in use. */
export const UNKNOWN_KEY = 'unknown';

/** Clusters that a hint names. */
const SHOWN = 3;

/** What to do about gateways whose keys are not known: their peers have the public halves. */
export const readUnknownKeys = (gateways: readonly { readonly peer: string }[]): string =>
  `${dumpAgain(gateways.map((it) => it.peer))}, whose PublicKeys have these keys, and import again; ${ONLY_REPLACE}`;

/** The same about consumers: providers have what is public of their keys. */
export const readUnknownAuthentication = (providers: readonly string[]): string =>
  `${dumpAgain(providers)} with Tenants and Secrets, which have what is public of these keys, and import again; ${ONLY_REPLACE}`;

const dumpAgain = (clusters: readonly string[]): string => `dump ${firstOf([...new Set(clusters)].map(quoted), SHOWN)}`;

const ONLY_REPLACE = '"weft keys generate" replaces keys that are in use only with --replace';

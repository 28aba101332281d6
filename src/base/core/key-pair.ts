import { firstOf, quoted } from './words.ts';

/** The key pair of a gateway, of which the keys file has only the public halves. */
export interface RecordedPair {
  /** The public key in use, or `unknown`. */
  readonly key: string;
  /** Starts at 1. The name of the Secret follows from it. */
  readonly generation: number;
  /** The day on which the key was made or collected, written like `2026-11-28`; `null` when that is not recorded. */
  readonly since: string | null;
  /** The key of the next generation, which no gateway uses yet. */
  readonly next: NextPair | null;
}

interface NextPair {
  readonly key: string;
  readonly since: string | null;
}

/** The pairs by cluster, then by the peer that the gateway is for. */
export type PublicKeys = ReadonlyMap<string, ReadonlyMap<string, RecordedPair>>;

/** A pair without a record of its age or of a rotation. */
export const firstPair = (key: string, since: string | null = null): RecordedPair => ({
  key,
  generation: 1,
  since,
  next: null,
});

/**
 * The name of the Secret, or of the key in a store, of a generation of a key pair. A gateway reads its key only when it
 * starts, so another key under the same name would break the tunnel whenever its pod starts again.
 */
export const nameOfGeneration = (first: string, generation: number): string =>
  generation === 1 ? first : `${first}-${generation}`;

/** The name without the number of its generation, and that number. */
export function generationIn(name: string): { readonly first: string; readonly generation: number } {
  const [, first, number] = /^(.+)-([2-9]|[1-9][0-9]{1,3})$/.exec(name) ?? [];
  return first === undefined ? { first: name, generation: 1 } : { first, generation: Number(number) };
}

/** The value for an existing key that is not recorded. A new key would end a tunnel or a loan that is in use. */
export const UNKNOWN_KEY = 'unknown';

/**
 * The hint for keys that are missing. A keys file may be lost when there is a lock and no such file: then the keys are in use,
 * and no new ones are made.
 */
export const makeKeys = (purpose: string, mayBeLost: boolean): string =>
  `${mayBeLost ? 'restore the keys file from git if there was one; otherwise ' : ''}run "weft keys generate" ${purpose}`.trimEnd();

/** The hint for gateways without a key where Liqo makes the pairs: they are in the clusters, also when the keys file is lost. */
export const COLLECT_KEYS = 'apply the bundles and run "weft keys collect"';

/** The advice where nothing says who makes the keys. */
export const MAKE_OR_COLLECT = 'run "weft keys generate", or "weft keys collect" where Liqo makes the keys';

/** The number of clusters that a hint names. */
const SHOWN = 3;

/** The hint for gateways whose keys are unknown: their peers have the public keys. */
export const readUnknownKeys = (gateways: readonly { readonly peer: string }[]): string =>
  `${dumpAgain(gateways.map((it) => it.peer))}, whose PublicKeys have these keys, and ${takeKeys('them')}; ${ONLY_REPLACE}`;

/** The hint for gateways without a key in git whose live peers have their keys. */
export const recordKeysInUse = (peers: readonly string[]): string =>
  `record the keys in use, which PublicKeys of ${firstOf([...new Set(peers)].map(quoted), SHOWN)} have: ${takeKeys('them')}; new ones of "weft keys generate" end these tunnels`;

/** The hint for consumers whose keys are unknown: their providers have the public keys. */
export const readUnknownAuthentication = (providers: readonly string[]): string =>
  `${dumpAgain(providers)} with Tenants and Secrets, which have what is public of these keys, and ${takeKeys('it')}; ${ONLY_REPLACE}`;

/** An import never replaces files, so it writes beside those that are there. */
export const takeKeys = (what: string): string =>
  `take ${what} from the keys file that "weft import" with another --topology writes`;

const dumpAgain = (clusters: readonly string[]): string => `dump ${firstOf([...new Set(clusters)].map(quoted), SHOWN)}`;

const ONLY_REPLACE = '"weft keys generate" replaces keys that are in use only with --replace';

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

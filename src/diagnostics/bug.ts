/** A fault of weft's own, never of the user's input. Only `front/` catches it. */
export class Bug extends Error {
  override readonly name = 'Bug';
}

/** Stops: what the types cannot say was promised by an earlier stage, and does not hold. */
export function bug(message: string): never {
  throw new Bug(message);
}

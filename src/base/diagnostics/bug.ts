/** A fault of weft, never of the user's input. Only `front/` catches it. */
class Bug extends Error {
  override readonly name = 'Bug';
}

/** Stops the run: something that an earlier stage guarantees, but that the types cannot express, does not hold. */
export function bug(message: string): never {
  throw new Bug(message);
}

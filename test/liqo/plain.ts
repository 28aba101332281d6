/** A manifest as a reader of the printed file gets it: members that are `undefined` are gone. */
export const plain = (manifest: unknown): unknown => JSON.parse(JSON.stringify(manifest));

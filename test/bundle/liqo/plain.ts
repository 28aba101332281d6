/** A manifest as it reads back from the printed file: without members that are `undefined`. */
export const plain = (manifest: unknown): unknown => JSON.parse(JSON.stringify(manifest));

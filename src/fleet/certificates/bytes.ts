/** Bytes as numbers, as `core/` has them. Node's functions take and return typed arrays. */
export type Bytes = readonly number[];

export const bytesOf = (found: ArrayLike<number>): Bytes => Array.from(found);

export const typed = (bytes: Bytes): Uint8Array => Uint8Array.from(bytes);

export const areEqual = (a: Bytes, b: Bytes): boolean => a.length === b.length && a.every((it, i) => it === b[i]);

/** Two digits a byte. */
export const bytesOfHex = (hex: string): Bytes => (hex.match(/../g) ?? []).map((it) => Number.parseInt(it, 16));

export const hexOf = (bytes: Bytes): string => bytes.map((it) => it.toString(16).padStart(2, '0')).join('');

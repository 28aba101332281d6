// Tests for the kinds of JSON values.

export const isMap = (it) => typeof it === 'object' && it !== null && !Array.isArray(it);
export const isScalar = (it) => typeof it !== 'object' || it === null;

/** True for a list or a map without entries. */
export const isEmpty = (it) => !isScalar(it) && Object.keys(it).length === 0;

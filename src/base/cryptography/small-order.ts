/**
 * The points of Ed25519 whose order is at most 8, in every encoding that is read as one of them, as hexadecimal digits. Source: RFC
 * 8032, section 5.1.3; RFC 7748, section 4.1.
 */
export const SMALL_ORDER: ReadonlySet<string> = new Set(
  [
    ['0100000000000000000000000000000000000000000000000000000000000000', '80'],
    ['ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f', 'ff'],
    ['0000000000000000000000000000000000000000000000000000000000000000', '80'],
    ['26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05', '85'],
    ['c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a', 'fa'],
    ['eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f', 'ff'],
    ['edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f', 'ff'],
  ].flatMap(([point = '', negated = '']) => [point, `${point.slice(0, -2)}${negated}`]),
);

/**
 * True for a signature with a key or a commitment of small order: it may be valid for any text, so it proves nothing. Node 24 and later
 * refuse it, earlier releases do not.
 */
export const provesNothing = (key: Uint8Array, signature: Uint8Array): boolean =>
  [key, signature.slice(0, key.length)].some((it) => SMALL_ORDER.has(digitsOf(it)));

const digitsOf = (bytes: Uint8Array): string => Array.from(bytes, (it) => it.toString(16).padStart(2, '0')).join('');

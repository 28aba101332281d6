/** One value in DER: its tag, what is in it, and the bytes of both. */
export interface Tlv {
  readonly tag: number;
  readonly content: Uint8Array;
  readonly bytes: Uint8Array;
}

/** The values that follow one another; nothing for bytes that are not DER. Source: ITU-T X.690, section 8.1. */
export function tlvsIn(bytes: Uint8Array): readonly Tlv[] {
  const [tag, short = 0] = bytes;
  if (tag === undefined) return [];
  const more = short > 0x7f ? short - 0x80 : 0;
  let length = more === 0 ? short : 0;
  for (const digit of bytes.subarray(2, 2 + more)) length = length * 256 + digit;
  const start = 2 + more;
  if (start + length > bytes.length) return [];
  const first = { tag, content: bytes.subarray(start, start + length), bytes: bytes.subarray(0, start + length) };
  return [first, ...tlvsIn(bytes.subarray(start + length))];
}

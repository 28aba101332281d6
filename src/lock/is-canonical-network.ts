/**
 * True for the text of an IPv4 network as weft prints it: no leading zeros, no host bits. A lock can contain a hundred
 * thousand of them, so this reads the numbers directly; a test compares it with `readPrefix`.
 */
export function isCanonicalNetwork(text: string): boolean {
  const parts = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\/(0|[1-9]\d?)$/.exec(text);
  if (!parts) return false;
  const [a = 0, b = 0, c = 0, d = 0, length = 0] = parts.slice(1).map(Number);
  if (a > 255 || b > 255 || c > 255 || d > 255 || length > 32) return false;
  const address = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  return length === 32 || address % 2 ** (32 - length) === 0;
}

/** An IPv4 network as a number and a length. Bits behind the length are kept, as Liqo keeps them. */
export interface Cidr {
  readonly base: number;
  readonly length: number;
}

/** `undefined` for what is not an IPv4 network. */
export function parseCidr(text: string): Cidr | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(text)?.slice(1).map(Number);
  if (parts === undefined) return undefined;
  const length = parts[4] ?? 33;
  const bytes = parts.slice(0, 4);
  if (length > 32 || bytes.some((it) => it > 255)) return undefined;
  return { base: bytes.reduce((sum, it) => sum * 256 + it, 0), length };
}

export const printCidr = ({ base, length }: Cidr): string => `${printAddress(base)}/${length}`;

export const printAddress = (value: number): string =>
  [2 ** 24, 2 ** 16, 2 ** 8, 1].map((it) => Math.floor(value / it) % 256).join('.');

export const sizeOf = ({ length }: Cidr): number => 2 ** (32 - length);

/** True if the first network contains the second one, or is equal to it. */
export const isAround = (outer: Cidr, inner: Cidr): boolean =>
  outer.length <= inner.length && inner.base >= outer.base && inner.base < outer.base + sizeOf(outer);

/** The network address of the network that a text names. */
export function firstAddressOf(text: string): string {
  const cidr = parseCidr(text);
  if (cidr === undefined) throw new Error(`${text} is no network`);
  return printAddress(cidr.base - (cidr.base % sizeOf(cidr)));
}

import { maskOf, type Prefix } from '../../base/net/prefix.ts';

/** A network as text. The compiler uses other code, so that verify does not share a mistake of its printer. */
export const cidrText = ({ base, length }: Prefix): string => `${addressText(base)}/${length}`;

export const addressText = (address: number): string =>
  [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');

/** The offset of an address in its network. */
export const hostOf = (address: number, { length }: Prefix): number => (address & ~maskOf(length)) >>> 0;

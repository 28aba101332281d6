import { maskOf, type Prefix } from '../net/prefix.ts';

/** A network as text. The compiler prints with other code: what is proved must not rest on the printer that wrote it. */
export const cidrText = ({ base, length }: Prefix): string => `${addressText(base)}/${length}`;

export const addressText = (address: number): string =>
  [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');

/** Where an address stands in its network. */
export const hostOf = (address: number, { length }: Prefix): number => (address & ~maskOf(length)) >>> 0;

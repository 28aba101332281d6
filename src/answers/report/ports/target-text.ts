import { looksLikeIPv6, readAddress } from '../../../base/net/text.ts';
import type { Opening, Target } from '../../../reach/ports/opening.ts';

export const UNKNOWN = 'unknown';

export const PURPOSES: Readonly<Record<Opening['purpose'], string>> = { tunnel: 'tunnel', 'api-server': 'API server' };

/** `203.0.113.10:30742`. */
export const targetText = ({ address, port }: Target): string =>
  `${address !== null && looksLikeIPv6(address) ? `[${address}]` : (address ?? UNKNOWN)}:${port ?? UNKNOWN}`;

/** A DNS name, which is looked up by whoever dials it. */
export const isName = (address: string | null): address is string =>
  address !== null && readAddress(address) === undefined && !looksLikeIPv6(address);

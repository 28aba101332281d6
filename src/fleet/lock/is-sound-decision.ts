import { readPrefix } from '../../base/net/text.ts';

const KEY =
  /^[a-z0-9-]+\/(?:external|internal|[a-z0-9-]+\/(?:(join)|(port)\/[a-z0-9-]+|view\/[a-z0-9-]+\/(?:pod|external)\/([\d./]+)))$/;

const LAST_JOIN = 999_999;
const LAST_PORT = 65_535;

/**
 * Whether a decision follows the schema of the lock, and its networks are networks: what `parseLock` asks of every one, at once,
 * since a lock has a hundred thousand of them. A test compares the two.
 */
export function isSoundDecision(name: string, value: string | number): boolean {
  const key = KEY.exec(name);
  if (key === null) return false;
  const [, join, port, network] = key;
  if (join !== undefined || port !== undefined)
    return typeof value === 'number' && value >= 1 && value <= (join === undefined ? LAST_PORT : LAST_JOIN);
  return isNetwork(value) && (network === undefined || isNetwork(network));
}

const isNetwork = (it: string | number): boolean => typeof it === 'string' && readPrefix(it).ok;

import type { Prefix } from '../../base/net/prefix.ts';
import { prefixOf } from '../../base/net/text.ts';
import { DEFAULT_POOLS } from '../../base/releases/install-defaults.ts';
import type { Located } from '../../base/source/located.ts';
import type { Reading } from '../../base/source/reading.ts';
import type { Span } from '../../base/source/source.ts';
import { readPool } from './read-cidr.ts';
import type { Report } from './report.ts';

/** In the order in which the IPAM tries them. */
const POOLS = DEFAULT_POOLS.map(prefixOf);

interface PoolsText {
  readonly pools: Reading<string[]>;
  /** The place of the default pools in diagnostics. */
  readonly otherwiseAt: Span;
  readonly what: string;
  /** Pools that the platform needs after the default ones. */
  readonly more?: readonly string[];
}

/**
 * The pools that the topology lists, or Liqo's defaults. Where every listed one is a reported mistake, the defaults are
 * used too, so that no rule reports networks that lie in no pool.
 */
export function readPools(
  { pools, otherwiseAt, what, more = [] }: PoolsText,
  report: Report,
): readonly Located<Prefix>[] {
  const texts = pools.texts();
  const listed = texts?.map((it) => readPool(it, what, report)).filter((it) => it !== undefined) ?? [];
  const noneIsListed = texts?.length === 0;
  if (listed.length > 0 || noneIsListed) return listed;
  return [...POOLS, ...more.map(prefixOf)].map((value) => ({ value, at: otherwiseAt }));
}

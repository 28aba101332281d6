import { visibleText } from '../../core/visible-text.ts';
import { someOf } from '../../core/words.ts';

interface Preflight {
  /** The clusters that were looked at, by name. */
  readonly looked: readonly string[];
  /** Those that were not. */
  readonly others: readonly string[];
}

const NAMED = 6;

/** What a plan from live clusters starts from. */
export function preflightLine({ looked, others }: Preflight): string {
  const rest = others.length === 0 ? '' : `; as in their bundles: ${someOf(others, NAMED)}`;
  return visibleText(`From what is live in ${someOf(looked, NAMED)}${rest}.`);
}

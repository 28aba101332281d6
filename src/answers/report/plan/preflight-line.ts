import { visibleText } from '../../../base/core/visible-text.ts';
import { countOf, someOf } from '../../../base/core/words.ts';

interface Preflight {
  /** The clusters that were looked at, by name. */
  readonly looked: readonly string[];
  /** Those that were not. */
  readonly others: readonly string[];
  /** Gateways with a key that git does not know. */
  readonly unknownKeys: readonly { readonly cluster: string; readonly peer: string }[];
}

const NAMED = 6;

/** What a plan from live clusters starts from, and what it says nothing about. */
export function preflightLine({ looked, others, unknownKeys }: Preflight): string {
  const rest = others.length === 0 ? '' : `; as in their bundles: ${someOf(others, NAMED)}`;
  const names = unknownKeys.map((it) => `${it.cluster} towards ${it.peer}`);
  const keys =
    names.length === 0
      ? ''
      : `\nNot compared: ${countOf(names.length, 'key')} that git does not know, ${someOf(names, NAMED)}.`;
  return `From what is live in ${someOf(looked, NAMED)}${rest}.${keys}`.split('\n').map(visibleText).join('\n');
}

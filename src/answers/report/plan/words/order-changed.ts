import { someOf } from '../../../../base/core/words.ts';
import type { OrderEntry } from '../../../../plan/difference.ts';
import type { ChangeWords } from '../change-words.ts';

/** Peers named in an order; a hub can have thousands. */
const NAMED_PEERS = 6;

export const orderChangedWords: ChangeWords<'order-changed'> = {
  section: 'Order',
  title: ({ cluster, to }) => `${cluster} ${orderWords(to)}`,
  why: { 'only-the-first-apply': 'only a first apply changes; existing links stay' },
  steps: {},
};

function orderWords(entries: readonly OrderEntry[]): string {
  const ordered = entries.filter((it) => it.turn !== null).map((it) => it.peer);
  if (ordered.length === 0) return 'makes its links in any order';
  if (ordered.length === 1) return `makes its link to ${ordered[0] ?? ''} last`;
  return `makes these links one after the other: ${someOf(ordered, NAMED_PEERS)}`;
}

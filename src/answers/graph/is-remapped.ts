import type { LinkFacts } from './fleet-facts.ts';

/** Whether an end of the link sees a network of the other one as another network; a view may also be back at its own. */
export const isRemapped = ({ remaps }: Pick<LinkFacts, 'remaps'>): boolean =>
  remaps.some((it) => it.cidr !== it.seenAs);

import type { SharePair } from './sharing-state.ts';
import { aboutCluster, type Subject } from './subject.ts';

/** A loan: it happens in the consumer first. */
export const aboutShare = ({ consumer, provider }: SharePair): Subject => aboutCluster(consumer, [provider]);

/** The identity of a loan in a plan. */
export const idOfShare = ({ consumer, provider }: SharePair): readonly string[] => [consumer, provider];

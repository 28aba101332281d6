import type { Decisions } from './decisions.ts';
import type { LockDocument } from './lock-document.ts';

/** All decisions of a lock; none without one. */
export const decisionsOf = (lock: LockDocument | undefined): Decisions => lock?.decisions ?? new Map();

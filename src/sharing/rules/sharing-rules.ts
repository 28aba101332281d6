import { answersBelongToALoan } from './answers-belong-to-a-loan.ts';
import { consumersHaveAKey } from './consumers-have-a-key.ts';
import { providersHaveAnswered } from './providers-have-answered.ts';
import type { SharingRule } from './sharing-rule.ts';
import { sliceNamesAreUnique } from './slice-names-are-unique.ts';

/** Every rule about shared resources. */
export const SHARING_RULES: readonly SharingRule[] = [
  sliceNamesAreUnique,
  consumersHaveAKey,
  providersHaveAnswered,
  answersBelongToALoan,
];

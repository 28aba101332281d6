import type { TextFormat } from './text-format.ts';

/** Why something was decided, in the words of the user. */
export const REASON: TextFormat = {
  code: 'topology/wrong-value',
  noun: 'a reason',
  hintFor: (text) => (text.trim() === '' ? 'write why nothing has to be done about it' : undefined),
};

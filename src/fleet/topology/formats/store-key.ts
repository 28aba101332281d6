import type { TextFormat } from './text-format.ts';

/** Where a secret store has a value: each kind of store has a form of its own. */
export const STORE_KEY: TextFormat = {
  code: 'topology/wrong-value',
  noun: 'a key of a store',
  hintFor: (text) => (/^\S/.test(text) ? undefined : 'write what the store calls it, without a space in front'),
};

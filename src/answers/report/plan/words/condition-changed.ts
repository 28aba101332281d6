import type { ChangeWords } from '../change-words.ts';
import { andDeletes, DELETES_NAMESPACES, SAVE_THE_VOLUMES, WITHDRAW } from './plain-sharing.ts';

export const conditionChangedWords: ChangeWords<'condition-changed'> = {
  section: 'Sharing',
  title: ({ consumer, provider, from, to, deleted }) =>
    `${provider} treats ${consumer} as ${to} instead of ${from}${andDeletes(deleted)}`,
  why: {
    'namespaces-are-deleted': DELETES_NAMESPACES,
    'provider-takes-all-back': 'the provider deletes what the consumer has made there, and its virtual nodes stop',
    'no-new-pods': 'pods that run in the provider go on, and it accepts no new ones',
    'lends-again': 'the provider lends to the consumer again; slices that it has denied are looked at again',
  },
  steps: { 'save-the-volumes': SAVE_THE_VOLUMES, 'withdraw-in-a-change-before': WITHDRAW },
};

import type { ChangeWords } from '../change-words.ts';

export const blockReturnedWords: ChangeWords<'block-returned'> = {
  section: 'Addresses',
  code: null,
  title: ({ cluster, block, cidr }) => `${cluster} gives back ${cidr}, its ${block} CIDR`,
  why: { 'free-for-others': 'it is free for others again' },
  steps: {},
};

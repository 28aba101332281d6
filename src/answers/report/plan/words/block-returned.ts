import type { ChangeWords } from '../change-words.ts';

export const blockReturnedWords: ChangeWords<'block-returned'> = {
  section: 'Addresses',
  title: ({ cluster, block, cidr }) => `${cluster} releases ${cidr}, its ${block} CIDR`,
  why: { 'free-for-others': 'other clusters can use the block again' },
  steps: {},
};

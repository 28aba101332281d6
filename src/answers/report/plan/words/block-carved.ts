import type { ChangeWords } from '../change-words.ts';

export const blockCarvedWords: ChangeWords<'block-carved'> = {
  section: 'Addresses',
  title: ({ cluster, block, cidr }) => `${cluster} gets ${cidr} as its ${block} CIDR`,
  why: { 'block-of-its-own': 'no other cluster of the fleet uses this block' },
  steps: {},
};

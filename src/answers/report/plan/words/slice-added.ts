import type { ChangeWords } from '../change-words.ts';

export const sliceAddedWords: ChangeWords<'slice-added'> = {
  section: 'Sharing',
  title: ({ consumer, provider, slice }) => `${consumer} borrows one more slice from ${provider}: ${slice}`,
  why: { 'one-more-virtual-node': 'the consumer gets one more virtual node, which has the name of the slice' },
  steps: {},
};

import type { ChangeWords } from '../change-words.ts';

export const classChangedWords: ChangeWords<'class-changed'> = {
  section: 'Sharing',
  title: ({ consumer, provider, slice, from, to }) =>
    `${consumer} asks ${provider} for slice ${slice} of class ${to} instead of ${from}`,
  why: { 'answer-of-the-old-class-stays': 'the provider has answered the old class, and that answer stays as it is' },
  steps: {
    'make-another-slice': {
      what: 'add a slice with another name and the new class instead, and remove this one once the other is ready',
      on: ({ consumer, slice }) => `${slice} in ${consumer}`,
    },
  },
};

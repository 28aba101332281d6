import type { ChangeWords } from '../change-words.ts';
import { CHECK_THE_ENDPOINT, server } from './plain-sharing.ts';

export const identityAddedWords: ChangeWords<'identity-added'> = {
  section: 'Sharing',
  title: ({ consumer, provider, to }) => `${consumer} has the answer of ${provider}, whose API server is ${server(to)}`,
  why: { 'handshake-is-complete': 'the consumer asks for its slices, and gets a virtual node for each' },
  steps: {
    'check-the-endpoint': { what: CHECK_THE_ENDPOINT, on: ({ provider, to }) => `${server(to)} of ${provider}` },
  },
};

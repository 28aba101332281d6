import type { ChangeWords } from '../change-words.ts';
import { COLLECT_IDENTITIES, loan, names, places } from './plain-sharing.ts';

export const authenticationAddedWords: ChangeWords<'authentication-added'> = {
  section: 'Keys',
  title: ({ consumer, providers }) => `${consumer} has an authentication key, which ${names(providers)} will accept`,
  why: { 'providers-know-the-consumer': 'the providers sign the request of the consumer once this is applied' },
  steps: {
    'provide-the-key': {
      what: 'provide the Secret authentication-keys before Liqo is installed; where Liqo runs already, it has a key of its own, and this one has to replace it',
      on: ({ consumer }) => consumer,
    },
    'collect-identities': {
      what: COLLECT_IDENTITIES,
      on: ({ consumer, providers }) => places(providers.map((provider) => loan({ consumer, provider }))),
    },
  },
};

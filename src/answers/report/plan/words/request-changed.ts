import type { ChangeWords } from '../change-words.ts';
import { placeIn } from './plain-places.ts';

export const requestChangedWords: ChangeWords<'request-changed'> = {
  section: 'Keys',
  title: ({ consumer, slice, to }) =>
    to === null
      ? `Liqo makes the certificate request of slice ${slice} of ${consumer}`
      : `slice ${slice} of ${consumer} has another certificate request`,
  why: {
    'liqo-makes-the-same': 'with the same key, Liqo makes the same bytes',
    'provider-keeps-the-old-one': 'a provider refuses another request than the one that it has signed',
  },
  steps: {
    'delete-stored-certificate': {
      what: 'delete this Secret in the provider: until then it refuses the new request',
      on: (it) => `liqo-remote-certificate-${it.slice} of ${placeIn(it, it.provider, it.consumer)}`,
    },
  },
};

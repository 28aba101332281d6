import type { ChangeWords } from '../change-words.ts';
import { placeIn } from './plain-places.ts';

export const credentialsChangedWords: ChangeWords<'credentials-changed'> = {
  section: 'Sharing',
  title: ({ consumer, provider, from, to }) => {
    const whose = `${consumer} gets its kubeconfig of ${provider}`;
    if (to === null) return `${whose} from no secret manager any more`;
    return from === null ? `${whose} from ${to}` : `${whose} from ${to} instead of ${from}`;
  },
  why: {
    'secret-manager-makes-it': 'the secret manager makes the Secret, and replaces one that was made by hand',
    'another-kubeconfig':
      'the Secrets, ConfigMaps and tokens of offloaded namespaces go to the server in that kubeconfig, and the consumer believes what it answers',
    'kubeconfig-goes':
      'the Secret is deleted with its ExternalSecret, and the virtual nodes of the provider stop; pods that run go on',
  },
  steps: {
    'check-the-store': {
      what: 'make sure that the store has the kubeconfig of the provider under this key',
      on: ({ provider, to }) => `${to ?? ''} for ${provider}`,
    },
    'keep-the-kubeconfig': {
      what: 'provide the Secret by other means',
      on: (it) => placeIn(it, it.consumer, it.provider),
    },
  },
};

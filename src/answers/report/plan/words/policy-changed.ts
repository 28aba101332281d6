import type { ChangeWords } from '../change-words.ts';
import { placeIn } from './plain-places.ts';

export const policyChangedWords: ChangeWords<'policy-changed'> = {
  section: 'Sharing',
  title: ({ consumer, provider, to }) =>
    to === 'TolerateNoHandshake'
      ? `${consumer} comes to ${provider} with credentials instead of a certificate`
      : `${consumer} comes to ${provider} with a certificate instead of credentials`,
  why: {
    'credentials-instead-of-certificate':
      'the Identity is removed, and the consumer cannot reach the provider until it has a kubeconfig; pods that run go on',
    'certificate-instead-of-credentials':
      'the consumer cannot reach the provider until its Identity is there; pods that run go on',
  },
  steps: {
    'replace-the-kubeconfig': {
      what: 'provide the Secret with the kubeconfig once that of the Identity is gone: two of them for one provider are an error',
      on: (it) => placeIn(it, it.consumer, it.provider),
    },
    'remove-the-kubeconfig': {
      what: 'remove the Secret with the kubeconfig before the Identity is applied: two of them for one provider are an error',
      on: (it) => placeIn(it, it.consumer, it.provider),
    },
    'check-the-role-binding': {
      what: 'make sure that liqo-binding-liqo-remote-controlplane names the new subject: Liqo and git make it under one name',
      on: (it) => placeIn(it, it.provider, it.consumer),
    },
  },
};

import { listOf } from '../../../../base/core/words.ts';
import type { Difference } from '../../../../plan/difference.ts';
import type { ChangeWords } from '../change-words.ts';
import { andDeletes, DELETES_NAMESPACES, loan, names, SAVE_THE_VOLUMES } from './plain-sharing.ts';
import { placeIn } from './plain-words.ts';

export const sliceAddedWords: ChangeWords<'slice-added'> = {
  section: 'Sharing',
  title: ({ consumer, provider, slice }) => `${consumer} borrows one more slice from ${provider}: ${slice}`,
  why: { 'one-more-virtual-node': 'the consumer gets one more virtual node, which has the name of the slice' },
  steps: {},
};

export const sliceRemovedWords: ChangeWords<'slice-removed'> = {
  section: 'Sharing',
  title: ({ consumer, provider, slice, deleted }) =>
    `${consumer} no longer borrows slice ${slice} from ${provider}${andDeletes(deleted)}`,
  why: {
    'its-pods-are-evicted': 'its virtual node is drained and removed; evictions respect PodDisruptionBudgets',
    'all-slices-are-replaced':
      'the last virtual node of the provider is removed before the new one is there, and with it every namespace that Liqo made in the provider',
    'namespaces-are-deleted': DELETES_NAMESPACES,
  },
  steps: {
    'save-the-volumes': SAVE_THE_VOLUMES,
    'add-the-new-slice-before': {
      what: 'add the new slice in a change of its own before this one, and wait until its virtual node is ready: then nothing is deleted',
      on: ({ slice, provider }) => `${slice} of ${provider}`,
    },
  },
};

export const resourcesChangedWords: ChangeWords<'resources-changed'> = {
  section: 'Sharing',
  title: (it) => `${it.consumer} borrows from ${it.provider} by slice ${it.slice}: ${listOf(resourceDifferences(it))}`,
  why: {
    'more-for-new-pods': 'quota and virtual node follow; pods that run are not touched',
    'less-for-new-pods':
      'quota and virtual node follow; pods that run stay, and new ones are refused until there is room',
    'what-is-left-out-stays':
      'Liqo adds to what was granted, and takes no resource out of it: what is left out stays granted',
  },
  steps: {
    'make-the-slice-again': {
      what: 'add a slice with another name and remove this one later, if the resource has to go',
      on: ({ consumer, slice }) => `${slice} in ${consumer}`,
    },
  },
};

function resourceDifferences({ from, to }: Difference<'resources-changed'>): readonly string[] {
  const resources = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return resources
    .filter((it) => from[it] !== to[it])
    .map((it) => {
      const [was, is] = [from[it], to[it]];
      if (was === undefined) return `${it} ${is}`;
      return is === undefined ? `no ${it}` : `${it} ${is} instead of ${was}`;
    });
}

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

export const nodeChangedWords: ChangeWords<'node-changed'> = {
  section: 'Sharing',
  title: ({ consumer, slice, from, to }) => {
    if (to === null) return `virtual node ${slice} of ${consumer} gets no settings from git any more`;
    const paths = [...new Set([...Object.keys(from ?? {}), ...Object.keys(to)])].filter((it) => from?.[it] !== to[it]);
    return `virtual node ${slice} of ${consumer}: ${names(paths.map((it) => `${it} is ${to[it] ?? 'not set'}`))}`;
  },
  why: {
    'what-was-set-stays': 'no tool prunes the object, of which Liqo owns the rest: what was set stays',
    'taint-evicts-pods': 'pods that do not tolerate the taint are evicted',
    'virtual-kubelet-restarts': 'the virtual kubelet restarts; pods that run go on',
    'node-follows': 'the node follows; pods that run go on',
  },
  steps: {
    'remove-it-by-hand': {
      what: 'remove these settings from the live VirtualNode by hand, if they have to go',
      on: ({ consumer, slice }) => `${slice} in ${consumer}`,
    },
  },
};

export const nodeNetworkChangedWords: ChangeWords<'node-network-changed'> = {
  section: 'Sharing',
  title: ({ consumer, provider, because, slices }) => {
    const isOne = slices.length === 1;
    const nodes = `virtual ${isOne ? 'node' : 'nodes'} ${listOf(slices)} of ${consumer}`;
    switch (because) {
      case 'link-added':
        return `${nodes} started without a link to ${provider}`;
      case 'link-removed':
        return `${nodes} ${isOne ? 'has' : 'have'} pods in ${provider}, and there is no link any more`;
      case 'view-moved':
        return `${nodes} started with other addresses of the pods in ${provider}`;
    }
  },
  why: {
    'started-without-a-link':
      'up to Liqo 1.2 a virtual kubelet reads the network when it starts: it goes on with addresses of pods that no cluster can reach',
    'started-with-other-views':
      'up to Liqo 1.2 a virtual kubelet reads the network when it starts: it goes on with the old addresses of pods',
    'lends-without-a-link': 'the virtual nodes stay ready, and no Service between the two clusters works any more',
  },
  steps: {
    'restart-virtual-kubelets': {
      what: 'restart these Deployments, once the Configuration of the provider has its addresses',
      on: (it) => `${listOf(it.slices.map((slice) => `vk-${slice}`))} of ${placeIn(it, it.consumer, it.provider)}`,
    },
    'end-sharing-first': { what: 'end sharing first, or keep the link', on: loan },
  },
};

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

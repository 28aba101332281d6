import { listOf } from '../../../../base/core/words.ts';
import type { ChangeWords } from '../change-words.ts';
import { placeIn } from './plain-places.ts';
import { loan } from './plain-sharing.ts';

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

import type { ChangeWords } from '../change-words.ts';
import { names } from './plain-sharing.ts';

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

import { shortened, someOf } from '../../../../base/core/words.ts';
import type { Action, ValueChange } from '../../../../plan/difference.ts';
import type { ChangeWords } from '../change-words.ts';
import { APPLY_SERVER_FIRST, insteadOf, LONGEST_VALUE, placeIn, towards } from './plain-words.ts';

export const keyAddedWords: ChangeWords<'key-added'> = {
  section: 'Keys',
  title: (it) => `${towards(it)}: its public key is known now`,
  why: {
    'tunnel-had-no-key': 'without it the tunnel could not come up',
    'key-was-unknown':
      'the gateway has had a key that git did not know: if it is this one, nothing changes; with another one the tunnel is down until both ends have it',
    'other-end-has-no-key': 'the gateway at the other end has no public key yet, so the tunnel stays down',
  },
  steps: {
    'compare-with-live': {
      what: 'compare it with the PublicKey in the cluster at the other end: "weft plan --live DUMPS" with a dump of that cluster',
      on: towards,
    },
    'provide-the-secret': {
      what: 'provide the Secrets with the private keys',
      on: (it) => placeIn(it, it.cluster, it.peer),
    },
  },
};

export const keyChangedWords: ChangeWords<'key-changed'> = {
  section: 'Keys',
  title: (it) => `${towards(it)}: another public key`,
  why: {
    'ends-have-different-keys':
      'the tunnel is down from the moment one end has the new key until the other has it, too',
  },
  steps: {
    'replace-secret': {
      what: 'replace the Secret and delete the gateway pod, which reads its key when it starts (Liqo undoes a rollout restart)',
      on: towards,
    },
    'apply-server-first': {
      ...APPLY_SERVER_FIRST,
      on: ({ cluster, peer, server }) => APPLY_SERVER_FIRST.on({ ends: [cluster, peer], server }),
    },
  },
};

export const keyRemovedWords: ChangeWords<'key-removed'> = {
  section: 'Keys',
  title: (it) => `${towards(it)}: its public key is no longer known`,
  why: { 'peer-loses-the-key': 'the peer no longer has the key, and the tunnel cannot come up again' },
  steps: {
    'restore-key': {
      what: 'restore the key in the keys file, unless the tunnel is to stay down',
      on: towards,
    },
  },
};

export const templateChangedWords: ChangeWords<'template-changed'> = {
  section: 'Gateways',
  title: (it) => `${towards(it)}: made from template ${it.to} instead of ${it.from}`,
  why: {
    'made-from-another-template': 'the gateway is made from another template: its pods restart',
    'nobody-knows-its-images':
      'the gateway is made from a template that is not in the bundle: its pods restart with whatever images and permissions that has, or had',
  },
  steps: {
    'check-the-template': { what: 'look at the images of both templates', on: towards },
    'expect-a-late-restart': {
      what: 'expect a delay: Liqo reads templates only when it reconciles the gateway',
      on: towards,
    },
  },
};

/** The number of values named in one line; values that decide where the pods run come first. */
const NAMED_VALUES = 6;

export const templateEditedWords: ChangeWords<'template-edited'> = {
  section: 'Gateways',
  title: ({ cluster, action, values }) => {
    const all = values.map((it) => valueWords(it, action));
    const what = all.length === 0 ? '' : `: ${someOf(all, NAMED_VALUES, '; ')}`;
    switch (action) {
      case 'add':
        return `${cluster} gets its own gateway template${what}`;
      case 'change':
        return `the gateway template of ${cluster} changes${what}`;
      case 'remove':
        return `${cluster} no longer has its own gateway template${what}`;
    }
  },
  why: {
    'there-before-its-gateways': 'it exists before the gateways that use it',
    'unused-from-now-on': 'no gateway uses it any more',
    'its-gateways-restart': 'all gateways made from it restart when Liqo next reconciles them',
  },
  steps: {},
};

const valueWords = ({ what, from, to }: ValueChange, action: Action): string =>
  `${what} ${action === 'change' ? insteadOf({ from, to }, 'none') : shortened(from ?? to ?? '', LONGEST_VALUE)}`;

import { listOf } from '../../../../base/core/words.ts';
import type { SideState } from '../../../../plan/network-state.ts';
import type { ChangeWords } from '../change-words.ts';
import { placesOf } from './plain-places.ts';
import { both, LINK_WORDS, plainLink } from './plain-words.ts';

export const linkRemovedWords: ChangeWords<'link-removed'> = {
  section: 'Links',
  title: ({ link }) => `${both(link)}: the ${LINK_WORDS[link.kind]} is removed`,
  why: {
    'tunnel-is-removed': 'the tunnel is removed, and every flow over it stops',
    'addresses-stop-working':
      'the tunnel is removed, and the addresses that it gave stop working: the way that is left has others',
  },
  steps: {
    'stop-using-its-addresses': {
      what: 'make sure that nothing uses these addresses any more',
      on: ({ link }) => [...link.sides.values()].map(addressesOf).join('; '),
    },
    'prune-gateways-first': {
      what: 'prune gateways first, then Configurations (the sync waves do that in Argo CD)',
      on: ({ link }) => both(link),
    },
    'apply-before-pruning': {
      what: 'apply, and only then prune what leaves, gateways first and then Configurations (Argo CD and Flux do that): the views of new peers were chosen while what leaves still holds its addresses',
      on: ({ link }) => both(link),
    },
    'delete-before-applying': {
      what: 'pause the GitOps tools of the clusters that stay, delete the gateways and then the Configurations of what leaves there, and then apply: other peers get its addresses, which it holds until then',
      on: ({ link }) => both(link),
    },
    'delete-tenant-namespaces': {
      what: 'delete the tenant namespaces, which no tool prunes, once the gateways are deleted',
      on: (it) => placesOf(it, it.link.ends),
    },
  },
  fields: ({ link }) => ({ link: plainLink(link) }),
};

const addressesOf = ({ cluster, peer, views }: SideState): string =>
  `${listOf(views.map((it) => it.seenAs))} for ${peer} in ${cluster}`;

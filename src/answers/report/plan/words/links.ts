import { listOf } from '../../../../base/core/words.ts';
import type { SideState } from '../../../../plan/network-state.ts';
import type { ChangeWords } from '../change-words.ts';
import {
  APPLY_SERVER_FIRST,
  both,
  COMPARE_VIEWS,
  LINK_WORDS,
  OPEN_PORT,
  openedFor,
  placesOf,
  plainLink,
  side,
} from './plain-words.ts';

export const linkAddedWords: ChangeWords<'link-added'> = {
  section: 'Links',
  title: ({ link }) =>
    `${both(link)}: new ${LINK_WORDS[link.kind]}, ${link.client} dials ${link.server} at ${link.address}:${link.port}, MTU ${link.mtuBytes}`,
  why: {
    'beside-the-way-through-others':
      'flows through another cluster continue; new ones may take the direct link and have another source address',
    'carries-nothing-without-keys': 'no packet passes until both gateways have a public key in the keys file',
    'unused-so-far': 'no traffic uses it yet',
  },
  steps: {
    'generate-keys': { what: 'run `weft keys generate`, and commit the keys file', on: ({ link }) => both(link) },
    'open-port': { what: OPEN_PORT, on: ({ link }) => openedFor(link) },
    'compare-views': { what: COMPARE_VIEWS, on: ({ link }) => [...link.sides.values()].map(side).join('; ') },
    'provide-secrets': {
      what: 'provide the Secrets with the private keys',
      on: (it) => placesOf(it, it.link.ends),
    },
  },
  fields: ({ link }) => ({ link: plainLink(link) }),
};

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

export const linkKindChangedWords: ChangeWords<'link-kind-changed'> = {
  section: 'Links',
  title: (it) => `${both(it)}: a ${LINK_WORDS[it.to]} instead of a ${LINK_WORDS[it.from]}`,
  why: { 'tunnel-stays': 'the tunnel stays as it is; only the reason for it changes' },
  steps: {},
};

export const roleChangedWords: ChangeWords<'role-changed'> = {
  section: 'Gateways',
  title: (it) =>
    `${both(it)}: ${it.to} serves instead of ${it.from}, which dials ${it.link.address}:${it.link.port} now`,
  why: { 'roles-swap': 'server and client swap: both gateways must be deleted before the new ones are created' },
  steps: {
    'open-port': { what: OPEN_PORT, on: ({ link }) => openedFor(link) },
    'replace-gateways': {
      what: 'delete the old gateways at both ends, wait until their Deployments are gone, and let the GitOps tools create the new ones',
      on: both,
    },
  },
  fields: ({ link }) => ({ link: plainLink(link) }),
};

export const mtuChangedWords: ChangeWords<'mtu-changed'> = {
  section: 'Gateways',
  title: (it) => `${both(it)}: MTU ${it.to} instead of ${it.from}`,
  why: {
    'both-gateways-restart': 'the gateway pods of both ends restart, and while the ends differ large packets are lost',
  },
  steps: { 'apply-server-first': APPLY_SERVER_FIRST },
};

import type { ChangeWords } from '../change-words.ts';
import { placesOf } from './plain-places.ts';
import { COMPARE_VIEWS, OPEN_PORT, openedFor, side } from './plain-steps.ts';
import { both, LINK_WORDS, plainLink } from './plain-words.ts';

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

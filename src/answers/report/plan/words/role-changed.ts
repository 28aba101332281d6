import type { ChangeWords } from '../change-words.ts';
import { OPEN_PORT, openedFor } from './plain-steps.ts';
import { both, plainLink } from './plain-words.ts';

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

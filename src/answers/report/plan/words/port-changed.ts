import type { Difference, Ports } from '../../../../plan/difference.ts';
import type { ChangeWords } from '../change-words.ts';
import { APPLY_SERVER_FIRST, OPEN_PORT } from './plain-steps.ts';
import { both } from './plain-words.ts';

export const portChangedWords: ChangeWords<'port-changed'> = {
  section: 'Gateways',
  title: (it) => `${both(it)}: ${portWords(it)}`,
  why: {
    'client-dials-another-port':
      "the server's Service changes in place, the gateway pod of the client restarts, and until both ends are applied, the client dials a port that is not open",
    'server-restarts-at-another-port':
      'the Service and the gateway pod of the server restart, and until both ends are applied, the client dials a port that is not open',
  },
  steps: {
    'apply-server-first': APPLY_SERVER_FIRST,
    'open-port': {
      what: OPEN_PORT,
      on: ({ ends, server, to }) => `UDP ${to.dialled} of ${server} for ${ends[0] === server ? ends[1] : ends[0]}`,
    },
  },
};

function portWords({ server, from, to }: Difference<'port-changed'>): string {
  if (from.dialled !== to.dialled) return `${server} is dialled at port ${to.dialled} instead of ${from.dialled}`;
  const inner = (it: Ports): string => (it.node === null ? it.service : `${it.service}, node port ${it.node}`);
  return `${server} listens on ${inner(to)} instead of ${inner(from)}`;
}

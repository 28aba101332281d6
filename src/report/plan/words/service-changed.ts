import type { Difference } from '../../../plan/difference.ts';
import type { ChangeWords } from '../change-words.ts';
import { APPLY_SERVER_FIRST } from './plain-steps.ts';
import { both } from './plain-words.ts';

export const serviceChangedWords: ChangeWords<'service-changed'> = {
  section: 'Gateways',
  title: (it) => `${both(it)}: ${serviceWords(it)}`,
  why: {
    'service-changes': "the server's Service changes, and its address may change with it",
  },
  steps: { 'apply-server-first': APPLY_SERVER_FIRST },
};

function serviceWords({ server, from, to }: Difference<'service-changed'>): string {
  if (from.type !== to.type) return `${server} serves through a ${to.type} Service instead of a ${from.type} one`;
  if (from.loadBalancerIP !== to.loadBalancerIP) {
    return `the load balancer of ${server} has ${to.loadBalancerIP ?? 'any address'} instead of ${from.loadBalancerIP ?? 'any address'}`;
  }
  return `the Service of ${server} has other annotations`;
}

import { PEER_PLACEHOLDER, secretNameFor } from '../secret-name-for.ts';
import { DNS_SUBDOMAIN } from './dns-subdomain.ts';
import type { TextFormat } from './text-format.ts';

/** The name of the Secret of each gateway, in which `{peer}` is replaced by a cluster ID. */
export const SECRET_NAME_PATTERN: TextFormat = {
  code: 'topology/bad-name',
  noun: 'a name that Kubernetes accepts',
  hintFor: (text) => {
    const filled = secretNameFor(text, 'peer');
    return /[{}$]/.test(filled)
      ? `write ${PEER_PLACEHOLDER} for the cluster at the other end, as in gw-${PEER_PLACEHOLDER}; nothing else is filled in`
      : DNS_SUBDOMAIN.hintFor(filled);
  },
};

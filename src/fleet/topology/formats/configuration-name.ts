import { DNS_SUBDOMAIN } from './dns-subdomain.ts';
import type { TextFormat } from './text-format.ts';

/**
 * Longest name in characters: it is the value of a label.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/external-network/remapping.
 */
const LONGEST = 63;

/** The name of a Configuration, from which those of Networks, of tables on nodes and of routes are made. */
export const CONFIGURATION_NAME: TextFormat = {
  code: 'topology/bad-name',
  noun: 'the name of a Configuration',
  hintFor: (text) =>
    DNS_SUBDOMAIN.hintFor(text) ?? (text.length > LONGEST ? `use at most ${LONGEST} characters` : undefined),
};

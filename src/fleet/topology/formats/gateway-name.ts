import { DNS_LABEL } from './dns-label.ts';
import type { TextFormat } from './text-format.ts';

/**
 * Longest name in characters: `liqo-` and the name are the value of a label of its pods.
 * Source: liqotech/liqo@v1.2.0 deployments/liqo/templates/_helpers.tpl (app.kubernetes.io/instance).
 */
const LONGEST = 58;

/** The name of a GatewayServer or GatewayClient, from which that of a Service is made: a DNS label. */
export const GATEWAY_NAME: TextFormat = {
  code: 'topology/bad-name',
  noun: 'the name of a gateway',
  hintFor: (text) =>
    DNS_LABEL.hintFor(text) ?? (text.length > LONGEST ? `use at most ${LONGEST} characters` : undefined),
};

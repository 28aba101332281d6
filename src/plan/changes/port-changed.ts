import { changeKind } from '../change-kind.ts';
import { tunnelFiles } from '../file-claim.ts';
import { flowsThroughTunnel } from '../flows-through.ts';
import { aboutLink } from '../subject.ts';
import { breaks, together } from '../verdict.ts';

export const portChanged = changeKind('port-changed')({
  identity: ({ ends }) => ends,
  subject: ({ ends }) => aboutLink(ends),
  code: 'plan/gateway-changes',
  // A node port is in the Service alone, which changes in place; any other port is an argument of the gateway, too.
  judge: ({ from, to }) =>
    from.service === to.service && from.node !== to.node
      ? breaks('change', 'client-dials-another-port', together('apply-server-first'))
      : breaks('change', 'server-restarts-at-another-port', together('apply-server-first')),
  flows: ({ ends }, context) => flowsThroughTunnel(ends, context),
  explains: ({ ends }, context) => tunnelFiles(ends, context, ['expected', 'gateway-templates']),
});

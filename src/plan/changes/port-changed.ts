import { changeKind } from '../change-kind.ts';
import type { Ports } from '../difference.ts';
import { tunnelFiles } from '../file-claim.ts';
import { flowsThroughTunnel } from '../flows-through.ts';
import { aboutLink } from '../subject.ts';
import { before, breaks, together } from '../verdict.ts';

export const portChanged = changeKind('port-changed')({
  identity: ({ ends }) => ends,
  subject: ({ ends }) => aboutLink(ends),
  code: 'plan/gateway-changes',
  // A node port is in the Service alone, which changes in place; any other port is an argument of the gateway, too.
  judge: ({ from, to }) => {
    const steps = [...(isSeenOutside(from, to) ? [before('open-port')] : []), together('apply-server-first')];
    return from.service === to.service && from.node !== to.node
      ? breaks('change', 'client-dials-another-port', ...steps)
      : breaks('change', 'server-restarts-at-another-port', ...steps);
  },
  flows: ({ ends }, context) => flowsThroughTunnel(ends, context),
  explains: ({ ends }, context) => tunnelFiles(ends, context, ['expected', 'gateway-templates']),
});

/** Whether firewalls and NAT in front of the nodes see another port: behind a node port they do not see that of the Service. */
const isSeenOutside = (from: Ports, to: Ports): boolean =>
  from.dialled !== to.dialled || (from.node ?? from.service) !== (to.node ?? to.service);

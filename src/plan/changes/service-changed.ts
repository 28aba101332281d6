import { changeKind } from '../change-kind.ts';
import { tunnelFiles } from '../file-claim.ts';
import { flowsThroughTunnel } from '../flows-through.ts';
import { aboutLink } from '../subject.ts';
import { breaks, together } from '../verdict.ts';

export const serviceChanged = changeKind('service-changed')({
  identity: ({ ends }) => ends,
  subject: ({ ends }) => aboutLink(ends),
  code: 'plan/gateway-changes',
  judge: () => breaks('change', 'service-changes', together('apply-server-first')),
  flows: ({ ends }, context) => flowsThroughTunnel(ends, context),
  explains: ({ ends }, context) => tunnelFiles(ends, context, ['expected', 'gateway-templates']),
});

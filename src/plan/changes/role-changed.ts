import { changeKind } from '../change-kind.ts';
import { tunnelFiles } from '../file-claim.ts';
import { flowsThroughTunnel } from '../flows-through.ts';
import { aboutLink } from '../subject.ts';
import { before, breaks, together } from '../verdict.ts';

export const roleChanged = changeKind('role-changed')({
  identity: ({ ends }) => ends,
  subject: ({ ends }) => aboutLink(ends),
  code: 'plan/gateway-changes',
  // Both kinds of gateway have the same name; a new one beside the old would be a second one for the same remote ID.
  judge: () => breaks('change', 'roles-swap', before('open-port'), together('replace-gateways')),
  flows: ({ ends }, context) => flowsThroughTunnel(ends, context),
  explains: ({ ends }, context) =>
    tunnelFiles(ends, context, ['expected', 'gateway-templates', 'kustomization', 'unordered']),
});
